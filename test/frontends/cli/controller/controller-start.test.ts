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
