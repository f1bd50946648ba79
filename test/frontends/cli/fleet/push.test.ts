import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Fleet, useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const STATE = "state: { backend: pg, schema: states, name: 'of-${team.name}' }\n";
const TEAMS = "teams:\n  emea: { api_key: { env: KEY_EMEA } }\n  apac: { api_key: { env: KEY_APAC } }\n";
const HOOK = 'webhooks:\n  crm: { target_url: "https://crm.example.com/${team.name}" }\n';

function push(fleet: Fleet, words = "-c teams", environment = {}) {
  return fleet.project.run(`controller push --database ${fleet.url} ${words}`, environment);
}

/** What a controller elsewhere finds: only what was pushed. */
async function elsewhere(fleet: Fleet): Promise<ReturnType<Fleet["another"]>> {
  for (const file of Object.keys(fleet.project.files())) fleet.project.remove(file);
  const work = fleet.another({ pushed: fleet.url });
  await work.read(fleet.signal);
  return work;
}

test("a pushed folder with its lists is applied by a controller that has none of its files", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  project.write("teams/teams.yaml", `version: 1\n${TEAMS}${STATE}`);
  project.write(
    "teams/hooks.yaml",
    `version: 1\n${HOOK}variables: { stage: {}, round: {} }\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails_from: 'lists/\${var.stage}-\${var.round}.csv' }\n`,
  );
  project.write("stop.csv", "email\nann@leads.example.com\n");
  project.write("teams/lists/live-7.csv", "email\nann@leads.example.com\n");
  project.write("teams/.env", "SECRET=not-for-the-database");
  project.write("teams/notes.txt", "not-for-the-database");
  project.write("vars.yaml", "round: 7\n# not-for-the-database\n");
  project.sandbox.add("leads", { campaignId: "cam_000001", email: "ann@leads.example.com" });
  const pushed = await push(fleet, "-c teams --var-file vars.yaml", { OUTREACH_VAR_stage: "live" });
  expect(pushed).toMatchObject({ code: 0, err: "", sent: [] });
  expect(pushed.out).toContain(
    "Pushed 3 files: 2 teams, 2 new, 0 changed, 0 removed since the last push.\nWith the values of stage, round.\n",
  );
  expect(await fleet.stored()).not.toContain("not-for-the-database");
  const work = await elsewhere(fleet);
  expect(await work.reconcile("emea", "all", fleet.signal)).toMatchObject({ outcome: "applied", counts: { add: 2 } });
  expect(project.sandbox.webhooks()).toMatchObject([{ targetUrl: "https://crm.example.com/emea" }]);
  expect(await work.reconcile("emea", "all", fleet.signal)).toMatchObject({ outcome: "unchanged" });
});

test("a pushed file, with a link, has its commit, and who pushed it", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  const commit = "a".repeat(40);
  project.write(".git/HEAD", `${commit}\n`);
  project.write("real.yaml", `version: 1\n${TEAMS}${STATE}${HOOK}`);
  symlinkSync("real.yaml", path.join(project.folder, "outreach.yaml"));
  const pushed = await push(fleet, "--json");
  const by = expect.stringMatching(/ on /) as string;
  expect(JSON.parse(pushed.out)).toMatchObject({
    stored: true,
    commit,
    by,
    files: [{ path: "outreach.yaml" }],
    teams: { total: 2, added: 2 },
  });
  expect(await fleet.another({ pushed: fleet.url }).read(fleet.signal)).toMatchObject({
    commit,
    pushed: { by, atMs: expect.any(Number) as number },
  });
});

test("a second push changes only the teams that changed, and a controller takes it over", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  const write = (teams: string): void =>
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { of: { default: a } }\n${teams}${STATE}${HOOK.replace("/${", "/${var.of}/${")}`,
    );
  write(TEAMS);
  await push(fleet, "");
  const work = fleet.another({ pushed: fleet.url });
  const before = await work.read(fleet.signal);
  expect(await work.read(fleet.signal)).toEqual(before);
  write(`${TEAMS.replace("emea: {", "emea: { variables: { of: b },")}  latam: { api_key: { env: KEY_EMEA } }\n`);
  const dry = await push(fleet, "--dry-run");
  expect(dry.out).toMatch(
    /Would push 1 file: 3 teams, 1 new, 1 changed, 0 removed since the last push\.\nNothing was stored\.\n$/,
  );
  expect(await work.read(fleet.signal)).toEqual(before);
  expect((await push(fleet, "")).out).toContain("3 teams, 1 new, 1 changed, 0 removed");
  const after = await work.read(fleet.signal);
  expect(
    after.teams.map(({ name, digest }) => [name, before.teams.find((one) => one.name === name)?.digest === digest]),
  ).toEqual([
    ["emea", false],
    ["apac", true],
    ["latam", false],
  ]);
  expect((await push(fleet, "")).out).toContain("0 new, 0 changed, 0 removed");
});

test("values of variables that are not sensitive come from the push alone, sensitive ones from each controller", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  const hook = 'webhooks:\n  crm: { target_url: "https://crm.example.com/${var.stage}?${var.token}" }\n';
  project.write(
    "outreach.yaml",
    `version: 1\nvariables: { stage: { default: live }, token: { sensitive: true } }\n${TEAMS}${STATE}${hook}`,
  );
  const pushed = await push(fleet, "", { OUTREACH_VAR_token: "canary-of-the-push" });
  expect(pushed.out).toContain("Set the sensitive variables where the controllers run: OUTREACH_VAR_token\n");
  expect(await fleet.stored()).not.toContain("canary");
  Object.assign(project.environment, { OUTREACH_VAR_stage: "other", OUTREACH_VAR_token: "canary-of-the-controller" });
  const work = await elsewhere(fleet);
  await work.reconcile("emea", "safe", fleet.signal);
  expect(project.sandbox.webhooks()).toMatchObject([
    { targetUrl: "https://crm.example.com/live?canary-of-the-controller" },
  ]);
});

test("secrets are read where the controller runs, relative to its working folder", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  const hooks = `webhooks:
  one: { target_url: "https://crm.example.com/1", secret: { file: secrets/one } }
  two: { target_url: "https://crm.example.com/2", secret: { command: [cat, secrets/one] } }
`;
  project.write("teams/outreach.yaml", `version: 1\n${TEAMS}${STATE}${hooks}`);
  project.write("teams/secrets/one", "canary-of-the-push");
  expect(await push(fleet)).toMatchObject({ code: 0, err: "" });
  expect(await fleet.stored()).not.toContain("canary");
  const work = await elsewhere(fleet);
  project.write("secrets/one", "canary-of-the-controller");
  expect(await work.reconcile("emea", "safe", fleet.signal)).toMatchObject({ outcome: "applied", messages: [] });
  expect(project.sandbox.webhooks().map(({ secret }) => secret)).toEqual([
    "canary-of-the-controller",
    "canary-of-the-controller",
  ]);
  expect(await fleet.stored()).not.toContain("canary");
});

describe("nothing is pushed", () => {
  const write = (fleet: Fleet, rest: string, teams = TEAMS): void =>
    fleet.project.write("outreach.yaml", `version: 1\n${teams}${STATE}${rest}`);
  const TOKEN =
    'variables: { token: { sensitive: true } }\nwebhooks:\n  crm: { target_url: "https://crm.example.com/${var.token}" }\n';

  test("of a configuration with mistakes, without teams, or of a stack", async () => {
    const fleet = await openFleet();
    write(fleet, HOOK);
    await push(fleet, "");
    const before = await fleet.stored();
    write(fleet, HOOK.replace("target_url", "target_uri"));
    expect(await push(fleet, "")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("target_uri") as string,
    });
    write(fleet, HOOK, "");
    expect((await push(fleet, "")).err).toContain("Error: No teams");
    fleet.project.write("stack/cdk.tf.json", "{}");
    expect(await push(fleet, "-c stack")).toMatchObject({ code: 1, out: "" });
    expect(await fleet.stored()).toBe(before);
  });

  test.each([
    ["--var token=canary", "comes from --var"],
    ["--var-file vars.yaml", "comes from vars.yaml"],
  ])("with a sensitive value in %s", async (words, from) => {
    const fleet = await openFleet();
    write(fleet, TOKEN);
    fleet.project.write("vars.yaml", "token: canary\n");
    const refused = await push(fleet, words);
    expect(refused).toMatchObject({ code: 1, out: "" });
    for (const part of ["Error: Sensitive value in a push", from, "Set OUTREACH_VAR_token instead"])
      expect(refused.err).toContain(part);
    expect(refused.err + (await fleet.stored())).not.toContain("canary");
  });

  test("with a sensitive value in the configuration", async () => {
    const fleet = await openFleet();
    write(
      fleet,
      TOKEN.replace("true", "true, default: canary-one"),
      TEAMS.replace("apac: {", "apac: { variables: { token: canary-two },"),
    );
    const refused = await push(fleet, "");
    expect(refused.err.match(/Error: Sensitive value in a push/g)).toHaveLength(2);
    expect(refused.err + (await fleet.stored())).not.toContain("canary");
  });

  test("with a value that the database cannot hold", async () => {
    const fleet = await openFleet();
    write(fleet, `${HOOK}variables: { nul: {}, half: {}, fine: {} }\n`);
    fleet.project.write("vars.yaml", 'nul: "a\\0b"\nhalf: "\\uD800"\nfine: "\\t😀"\n');
    const before = await fleet.stored();
    for (const more of ["", " --dry-run"]) {
      const { code, out, err } = await push(fleet, `--var-file vars.yaml${more}`);
      expect([code, out]).toEqual([1, ""]);
      for (const name of ["nul", "half"])
        expect(err).toContain(`The value of the variable ${name}, which comes from vars.yaml, contains`);
      expect(err).not.toContain("fine");
    }
    expect(await fleet.stored()).toBe(before);
  });

  test("of lists outside the folder, also beside one of the same name in it", async () => {
    const fleet = await openFleet();
    const { project } = fleet;
    const pushWith = (list: string) => {
      const lists = `  one: { campaign_id: cam_000001, emails_from: stop.csv }\n  two: { campaign_id: cam_000001, emails_from: ${list} }\n`;
      project.write("teams/outreach.yaml", `version: 1\n${TEAMS}${STATE}lead_unsubscriptions:\n${lists}`);
      return push(fleet);
    };
    for (const [at, name] of Object.entries({
      "stop.csv": "ann",
      "teams/stop.csv": "ben",
      "teams/lists/stop.csv": "cid",
    }))
      project.write(at, `email\n${name}@leads.example.com\n`);
    symlinkSync("../stop.csv", path.join(project.folder, "teams/link.csv"));
    for (const list of ["../stop.csv", "link.csv", "lists/../../stop.csv"])
      expect((await pushWith(list)).err).toContain(`The file ${list} is outside the configuration's folder.`);
    // It leaves the folder, and comes back by its name on this machine.
    expect((await pushWith("../teams/lists/stop.csv")).err).toContain("Error: The configuration cannot be pushed");
    expect(await fleet.stored()).toBe("");
    expect((await pushWith("lists/../lists/stop.csv")).out).toMatch(/\nlists\/stop\.csv .*\n[^]*\nPushed 3 files/);
  });

  test("of more than 10 MB", async () => {
    const fleet = await openFleet();
    write(fleet, `${HOOK}lead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails_from: stop.csv }\n`);
    fleet.project.write("stop.csv", `email,note\nann@leads.example.com,${"x".repeat(10 * 1024 * 1024)}\n`);
    expect(await push(fleet, "")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/have 10\.1 MB together, and a push at most 10 MB[^]*"stop\.csv"/) as string,
    });
  });

  test("of a configuration that needs its place on this machine", async () => {
    const fleet = await openFleet();
    const { folder } = fleet.project;
    write(
      fleet,
      `${HOOK}lead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails_from: "${folder}/stop.csv" }\n`,
    );
    fleet.project.write("stop.csv", "email\nann@leads.example.com\n");
    const refused = await push(fleet, "");
    for (const part of ["Error: The configuration cannot be pushed", `${folder}/stop.csv does not exist`])
      expect(refused.err).toContain(part);
  });
});

describe("a controller with --pushed", () => {
  test("waits for a push, applies it, and the status says where it comes from", async () => {
    const fleet = await openFleet();
    const { project } = fleet;
    const controller = fleet.controller("--pushed");
    const log = (): string => controller.written.map(({ text }) => text).join("");
    await expect.poll(log).toContain("No configuration has been pushed yet.");
    const page = /http:\/\/127\.0\.0\.1:\d+/.exec(log())?.[0] ?? "";
    expect((await fetch(`${page}/readyz`)).status).toBe(503);
    project.write("outreach.yaml", `version: 1\n${TEAMS}${STATE}${HOOK}`);
    await push(fleet, "");
    project.clock.pass(5000);
    await expect.poll(async () => (await fetch(`${page}/readyz`)).status).toBe(200);
    await project.run(`controller run emea --database ${fleet.url}`);
    await expect
      .poll(() => project.sandbox.webhooks(), { timeout: 20_000 })
      .toMatchObject([{ targetUrl: "https://crm.example.com/emea" }]);
    expect((await project.run(`controller status --database ${fleet.url}`)).out).toMatch(
      /\nConfiguration: pushed by .+ on .+ ago\.\n/,
    );
    controller.interrupt();
    expect((await controller.ended).code).toBe(0);
  });

  test("takes no path, and no variables", async () => {
    const fleet = await openFleet();
    const { code, err } = await fleet.controller("--pushed -c teams --var a=b").ended;
    expect(code).toBe(1);
    expect(err).toContain(
      "With --pushed, the configuration and its variables come from the database, so --config and --var cannot apply.",
    );
  });
});

test("a plan that was approved is outdated once a push has changed a variable", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  project.write(
    "outreach.yaml",
    `version: 1\nvariables: { of: {} }\n${TEAMS}${STATE}${HOOK.replace("/${", "/${var.of}/${")}`,
  );
  await push(fleet, "--var of=old");
  const work = fleet.another({ pushed: fleet.url });
  await work.read(fleet.signal);
  const { plan } = await work.reconcile("emea", "none", fleet.signal);
  await push(fleet, "--var of=new");
  await work.read(fleet.signal);
  const applied = await work.applyPlan("emea", plan?.bytes ?? new Uint8Array(), fleet.signal);
  expect(applied).toMatchObject({
    outcome: "outdated",
    messages: [{ code: "plan_stale", detail: expect.stringContaining("variable of") as string }],
  });
  expect(project.sandbox.webhooks()).toEqual([]);
});
