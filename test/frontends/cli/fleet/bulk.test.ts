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
    readonly group: string | null;
  }[];
  readonly groups: readonly { readonly key: string; readonly teams: number; readonly counts: object }[];
}

async function ask({ project, url }: Fleet, words: string): Promise<string> {
  const { code, out, err } = await project.run(`controller ${words} --database ${url}`);
  return `${String(code)} ${out}${err}`;
}

async function statusOf(fleet: Fleet): Promise<Status> {
  return JSON.parse((await ask(fleet, "status --json")).slice(2)) as Status;
}

/** A fleet of four teams with a controller that applies nothing by itself. */
async function openTeams(): Promise<{ readonly fleet: Fleet; readonly stop: () => Promise<unknown>; readonly change: (webhooks: string) => void }> {
  const fleet = await openFleet();
  const teams = TEAMS.map((name) => `  ${name}: { api_key: { env: KEY_EMEA } }\n`).join("");
  const change = (hooks: string): void =>
    fleet.project.write("outreach.yaml", `version: 1\nteams:\n${teams}state: { backend: pg, schema: states, name: 'of-\${team.name}' }\nwebhooks:\n${hooks}`);
  change(CRM);
  const controller = fleet.controller("--auto none --interval 10h");
  await expect.poll(() => ask(fleet, "status"), PATIENT).toContain("4 teams");
  await ask(fleet, "run --team * --auto-approve");
  await expect.poll(async () => (await statusOf(fleet)).teams.filter(({ plan }) => plan !== null).length, PATIENT).toBe(4);
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
  expect((await runOnTerminal(fleet.project, `controller approve --group ${key} --database ${fleet.url}`, "no")).out).toContain("Cancelled. Nothing was done.");
  expect((await statusOf(fleet)).teams.every(({ plan }) => plan !== null)).toBe(true);
  const typed = await runOnTerminal(fleet.project, `controller approve --group ${key} --team client-* --database ${fleet.url}`, "yes");
  expect(typed.out).toContain("Approved the plans of 3 teams. A controller applies these plans now, if they still fit.");
  await expect.poll(async () => (await statusOf(fleet)).teams.map(({ state }) => state), PATIENT).toEqual(["waiting", "applied", "applied", "applied"]);
  expect(
    fleet.project.sandbox
      .webhooks()
      .map(({ targetUrl }) => targetUrl)
      .toSorted(),
  ).toEqual(["a", "b", "c"].map((client) => `https://crm.example.com/client-${client}`));
  expect(await ask(fleet, "approve --only-creates --auto-approve")).toMatch(/^0 Approve the plans of 1 team:[^]*Approved the plans of 1 team\. /);
  await expect.poll(() => fleet.project.sandbox.webhooks().length, PATIENT).toBe(4);
  expect(await ask(fleet, `approve --group ${key} --auto-approve`)).toMatch(/^1 [^]*No teams wait or fail as the group/);
  change(CRM.replace("crm.example", "new.example"));
  await expect.poll(async () => (await statusOf(fleet)).teams.filter(({ plan }) => plan !== null).length, PATIENT).toBe(4);
  expect((await statusOf(fleet)).teams.some((team) => team.creates_only)).toBe(false);
  expect(await ask(fleet, "approve --only-creates --auto-approve")).toBe("0 No plan that waits matches the filters. Nothing was done.\n");
  await stop();
});

test("run, pause and resume take filters, and mistakes change nothing", async () => {
  const { fleet, stop } = await openTeams();
  expect(await ask(fleet, "pause --team client-* --auto-approve")).toBe(
    "0 Pause 3 teams: client-a, client-b, client-c. Runs in flight are finished.\nPaused 3 teams. To go on: outreach controller resume --team 'PATTERN'\n",
  );
  expect((await statusOf(fleet)).teams.map(({ state }) => state).toSorted()).toEqual(["paused", "paused", "paused", "waiting"]);
  expect(await ask(fleet, "resume --team * --auto-approve")).toMatch(
    /^0 Resume 3 teams: client-a, client-b, client-c\.\nResumed 3 teams\. A controller reconciles them now\./,
  );
  expect(await ask(fleet, "run --failed --auto-approve")).toBe("0 No team that can run matches the filters. Nothing was done.\n");
  for (const [words, message] of [
    ["run", "controller run is about one team, or about those that filters find."],
    ["run emea --failed", "--failed chooses among all teams, and emea names one."],
    ["run --team europe-* --auto-approve", 'The fleet has no team "europe-*". It has client-a, client-b, client-c, emea. Nothing was done.'],
    ["pause --group none --auto-approve", 'No teams wait or fail as the group "none" now.'],
    ["approve emea", 'An approval names the plan that you have read, and not only its team "emea".'],
    ["approve emea 1 --only-creates", "--only-creates chooses among all teams, and emea names one."],
    ["pause --team *", "With filters, the command asks for a typed yes"],
  ] as const)
    expect((await ask(fleet, words)).replaceAll(/\s+/g, " ")).toContain(message);
  await stop();
});
