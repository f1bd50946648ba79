import { spawn } from "node:child_process";
import { type IncomingHttpHeaders, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Project, type Ran, until } from "../project.ts";

/** An `outreach listen` that runs. */
export interface Listening {
  readonly url: string;
  readonly pid: number;
  /** The lines of JSON so far, of one kind. */
  lines(kind: string): readonly Line[];
  /** What it has printed so far. */
  said(): { readonly out: string; readonly err: string };
  /** Presses Ctrl-C, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ran>;
  readonly ended: Promise<Ran>;
}

export interface Line {
  readonly [field: string]: unknown;
}

/** Starts `outreach listen --port 0` with these words, printing JSON lines, and waits until it listens. */
export async function startListening(
  project: Project,
  words = "",
  environment: { readonly [name: string]: string } = {},
): Promise<Listening> {
  const { child, ended } = project.start(`listen --port 0 ${words}`, environment);
  const text = { out: "", err: "" };
  child.stdout?.on("data", (chunk: string) => (text.out += chunk));
  child.stderr?.on("data", (chunk: string) => (text.err += chunk));
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const lines = (kind: string): readonly Line[] => {
    const complete = text.out.slice(0, text.out.lastIndexOf("\n") + 1).split("\n");
    return complete
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line["kind"] === kind);
  };
  await until(() => hasEnded || lines("listening").length > 0, `it listens: ${text.err}`);
  const [{ url } = { url: "" }] = lines("listening");
  return {
    url: String(url),
    pid: child.pid ?? 0,
    lines,
    said: () => ({ ...text }),
    stop: async (signal = "SIGINT") => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}

/** Starts `outreach listen --port 0` on a terminal of its own, where it prints a table, and waits for its heading. Needs `script` (util-linux). */
export async function listenOnTerminal(
  project: Project,
  words = "",
  environment: { readonly [name: string]: string } = {},
): Promise<{ readonly out: () => string; readonly stop: () => Promise<number | null> }> {
  const given = Object.entries({
    PATH: process.env["PATH"],
    HOME: project.folder,
    TERM: "dumb",
    ...project.environment,
  });
  const env = Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const line = `exec '${process.execPath}' '${project.command}' listen --port 0 ${words}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: project.folder, env: { ...env, ...environment } });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk.replaceAll("\r", "")));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  await until(() => out.includes("TIME"), "it listens");
  return {
    out: () => out,
    stop: () => {
      child.stdin.write(CTRL_C);
      return ended;
    },
  };
}

const CTRL_C = "\u0003";

/** Sends a body as the service sends events. */
export async function post(
  url: string,
  body: string | object,
  headers: { readonly [name: string]: string } = {},
): Promise<{ readonly status: number; readonly text: string; readonly retryAfter: string | null }> {
  const response = await fetch(url, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
}

/** An event with this secret and these further fields. */
export function event(fields: object = {}): { readonly [field: string]: unknown } {
  return {
    _id: "act_000001",
    type: "emailsReplied",
    teamId: "tea_000001",
    createdAt: "2026-01-01T00:00:00.000Z",
    leadEmail: "ada@example.com",
    ...fields,
  };
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on this machine. `answer` is its status, or what it does itself. */
export async function startReceiver(
  answer: (
    request: ReceivedRequest,
  ) => number | { readonly status: number; readonly headers: { readonly [name: string]: string } } | Promise<number>,
  host = "127.0.0.1",
): Promise<{
  readonly url: string;
  readonly port: number;
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(received);
      void Promise.resolve(answer(received)).then((made) => {
        const { status, headers } = typeof made === "number" ? { status: made, headers: {} } : made;
        response.writeHead(status, headers).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`,
    port,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
