import { expect, test } from "vitest";
import { runOnTerminal } from "../project.ts";
import { type Fleet, useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const PATIENT = { timeout: 30_000 };
const TEAMS = ["client-a", "client-b", "client-c", "emea"];
const CRM = '  crm: { target_url: "https://crm.example.com/${team.name}" }\n';

interface Status {
  readonly teams: readonly {
    readonly name: string;
    readonly state: string;
    readonly plan: string | null;
    readonly creates_only: boolean;
    readonly removals: readonly string[];
    readonly group: string | null;
    readonly message: string | null;
  }[];
  readonly requests: readonly {
    readonly action: string;
    readonly settings: string | null;
    readonly teams: readonly object[];
  }[];
  readonly groups: readonly {
    readonly key: string;
    readonly teams: number;
    readonly counts: object;
    readonly reason: string | null;
  }[];
}

async function ask({ project, url }: Fleet, words: string): Promise<string> {
  const { code, out, err } = await project.run(`controller ${words} --database ${url}`);
  return `${String(code)} ${out}${err}`;
}

async function statusOf(fleet: Fleet): Promise<Status> {
  return JSON.parse((await ask(fleet, "status --json")).slice(2)) as Status;
}

/** A fleet of four teams with a controller that applies nothing by itself. */
async function openTeams(): Promise<{
  readonly fleet: Fleet;
  readonly stop: () => Promise<unknown>;
  readonly change: (webhooks: string) => void;
}> {
  const fleet = await openFleet();
  const teams = TEAMS.map((name) => `  ${name}: { api_key: { env: KEY_EMEA } }\n`).join("");
  const change = (hooks: string): void =>
    fleet.project.write(
      "outreach.yaml",
      `version: 1\nteams:\n${teams}state: { backend: pg, schema: states, name: 'of-\${team.name}' }\nwebhooks:\n${hooks}`,
    );
  change(CRM);
  const controller = fleet.controller("--auto none --interval 10h");
  await expect.poll(() => ask(fleet, "status"), PATIENT).toContain("4 teams");
  await ask(fleet, "run --team * --auto-approve");
  await expect
    .poll(async () => (await statusOf(fleet)).teams.filter(({ plan }) => plan !== null).length, PATIENT)
    .toBe(4);
  const stop = (): Promise<unknown> => {
    controller.interrupt();
    return controller.ended;
  };
  return { fleet, change, stop };
}

test("one edit of all teams is one group, which one command approves, and a person who is not asked has to say so", async () => {
  const { fleet, change, stop } = await openTeams();
  const [group, ...others] = (await statusOf(fleet)).groups;
  expect(others).toEqual([]);
  expect(group).toMatchObject({ teams: 4, counts: { add: 1 } });
  const key = group?.key ?? "";
  expect(await ask(fleet, "status")).toMatch(new RegExp(`^${key} +4 +waiting +1 to add +client-a +-$`, "m"));
  const refused = await ask(fleet, `approve --group ${key}`);
  expect(refused).toMatch(/^1 Approve the plans of 4 teams:\n\nGROUP/);
  expect(refused).toContain("Nothing was done.");
  expect(
    (await runOnTerminal(fleet.project, `controller approve --group ${key} --database ${fleet.url}`, "no")).out,
  ).toContain("Cancelled. Nothing was done.");
  expect((await statusOf(fleet)).teams.every(({ plan }) => plan !== null)).toBe(true);
  const typed = await runOnTerminal(
    fleet.project,
    `controller approve --group ${key} --team client-* --database ${fleet.url}`,
    "yes",
  );
  expect(typed.out).toContain(
    "Approved the plans of 3 teams. A controller applies these plans now, if they still fit.",
  );
  await expect
    .poll(async () => (await statusOf(fleet)).teams.map(({ state }) => state), PATIENT)
    .toEqual(["waiting", "applied", "applied", "applied"]);
  expect(
    fleet.project.sandbox
      .webhooks()
      .map(({ targetUrl }) => targetUrl)
      .toSorted(),
  ).toEqual(["a", "b", "c"].map((client) => `https://crm.example.com/client-${client}`));
  expect(await ask(fleet, "approve --only-creates --auto-approve")).toMatch(
    /^0 Approve the plans of 1 team:[^]*Approved the plans of 1 team\. /,
  );
  await expect.poll(() => fleet.project.sandbox.webhooks().length, PATIENT).toBe(4);
  expect(await ask(fleet, `approve --group ${key} --auto-approve`)).toMatch(
    /^1 [^]*No teams wait or fail as the group/,
  );
  change(CRM.replace("crm.example", "new.example"));
  await expect
    .poll(async () => (await statusOf(fleet)).teams.filter(({ plan }) => plan !== null).length, PATIENT)
    .toBe(4);
  expect((await statusOf(fleet)).teams.some((team) => team.creates_only)).toBe(false);
  expect(await ask(fleet, "approve --only-creates --auto-approve")).toBe(
    "0 No plan that waits matches the filters. Nothing was done.\n",
  );
  await stop();
});

test("run, pause and resume take filters, and mistakes change nothing", async () => {
  const { fleet, stop } = await openTeams();
  expect(await ask(fleet, "pause --team client-* --auto-approve")).toBe(
    "0 Pause 3 teams: client-a, client-b, client-c. Runs in flight are finished.\nPaused 3 teams. To go on: outreach controller resume --team 'PATTERN'\n",
  );
  expect((await statusOf(fleet)).teams.map(({ state }) => state).toSorted()).toEqual([
    "paused",
    "paused",
    "paused",
    "waiting",
  ]);
  expect(await ask(fleet, "resume --team * --auto-approve")).toMatch(
    /^0 Resume 3 teams: client-a, client-b, client-c\.\nResumed 3 teams\. A controller reconciles them now\./,
  );
  expect(await ask(fleet, "run --failed --auto-approve")).toBe(
    "0 No team that can run matches the filters. Nothing was done.\n",
  );
  for (const [words, message] of [
    ["run", "controller run is about one team, or about those that filters find."],
    ["run emea --failed", "--failed chooses among all teams, and emea names one."],
    [
      "run --team europe-* --auto-approve",
      'The fleet has no team "europe-*". It has client-a, client-b, client-c, emea. Nothing was done.',
    ],
    ["pause --group none --auto-approve", 'No teams wait or fail as the group "none" now.'],
    ["approve emea", 'An approval names the plan that you have read, and not only its team "emea".'],
    ["approve emea 1 --only-creates", "--only-creates chooses among all teams, and emea names one."],
    ["pause --team *", "With filters, the command asks for a typed yes"],
  ] as const)
    expect((await ask(fleet, words)).replaceAll(/\s+/g, " ")).toContain(message);
  await stop();
});

test("while the fleet is frozen, plans wait and say until when, and a person may apply one anyway; a team may have a policy of its own", async () => {
  const { fleet, stop } = await openTeams();
  expect(await ask(fleet, "set --auto all --freeze 2100-01-04T08:00Z --reason Holidays")).toBe(
    "0 The fleet now works with --auto all --interval 10h --history 90d --freeze 2100-01-04T08:00:00.000Z --reason Holidays.\n",
  );
  await ask(fleet, "run --team client-* --auto-approve");
  const held = "No plan is applied now: Frozen until 2100-01-04 08:00 UTC: Holidays.";
  await expect
    .poll(async () => (await statusOf(fleet)).teams.filter(({ message }) => message === held).length, PATIENT)
    .toBe(3);
  expect((await statusOf(fleet)).groups).toMatchObject([{ teams: 3, reason: "No plan is applied now" }, { teams: 1 }]);
  expect(await ask(fleet, "status")).toContain(
    "\nNo plan is applied now. Frozen until 2100-01-04 08:00 UTC: Holidays.\n",
  );
  const plan = (await statusOf(fleet)).teams.find(({ name }) => name === "emea")?.plan ?? "";
  for (const words of [`approve emea ${plan}`, "approve --only-creates --auto-approve"])
    expect((await ask(fleet, words)).replaceAll(/\s+/g, " ")).toMatch(
      /^1 .*Frozen until 2100-01-04 08:00 UTC: Holidays\. Nothing was approved\./,
    );
  expect(await ask(fleet, `approve emea ${plan} --ignore-freeze`)).toMatch(/^0 Approved\./);
  await expect
    .poll(async () => (await statusOf(fleet)).teams.map(({ state }) => state), PATIENT)
    .toEqual(["waiting", "waiting", "waiting", "applied"]);
  expect(await ask(fleet, "status emea")).toMatch(new RegExp(`approve anyway +\\S+ on \\S+ +${plan}`));
  expect(fleet.project.sandbox.webhooks()).toHaveLength(1);

  expect(await ask(fleet, "set --team client-a --auto none")).toBe("0 1 team now works with --auto none: client-a.\n");
  await ask(fleet, "set --no-freeze");
  await ask(fleet, "run --team * --auto-approve");
  await expect
    .poll(async () => (await statusOf(fleet)).teams.map(({ name, state }) => `${name} ${state}`), PATIENT)
    .toEqual(["client-a waiting", "client-b applied", "client-c applied", "emea unchanged"]);
  expect(await ask(fleet, "status client-a")).toContain("Policy of this team: --auto none.\n");
  await ask(fleet, "set --team client-* --no-auto");
  expect(
    (await statusOf(fleet)).requests
      .filter(({ action }) => action === "set")
      .map(({ settings, teams }) => [settings, teams.length]),
  ).toEqual([
    ["--no-auto", 3],
    ["--no-freeze", 0],
    ["--auto none", 1],
    ["--auto all --freeze 2100-01-04T08:00:00.000Z --reason Holidays", 0],
  ]);
  await ask(fleet, "run client-a");
  await expect.poll(() => fleet.project.sandbox.webhooks().length, PATIENT).toBe(4);

  for (const [words, message] of [
    ["set --freeze tomorrow", "Use a date, as in 2027-01-04"],
    [
      "set --freeze 2020-01-01",
      "2020-01-01T00:00:00.000Z is over, so nothing would be frozen. Nothing was changed. To end the freeze: outreach controller set --no-freeze",
    ],
    ["set --freeze 2027-13-01", "Use a date, as in 2027-01-04"],
    ["set --reason Holidays", "--reason says why a fleet is frozen. Give --freeze, too."],
    ["set --team emea", "Give --team with --auto POLICY or --no-auto, and nothing else."],
    ["set --no-auto", "Give --team with --auto POLICY or --no-auto, and nothing else."],
    ["set --team emea --auto none --interval 5m", "Give --team with --auto POLICY or --no-auto, and nothing else."],
    ["set --team europe --auto none", 'The fleet has no team "europe".'],
  ] as const)
    expect((await ask(fleet, words)).replaceAll(/\s+/g, " ")).toContain(message);
  await stop();
});

test("after the states were lost, one command plans the import of what is live, and the plans wait whatever the policy", async () => {
  const { fleet, stop } = await openTeams();
  fleet.project.sandbox.configure({ profile: { fields: { type: "where-set", campaignId: "where-set" } } });
  // A match is certain only where the list of the service shows all of a webhook.
  fleet.project.sandbox.add("webhooks", {
    _id: "hoo_other",
    targetUrl: "https://other.example.com/",
    type: "emailsSent",
    campaignId: "cam_000001",
  });
  await ask(fleet, "set --auto all");
  await ask(fleet, "run --team client-* --auto-approve");
  await expect
    .poll(async () => (await statusOf(fleet)).teams.map(({ state }) => state), PATIENT)
    .toEqual(["waiting", "applied", "applied", "applied"]);
  await fleet.query("DROP SCHEMA states CASCADE");
  await ask(fleet, "run --team client-* --auto-approve");
  await expect
    .poll(
      async () => (await statusOf(fleet)).teams.filter(({ state }) => state === "failed" || state === "parked").length,
      PATIENT,
    )
    .toBe(3);
  await ask(fleet, "resume --failed --auto-approve");
  await expect
    .poll(async () => (await statusOf(fleet)).teams.filter(({ state }) => state === "failed").length, PATIENT)
    .toBe(3);
  expect(await ask(fleet, "adopt --failed --auto-approve")).toMatch(
    /^0 Plan to import what is live and identical, for 3 teams: client-a, client-b, client-c\. The plans wait for approval\.\nAsked for plans of 3 teams\. A controller plans them now\./,
  );
  await expect
    .poll(
      async () =>
        (await statusOf(fleet)).groups.filter(({ counts }) => (counts as { readonly import: number }).import === 1),
      PATIENT,
    )
    .toMatchObject([{ teams: 3 }]);
  await ask(fleet, "approve --team client-* --auto-approve");
  await expect
    .poll(async () => (await statusOf(fleet)).teams.filter(({ state }) => state === "applied").length, PATIENT)
    .toBe(3);
  expect(fleet.project.sandbox.webhooks()).toHaveLength(4);
  await stop();
});

test("one command for many teams deletes what nothing manages only for a typed yes, and names it", async () => {
  const { fleet, change, stop } = await openTeams();
  const { sandbox } = fleet.project;
  const isLive = (): boolean => sandbox.webhooks().some(({ _id }) => _id === "hoo_foreign");
  sandbox.add("webhooks", { _id: "hoo_foreign", targetUrl: "https://foreign.example.com/" });
  await ask(fleet, "pause emea");
  await ask(fleet, "set --auto all");
  change(`${CRM}removals: [{ id: hoo_foreign, reason: nobody reads it }]\n`);
  const removing = async (): Promise<number> =>
    (await statusOf(fleet)).teams.filter(({ removals }) => removals.includes("hoo_foreign")).length;
  await expect.poll(removing, PATIENT).toBe(3);
  const { groups } = await statusOf(fleet);
  expect(groups).toMatchObject([
    { teams: 3, counts: { add: 1, destroy: 1 }, reason: "A person must approve removals" },
    { teams: 1, counts: { destroy: 0 } },
  ]);

  const left =
    "The plans of 3 teams delete webhooks that nothing manages, and --auto-approve approves no such plan: client-a, client-b, client-c. They were left alone.";
  const alone = (await ask(fleet, "approve --team client-* --auto-approve")).replaceAll(/\s+/g, " ");
  expect(alone).toMatch(/^1 Error: A person must approve removals /);
  expect(alone).toContain(left);
  const mixed = (await ask(fleet, "approve --team * --auto-approve")).replaceAll(/\s+/g, " ");
  expect(mixed).toMatch(/^1 Approve the plans of 1 team: .* Approved the plans of 1 team\. /);
  expect(mixed).toContain(left);
  expect(await removing()).toBe(3);
  expect(isLive()).toBe(true);

  const typed = async (answer: string): Promise<string> =>
    (
      await runOnTerminal(fleet.project, `controller approve --team client-* --database ${fleet.url}`, answer)
    ).out.replaceAll("\r", "");
  expect(await typed("no")).toContain(
    "\nEach plan of 3 teams (client-a, client-b, client-c) deletes 1 webhook that nothing manages: hoo_foreign.\n",
  );
  expect(isLive()).toBe(true);
  expect(await typed("yes")).toContain("Approved the plans of 3 teams.");
  await expect.poll(isLive, PATIENT).toBe(false);
  await stop();
});
