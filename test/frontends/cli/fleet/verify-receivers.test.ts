import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Fleet, useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const SECRET = "the-secret-of-the-receiver";
const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A receiver that checks secrets at /checks, and accepts anything elsewhere. */
async function openReceiver(): Promise<{ readonly port: string; readonly got: readonly string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      got.push(request.url ?? "");
      response.writeHead(request.url === "/checks" && !body.includes(SECRET) ? 401 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  return { port: String((server.address() as AddressInfo).port), got };
}

async function applied(hooks: readonly string[]): Promise<Fleet> {
  const fleet = await openFleet();
  fleet.project.environment["HOOK_SECRET"] = SECRET;
  await fleet.declare(
    hooks
      .map(
        (url, index) =>
          `  hook${String(index)}: { target_url: "${url}", type: emailsReplied, secret: { env: HOOK_SECRET } }\n`,
      )
      .join(""),
  );
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied" });
  return fleet;
}

test("a team's receivers are verified where the host is allowed and the applied secret is the declared one", async () => {
  const receiver = await openReceiver();
  const other = await openReceiver();
  const local = (port: string, path: string): string => `http://127.0.0.1:${port}/${path}`;
  const fleet = await applied([
    local(receiver.port, "checks"),
    local(receiver.port, "all"),
    local(other.port, "checks"),
  ]);
  const allow = [{ hostname: "127.0.0.1", isBelow: false, port: receiver.port }];
  const verified = await fleet.work.verify("emea", allow, fleet.signal);
  expect(verified).toEqual([
    {
      address: "outreach_webhook.hook0",
      host: `127.0.0.1:${receiver.port}`,
      isOk: true,
      text: "ok: accepts the secret, refuses a wrong one",
    },
    {
      address: "outreach_webhook.hook1",
      host: `127.0.0.1:${receiver.port}`,
      isOk: false,
      text: "failed: accepts events without the right secret",
    },
  ]);
  expect([receiver.got.toSorted(), other.got]).toEqual([["/all", "/all", "/checks", "/checks"], []]);
  expect(fleet.project.sandbox.requests().filter(({ method }) => method !== "GET")).toHaveLength(3);
  // A secret that is not applied yet goes nowhere.
  fleet.project.environment["HOOK_SECRET"] = "another-secret";
  const later = fleet.another();
  await later.read(fleet.signal);
  expect(await later.verify("emea", allow, fleet.signal)).toEqual([]);
  expect(receiver.got).toHaveLength(4);
});

test("a controller verifies only with --verify-allow, and its metric says what it found", async () => {
  const receiver = await openReceiver();
  const fleet = await applied([`http://127.0.0.1:${receiver.port}/all`]);
  const metricsOf = async (
    words: string,
  ): Promise<{ readonly text: () => Promise<string>; readonly stop: () => Promise<unknown> }> => {
    const controller = fleet.controller(words);
    const url = (): string =>
      /"(?:message|text)":"The page of the fleet is at (http:[^" ]+?)\.?"/.exec(
        controller.written.map(({ text }) => text).join(""),
      )?.[1] ?? "";
    await expect.poll(url, { timeout: 60_000 }).not.toBe("");
    const stop = async (): Promise<unknown> => (controller.interrupt(), controller.ended);
    return { text: async () => (await fetch(new URL("/metrics", url()))).text(), stop };
  };
  const plain = await metricsOf("--interval 10s");
  await expect.poll(plain.text, { timeout: 60_000 }).toContain('outreach_fleet_teams{state="unchanged"} 1');
  expect(await plain.text()).not.toContain("outreach_receiver_ok{");
  await plain.stop();
  expect(receiver.got).toEqual([]);
  const verifying = await metricsOf(`--verify-allow 127.0.0.1:${receiver.port}`);
  await expect
    .poll(verifying.text, { timeout: 90_000 })
    .toContain(
      `outreach_receiver_ok{team="emea",webhook="outreach_webhook.hook0",host="127.0.0.1:${receiver.port}"} 0`,
    );
  const status = await fleet.project.run(`controller status emea --database ${fleet.url}`);
  expect(status.out).toMatch(
    /Receivers, verified \S+ ago: 0 ok, 1 failed\.\n {2}outreach_webhook\.hook0: failed: accepts events without the right secret\n/,
  );
  expect(
    JSON.parse((await fleet.project.run(`controller status emea --json --database ${fleet.url}`)).out),
  ).toMatchObject({
    receivers: { webhooks: [{ address: "outreach_webhook.hook0", ok: false }] },
  });
  await verifying.stop();
});

test("--verify-interval needs a host, and is at least an hour", async () => {
  const fleet = await openFleet();
  const alone = await fleet.project.run(`controller --database ${fleet.url} --verify-interval 2h`);
  expect([alone.code, alone.err]).toEqual([1, expect.stringContaining("but no host is allowed to get events.")]);
  const short = await fleet.project.run(
    `controller --database ${fleet.url} --verify-allow crm.example.com --verify-interval 1m`,
  );
  expect([short.code, short.err]).toEqual([1, expect.stringContaining("use at least 1h.")]);
});
