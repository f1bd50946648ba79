import { expect, test } from "vitest";
import { type Fleet, useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const PATIENT = { timeout: 20_000 };
const WEBHOOKS = '  crm: { target_url: "https://crm.example.com/${team.name}" }\n';

const ask = async ({ project, url }: Fleet, words: string): Promise<string> => {
  const { code, out, err } = await project.run(`controller ${words} --database ${url}`);
  return `${String(code)} ${out}${err}`;
};

test("what a person asks for is answered by what happens next, also while no controller runs", async () => {
  const fleet = await openFleet();
  await fleet.declare(WEBHOOKS);
  const controller = fleet.controller("--auto none --interval 10h");
  await expect.poll(() => ask(fleet, "status"), PATIENT).toContain("2 teams");
  expect(await ask(fleet, "run emea")).toBe(
    "0 A controller reconciles emea now. See the result: outreach controller status\n",
  );
  expect(await ask(fleet, "resume emea")).toBe(
    "0 emea is neither paused nor parked, so there was nothing to resume.\n",
  );
  expect(await ask(fleet, "pause apac")).toBe("0 apac is paused. To go on: outreach controller resume apac\n");
  expect(await ask(fleet, "resume apac")).toBe("0 apac is resumed. A controller reconciles it now.\n");
  const planOf = async (): Promise<string> =>
    /^emea +waiting .* ([0-9a-f-]{36}) /m.exec(await ask(fleet, "status"))?.[1] ?? "";
  await expect.poll(planOf, PATIENT).not.toBe("");
  controller.interrupt();
  await controller.ended;

  const nobody = "No controller is running: the next one to start";
  expect(await ask(fleet, "run emea")).toBe(
    `0 ${nobody} reconciles emea. See the result: outreach controller status\n`,
  );
  expect(await ask(fleet, `approve emea ${await planOf()}`)).toBe(
    `0 Approved. ${nobody} applies this plan of emea, if it still fits. See the result: outreach controller status emea\n`,
  );
  await ask(fleet, "pause apac");
  expect(await ask(fleet, "resume apac")).toBe(`0 apac is resumed. ${nobody} reconciles it.\n`);
});

test("the status of a team has its plan, its runs, and who approved what was applied; a filter finds teams by state", async () => {
  const fleet = await openFleet();
  await fleet.declare(WEBHOOKS);
  const controller = fleet.controller("--auto none --interval 10h");
  const log = (): string => controller.written.map(({ text }) => text).join("");
  const planOf = async (): Promise<string> =>
    /^emea +waiting .* ([0-9a-f-]{36}) /m.exec(await ask(fleet, "status --state waiting"))?.[1] ?? "";
  await expect.poll(() => ask(fleet, "run emea"), PATIENT).toMatch(/^0 /);
  await expect.poll(planOf, PATIENT).not.toBe("");
  const plan = await planOf();
  const { groups } = JSON.parse((await ask(fleet, "status --json")).slice(2)) as {
    readonly groups: readonly { readonly key: string }[];
  };
  expect(groups).toMatchObject([{ kind: "waiting", example: "emea", counts: { add: 1 }, reason: null }]);
  const group = await ask(fleet, `status --group ${groups[0]?.key ?? ""}`);
  expect(group).toContain("0 1 team: 1 waiting.\n");
  expect(group).not.toContain("apac");
  expect(await ask(fleet, "status --group none")).toMatch(/^1 [^]*No teams wait or fail as the group "none" now/);
  expect(await ask(fleet, "status emea --group none")).toMatch(/^1 [^]*--group filters all teams, and emea names one/);
  const waiting = await ask(fleet, "status emea");
  for (const part of [
    /^0 emea: waiting\. Last run \ds ago, next run in \d+h/,
    /^ {2}\+ resource "outreach_webhook" "crm"|^ {2}# outreach_webhook\.crm/m,
    `Approve this plan: outreach controller approve emea ${plan}`,
  ])
    expect(waiting).toMatch(part);
  await ask(fleet, `approve emea ${plan}`);
  await expect.poll(() => ask(fleet, "status emea"), PATIENT).toMatch(/^ *\d+ +applied /m);
  const applied = JSON.parse((await ask(fleet, "status emea --json")).slice(2)) as {
    readonly changes: readonly { readonly approved_by: string }[];
  };
  expect(applied).toMatchObject({
    team: { name: "emea", state: "applied", plan: null },
    plan: null,
    runs: [
      { outcome: "applied", trigger: "approval", plan },
      { outcome: "waiting", plan: null },
    ],
    changes: [{ team: "emea", outcome: "applied", counts: { add: 1 }, plan }],
  });
  const by = applied.changes[0]?.approved_by ?? "";
  expect(by).toMatch(/^\S+ on \S+$/);
  expect(await ask(fleet, "status emea")).toMatch(new RegExp(`^ *\\d+ +applied .* 1 added +${by} +${plan}`, "m"));
  expect(log()).toContain(`"plan":"${plan}","approved_by":"${by}"`);
  expect(await ask(fleet, "status --state applied")).toMatch(/1 team: 1 applied\.[^]*^emea +applied /m);
  expect(await ask(fleet, "status --state lost")).toMatch(/^1 [^]*Allowed choices are parked, failed/);
  expect(await ask(fleet, "status emea --state failed")).toMatch(
    /^1 [^]*--state filters all teams, and emea names one/,
  );
  controller.interrupt();
  await controller.ended;
});

test("a team under a new name, whose state did not move with it, creates nothing a second time", async () => {
  const fleet = await openFleet();
  const declared = WEBHOOKS.replace("${team.name}", "hook");
  await fleet.declare(declared);
  const controller = fleet.controller("--auto all --interval 10h");
  await expect.poll(() => ask(fleet, "run emea"), PATIENT).toMatch(/^0 /);
  await expect.poll(() => ask(fleet, "status --state applied"), PATIENT).toMatch(/^emea +applied /m);
  const own = () => fleet.project.sandbox.webhooks().filter(({ targetUrl }) => !targetUrl.endsWith("apac"));
  const file = fleet.project.files()["outreach.yaml"] ?? "";
  fleet.project.write(
    "outreach.yaml",
    file.replace("  emea:", "  europe:").replace("/hook", "/hook?team=${team.name}"),
  );
  await expect.poll(() => ask(fleet, "run europe"), PATIENT).toMatch(/^0 /);
  await expect.poll(() => ask(fleet, "status --state failed"), PATIENT).toMatch(/^europe +failed/m);
  const status = (await ask(fleet, "status europe")).replaceAll(/\s+/g, " ");
  for (const part of [
    "emea, which is no longer in the configuration, had the same API key, and its state records 1 live webhook.",
    "Nothing was sent.",
  ])
    expect(status).toContain(part);
  expect(own()).toHaveLength(1);
  expect(await ask(fleet, "status")).toMatch(/nobody reconciles:\n {2}emea, removed \d+s ago: 1 webhook in postgres:/);
  // The way out, as the message has it.
  const [, command = ""] = /outreach (init --migrate-state --from \S+ --team europe)/.exec(status) ?? [];
  expect(await fleet.project.run(command)).toMatchObject({ code: 0, err: "" });
  await ask(fleet, "run europe");
  await expect.poll(() => ask(fleet, "status --state applied"), PATIENT).toMatch(/^europe +applied /m);
  expect(own()).toHaveLength(1);
  expect(await ask(fleet, "status")).not.toContain("nobody reconciles");
  controller.interrupt();
  await controller.ended;
});

test("settings belong to the fleet: a controller that differs does not start, one without them follows, and a command changes them", async () => {
  const fleet = await openFleet();
  await fleet.declare(WEBHOOKS);
  const first = fleet.controller("--auto none --interval 10h");
  await expect
    .poll(() => ask(fleet, "status"), PATIENT)
    .toContain("Settings: --auto none --interval 10h --history 90d.");
  const { code, err } = await fleet.controller("--auto all --interval 10h").ended;
  expect(code).toBe(1);
  for (const part of [
    "The fleet works with --auto none --interval 10h, but this controller was started with --auto all.",
    "outreach controller set --auto all",
  ])
    expect(err.replaceAll(/\s+/g, " ")).toContain(part);
  expect(await ask(fleet, "set --auto all --interval 5m")).toBe(
    "0 The fleet now works with --auto all --interval 5m --history 90d.\n",
  );
  expect(await ask(fleet, "set")).toMatch(
    /^1 [^]*Give at least one of --auto, --interval, --history, --freeze and --no-freeze/,
  );
  expect(await ask(fleet, "set --interval 1s")).toMatch(/^1 [^]*use at least 10s/);
  expect(await ask(fleet, "set --history 1h")).toMatch(/^1 [^]*Use at least 1d/);
  expect(await ask(fleet, "set --interval 299.9999999s")).toMatch(/^0 .* --interval 5m /);
  await ask(fleet, "run emea");
  await expect.poll(() => ask(fleet, "status --state applied"), PATIENT).toMatch(/^emea +applied /m);
  const second = fleet.controller("--log-format json");
  await expect.poll(() => second.written.map(({ text }) => text).join(""), PATIENT).toContain('"event":"started"');
  for (const one of [first, second]) {
    one.interrupt();
    await one.ended;
  }
});

test("an unknown team is named, with those that the fleet has", async () => {
  const fleet = await openFleet();
  await fleet.declare(WEBHOOKS);
  const controller = fleet.controller("--auto none --interval 10h");
  await expect.poll(() => ask(fleet, "status"), PATIENT).toContain("2 teams");
  for (const words of ["run emae", "pause emae", "resume emae", "approve emae 1"])
    expect(await ask(fleet, words)).toContain('The fleet has no team "emae". It has apac, emea.');
  controller.interrupt();
  await controller.ended;
});
