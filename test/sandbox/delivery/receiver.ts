import { createServer } from "node:http";
import type { IncomingHttpHeaders, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Activity } from "../../../src/sandbox/events/activity.ts";

/** How long a test waits for something that takes milliseconds on a machine without other work. */
export const WAIT = { timeout: 20_000 };

/** One request that a receiver got, whole. */
export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
};

export type Receiver = {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  readonly server: Server;
  readonly close: () => void;
};

/** Starts a receiver on 127.0.0.1 that answers with `answer`, 204 by default. It stops with the test. */
export async function startReceiver(answer?: RequestListener, host?: string): Promise<Receiver> {
  const receiver = await openReceiver(answer, host);
  onTestFinished(receiver.close);
  return receiver;
}

/** The same, until `close` is called. */
export async function openReceiver(
  answer: RequestListener = (_request, response) => void response.writeHead(204).end(),
  host = "127.0.0.1",
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      received.push({ method, url, headers, body: JSON.parse(text) as Received["body"] });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}/hook`,
    port,
    received,
    server,
    close,
  };
}

let lastId = 0;

/** An activity of the first team's lead Ada in the campaign cam_000001, with an id of its own. */
export function activity(change: Partial<Activity> = {}): Activity {
  const id = `act_${String(++lastId).padStart(6, "0")}`;
  const { type = "emailsReplied", teamId = "tea_000001", campaignId = "cam_000001", leadId = "lea_000001" } = change;
  const payload = {
    _id: id,
    type,
    teamId,
    createdAt: "2026-07-01T12:00:00.000Z",
    ...(campaignId === null ? {} : { campaignId }),
    ...(leadId === null ? {} : { leadId }),
  };
  return { type, teamId, campaignId, leadId, payload, ...change };
}
