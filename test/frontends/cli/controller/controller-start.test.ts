import { once } from "node:events";
import { type IncomingMessage, get } from "node:http";
import { expect, test } from "vitest";
import { useFleets } from "./fleet-project.ts";
import { useWays } from "./way-to.ts";

const openFleet = useFleets();
const wayTo = useWays();
const CONFIGURATION = `version: 1
state: { backend: pg, schema: states, name: "of-\${team.name}" }
teams:
  emea: { api_key: { env: KEY_EMEA } }
webhooks:
  crm: { target_url: "https://crm.example.com/\${team.name}" }
`;
const PATIENT = { timeout: 20_000 };

test("a controller that starts while the database is away waits for it, and is alive but not ready until then", async () => {
  const fleet = await openFleet();
  fleet.project.write("outreach.yaml", CONFIGURATION);
  const way = await wayTo(fleet.url, { isCut: true });
  const controller = fleet.controller(`--database ${way.url}`);
  const log = (): string => controller.written.map(({ text }) => text).join("");
  await expect.poll(log, PATIENT).toContain("The database is not available: ");
  const page = /http:\/\/127\.0\.0\.1:\d+/.exec(log())?.[0] ?? "";
  const statusOf = async (path: string): Promise<number> => (await fetch(page + path)).status;
  expect([await statusOf("/healthz"), await statusOf("/readyz"), await statusOf("/")]).toEqual([200, 503, 503]);
  way.lead(fleet.url);
  await expect.poll(() => statusOf("/readyz"), PATIENT).toBe(200);
  expect(log()).toContain("The database is available again.");
  controller.interrupt();
  expect((await controller.ended).code).toBe(0);
});

test("an interrupt ends a controller that still waits for its database", async () => {
  const fleet = await openFleet();
  fleet.project.write("outreach.yaml", CONFIGURATION);
  const controller = fleet.controller(`--database ${(await wayTo(fleet.url, { isCut: true })).url}`);
  await expect
    .poll(() => controller.written.map(({ text }) => text).join(""), PATIENT)
    .toContain("The database is not available: ");
  controller.interrupt();
  expect((await controller.ended).code).toBe(0);
});

test("a controller says which address it cannot listen on, and what to do", async () => {
  const fleet = await openFleet();
  const { port } = new URL(fleet.url);
  const { code, err } = await fleet.controller(`--listen 127.0.0.1:${port}`).ended;
  expect(code).toBe(1);
  for (const part of [`Another program listens on port ${port}.`, "Choose another port with --listen"])
    expect(err).toContain(part);
});

test("a token that no request can send is refused", async () => {
  const fleet = await openFleet();
  for (const token of ["canary-token\n", " canary-token", "canary-tökén"]) {
    fleet.project.environment["OUTREACH_CONTROLLER_TOKEN"] = token;
    const { code, err } = await fleet.controller("--auto none").ended;
    expect(code).toBe(1);
    for (const part of ["OUTREACH_CONTROLLER_TOKEN starts or ends", "openssl rand -hex 32"])
      expect(err).toContain(part);
    expect(err).not.toContain("canary");
  }
});

test("the page opens under a further name alone, and the number of workers is checked", async () => {
  const fleet = await openFleet();
  fleet.project.write("outreach.yaml", CONFIGURATION);
  expect(await fleet.controller("--workers 0").ended).toMatchObject({
    code: 1,
    err: expect.stringContaining("--workers does not accept 0.\nUse a number from 1 to 9999.") as string,
  });
  const controller = fleet.controller("--workers 2 --allow-host fleet.example.com");
  const log = (): string => controller.written.map(({ text }) => text).join("");
  await expect.poll(log, PATIENT).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
  const page = /http:\/\/127\.0\.0\.1:\d+/.exec(log())?.[0] ?? "";
  const statusFor = async (host: string): Promise<number | undefined> => {
    const [answer] = (await once(get(page, { headers: { host } }), "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  await expect.poll(() => statusFor("fleet.example.com"), PATIENT).toBe(200);
  expect(await statusFor("other.example.com")).toBe(403);
  controller.interrupt();
  expect((await controller.ended).code).toBe(0);
});
