import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const CONFIGURATION = `version: 1
state: { backend: pg, schema: states, name: "of-\${team.name}" }
teams:
  emea: { api_key: { env: KEY_EMEA } }
webhooks:
  crm: { target_url: "https://crm.example.com/\${team.name}" }
`;
const PATIENT = { timeout: 20_000 };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A way to the database that is cut until it is `here`. */
async function wayTo(url: string): Promise<{ readonly url: string; isHere: boolean }> {
  const sockets = new Set<Socket>();
  const way = { url: "", isHere: false };
  const server = createServer((client) => {
    const both = way.isHere ? [client, connect(Number(new URL(url).port), "127.0.0.1")] : [client];
    for (const one of both) sockets.add(one.on("error", () => undefined));
    const [, database] = both;
    if (database) client.pipe(database).pipe(client);
    else client.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(way, { url: Object.assign(new URL(url), { port: String(port) }).href });
}

test("a controller that starts while the database is away waits for it, and is alive but not ready until then", async () => {
  const fleet = await openFleet();
  fleet.project.write("outreach.yaml", CONFIGURATION);
  const way = await wayTo(fleet.url);
  const controller = fleet.controller(`--database ${way.url}`);
  const log = (): string => controller.written.map(({ text }) => text).join("");
  await expect.poll(log, PATIENT).toContain("The database is not available: ");
  const page = /http:\/\/127\.0\.0\.1:\d+/.exec(log())?.[0] ?? "";
  const statusOf = async (path: string): Promise<number> => (await fetch(page + path)).status;
  expect([await statusOf("/healthz"), await statusOf("/readyz"), await statusOf("/")]).toEqual([200, 503, 503]);
  way.isHere = true;
  await expect.poll(() => statusOf("/readyz"), PATIENT).toBe(200);
  expect(log()).toContain("The database is available again.");
  controller.interrupt();
  expect((await controller.ended).code).toBe(0);
});

test("an interrupt ends a controller that still waits for its database", async () => {
  const fleet = await openFleet();
  fleet.project.write("outreach.yaml", CONFIGURATION);
  const controller = fleet.controller(`--database ${(await wayTo(fleet.url)).url}`);
  await expect.poll(() => controller.written.map(({ text }) => text).join(""), PATIENT).toContain("The database is not available: ");
  controller.interrupt();
  expect((await controller.ended).code).toBe(0);
});

test("a controller says which address it cannot listen on, and what to do", async () => {
  const fleet = await openFleet();
  const { port } = new URL(fleet.url);
  const { code, err } = await fleet.controller(`--listen 127.0.0.1:${port}`).ended;
  expect(code).toBe(1);
  for (const part of [`Another program listens on port ${port}.`, "Choose another port with --listen"]) expect(err).toContain(part);
});

test("a token that no request can send is refused", async () => {
  const fleet = await openFleet();
  for (const token of ["canary-token\n", " canary-token", "canary-tökén"]) {
    fleet.project.environment["OUTREACH_CONTROLLER_TOKEN"] = token;
    const { code, err } = await fleet.controller("--auto none").ended;
    expect(code).toBe(1);
    for (const part of ["OUTREACH_CONTROLLER_TOKEN starts or ends", "openssl rand -hex 32"]) expect(err).toContain(part);
    expect(err).not.toContain("canary");
  }
});
