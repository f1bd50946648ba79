import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { FaultAction } from "../../../../src/sandbox/faults.ts";
import { type Project, type Ran, needsTerminal, runOnTerminal, until, useProjects } from "../project.ts";
import { NO_CHANGES, NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const Q3 = "data:\n  campaign:\n    q3: { name: Q3 launch }\n";
const ADA = 'outreach_lead_unsubscription.gdpr["ada@example.com"]';

function leads(
  emails: readonly string[],
  { block = "gdpr", rest = "", campaign = "campaign_id: cam_000001" } = {},
): string {
  return `version: 1\n${rest}lead_unsubscriptions:\n  ${block}:\n    ${campaign}\n    emails: [${emails.join(", ")}]\n`;
}

const writesOf = ({ sent }: Pick<Ran, "sent">): readonly string[] => sent.filter((line) => !line.startsWith("GET"));
const ADA_SENT = "DELETE /campaigns/cam_000001/leads/ada%40example.com";
/** An apply looks each campaign up before it sends an unsubscription. */
const CHECKED = "GET /campaigns/cam_000001/schedules/ 200";
const records = (project: Project) =>
  (JSON.parse(project.read("outreach.state.json")) as { readonly instances: readonly object[] }).instances;
const outcomes = (project: Project): readonly unknown[] =>
  (
    JSON.parse(project.read("outreach.state.json")) as { instances: readonly { attributes: { outcome: unknown } }[] }
  ).instances.map(({ attributes }) => attributes.outcome);

describe("a lead is unsubscribed once", () => {
  test("wherever the configuration has it, and however its address is written", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com", "charles@example.com"]));
    const first = await project.run("apply --auto-approve");
    expect(first).toMatchObject({ code: 0, err: NO_STATE_YET });
    expect(first.out).toContain("Apply complete! Resources: 2 added, 0 changed, 0 destroyed.");
    expect(writesOf(first).toSorted()).toEqual([
      `${ADA_SENT} 200`,
      "DELETE /campaigns/cam_000001/leads/charles%40example.com 200",
    ]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES, sent: [] });

    project.write("outreach.yaml", leads(["Ada@Example.com", "charles@example.com"], { block: "renamed" }));
    const moved = await project.run("plan --detailed-exitcode --show-emails");
    expect(moved).toMatchObject({ code: 2, sent: [] });
    expect(moved.out).toContain(
      'outreach_lead_unsubscription.gdpr["charles@example.com"] has moved to outreach_lead_unsubscription.renamed["charles@example.com"]',
    );
    expect(moved.out).toContain(`${ADA} has moved to`);
    expect(moved.out).toContain("Plan: 0 to add, 0 to change, 0 to destroy.");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [] });

    const split = `${leads(["ada@example.com"], { block: "one" })}  two:\n    campaigns: [q3]\n    emails: [CHARLES@example.com]\n`;
    project.write("outreach.yaml", split.replace("version: 1\n", `version: 1\n${Q3}`));
    const apart = await project.run("apply --auto-approve");
    expect([apart.code, writesOf(apart)]).toEqual([0, []]);
    expect((await project.run("state list --show-emails")).out.split("\n").slice(0, 2)).toEqual([
      'outreach_lead_unsubscription.one["ada@example.com"]',
      'outreach_lead_unsubscription.two["cam_000001/charles@example.com"]',
    ]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  });

  test("in each campaign", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    await project.run("apply --auto-approve");
    project.write(
      "outreach.yaml",
      `${leads(["ada@example.com"])}  other: { campaign_id: cam_000002, emails: [ada@example.com] }\n`,
    );
    const { sent } = await project.run("apply --auto-approve");
    expect(sent).toEqual([
      CHECKED.replace("cam_000001", "cam_000002"),
      "DELETE /campaigns/cam_000002/leads/ada%40example.com 200",
    ]);
  });

  test("after the webhooks, so that they tell of it", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `${leads(["ada@example.com"])}webhooks:\n  all: { target_url: 'https://all.example.com' }\n`,
    );
    const { sent } = await project.run("apply --auto-approve");
    expect(sent).toEqual(["GET /hooks 200", CHECKED, "POST /hooks 200", `${ADA_SENT} 200`, "GET /hooks 200"]);
  });

  test("and stays known when it is no longer declared, or everything is destroyed: declared again, nothing is sent", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com", "charles@example.com"]));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", leads(["charles@example.com"]));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 0,
      out: NO_CHANGES,
      err: "",
      sent: [],
    });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: "", sent: [] });
    expect(records(project)).toMatchObject([
      { undeclared: true },
      { address: expect.stringContaining("charles") as string },
    ]);
    expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0, sent: [] });
    expect(records(project)).toHaveLength(2);
    project.write("outreach.yaml", leads(["ada@example.com", "charles@example.com"]));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES, sent: [] });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [] });
    expect(records(project).some((record) => "undeclared" in record)).toBe(false);
    expect((await project.run(`state rm '${ADA}'`)).code).toBe(0);
    expect((await project.run("plan")).out).toContain("Plan: 1 to add");
  });
});

describe("a lead that the campaign does not have", () => {
  const declared = (settings: string): string => `${leads(["nobody@example.com"])}    ${settings}\n`;
  const add = (project: Project): unknown =>
    project.sandbox.add("leads", { campaignId: "cam_000001", email: "nobody@example.com" });
  const SENT = "DELETE /campaigns/cam_000001/leads/nobody%40example.com";

  test("waits without a failing run, and is looked for again once its time has passed", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["nobody@example.com"]));
    const first = await project.run("apply --auto-approve");
    expect([first.code, outcomes(project)]).toEqual([0, ["not_found"]]);
    expect(first.err.replace(NO_STATE_YET, "")).toMatch(
      /^Note: Watched leads were not found yet \[unsubscriptions_waiting\]\n\n1 watched unsubscription of this run waits until the campaign has the lead\./,
    );
    add(project);
    // Not before a day has passed.
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan).toMatchObject({ code: 0, out: NO_CHANGES, sent: [] });
    expect(plan.err).toMatch(
      /1 watched unsubscription waits until the campaign has the lead\. The next one is due at 20\d\d-.* UTC\. A full round is 1 request\.\n/,
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [] });
    project.write("outreach.yaml", declared("recheck: 0s"));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [`${SENT} 200`] });
    expect(outcomes(project)).toEqual(["unsubscribed"]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES, err: "" });
  });

  test("is looked for by each apply with recheck: 0s, which is no change and needs no approval", async () => {
    const project = await openProject();
    project.write("outreach.yaml", declared("recheck: 0s"));
    await project.run("apply --auto-approve");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES, sent: [] });
    const again = await project.run("apply --auto-approve");
    expect(again).toMatchObject({ code: 0, sent: [`${SENT} 404`] });
    expect(again.err).toContain("Of 1 watched unsubscription, 0 are done now; 1 still waits.\n");
    const [{ recordedAtMs, sentAtMs } = {}] = records(project) as readonly {
      recordedAtMs?: number;
      sentAtMs?: number;
    }[];
    expect(sentAtMs).toBeGreaterThan(recordedAtMs ?? Number.NaN);
  });

  test("of a saved plan is looked for without making the plan stale", async () => {
    const project = await openProject();
    project.write("outreach.yaml", declared("recheck: 0s"));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", `${leads(["nobody@example.com", "ada@example.com"])}    recheck: 0s\n`);
    expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
    for (let turn = 0; turn < 2; turn++)
      expect(await project.run("recheck")).toMatchObject({ code: 0, sent: [`${SENT} 404`] });
    const applied = await project.run("apply saved.plan");
    expect([applied.code, writesOf(applied)]).toEqual([0, [`${ADA_SENT} 200`]]);
  });

  test("is no stale plan's excuse: any other write of the state in between makes it stale, also after a recheck", async () => {
    const project = await openProject();
    project.write("outreach.yaml", declared("recheck: 0s"));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", leads(["nobody@example.com", "ada@example.com", "charles@example.com"]));
    await project.run("plan --out saved.plan");
    await project.run("recheck");
    await project.run(`apply --auto-approve --target '${ADA}'`);
    await project.run("recheck --all");
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("Saved plan is stale") as string,
    });
  });

  test("is looked for by recheck, which does nothing else", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["nobody@example.com"]));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", leads(["nobody@example.com", "ada@example.com"]));
    const notDue = await project.run("recheck");
    expect(notDue).toMatchObject({ code: 0, sent: [], out: "Recheck complete: 0 sent, 0 unsubscribed.\n" });
    expect(notDue.err).toContain("The next one is due at");
    add(project);
    expect(await project.run("recheck --all --max-duration 10m")).toMatchObject({
      code: 0,
      sent: [`${SENT} 200`],
      out: "Recheck complete: 1 sent, 1 unsubscribed.\n",
    });
    expect(JSON.parse((await project.run("recheck --json")).out)).toEqual({ sent: 0, done: 0 });
    expect((await project.run("plan")).out).toContain("Plan: 1 to add");
  });

  test("is looked for although --max-duration is longer than a timer can wait", async () => {
    const project = await openProject({ realProcess: "the limits of Node's timers" });
    project.write("outreach.yaml", leads(["nobody@example.com"]));
    await project.run("apply --auto-approve");
    expect(await project.run("recheck --all --max-duration 60d")).toMatchObject({ code: 0, sent: [`${SENT} 404`] });
  });

  test("is looked for as often as limits.recheck says, the oldest first", async () => {
    const project = await openProject();
    const emails = ["a@example.net", "b@example.net", "c@example.net"];
    project.write("outreach.yaml", `${leads(emails, { rest: "limits: { recheck: 2 }\n" })}    recheck: 0s\n`);
    await project.run("apply --auto-approve");
    const rounds = [
      await project.run("recheck"),
      await project.run("recheck"),
      await project.run("apply --auto-approve"),
    ];
    const [first = [], second = [], third = []] = rounds.map(({ sent }) =>
      sent.map((line) => /leads\/(.)/.exec(line)?.[1] ?? ""),
    );
    expect(rounds.map(({ code, sent }) => [code, sent.length])).toEqual([
      [0, 2],
      [0, 2],
      [0, 2],
    ]);
    // The one that a round leaves out is the oldest of the next.
    const left = (round: readonly string[]): readonly string[] =>
      ["a", "b", "c"].filter((name) => !round.includes(name));
    expect([second, third]).toEqual([
      expect.arrayContaining([...left(first)]),
      expect.arrayContaining([...left(second)]),
    ]);
  });

  test("waits too when its outcome is lost, which fails nothing", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", operation: "unsubscribeLead", times: null });
    const lost = await project.run("apply --auto-approve");
    expect(lost).toMatchObject({
      code: 0,
      err: expect.stringContaining("Warning: The outcome of a write is unconfirmed") as string,
    });
    expect(outcomes(project)).toEqual(["unconfirmed"]);
    project.sandbox.clearFaults();
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [`${ADA_SENT} 200`] });
    expect(outcomes(project)).toEqual(["unsubscribed"]);
  });

  test("is not asked for by a service that does not answer: the recheck ends with the first silence", async () => {
    const project = await openProject();
    const emails = Array.from({ length: 30 }, (_, index) => `lead${String(index)}@example.net`);
    project.write("outreach.yaml", `${leads(emails)}    recheck: 0s\n`);
    await project.run("apply --auto-approve");
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", operation: "unsubscribeLead", times: null });
    const { code, err, sent } = await project.run("recheck");
    expect([code, sent.length < 20]).toEqual([0, true]);
    expect(err).toContain("Warning: The outcome of a write is unconfirmed");
  });

  test("whose recheck is refused rests, and is a warning", async () => {
    const project = await openProject();
    project.write("outreach.yaml", declared("recheck: 0s"));
    await project.run("apply --auto-approve");
    project.sandbox.addFault({
      action: { kind: "answer", status: 422, body: "No such thing" },
      operation: "unsubscribeLead",
      times: null,
    });
    const refused = await project.run("recheck");
    expect(refused).toMatchObject({
      code: 0,
      err: expect.stringContaining("No such thing") as string,
      sent: [`${SENT} 422`],
    });
    expect(refused.err).toMatch(/^Warning: /);
    expect(outcomes(project)).toEqual(["not_found"]);
    const [{ sentAtMs } = {}] = records(project) as readonly { sentAtMs?: number }[];
    expect(sentAtMs).toBeTypeOf("number");
  });

  test("with on_not_found: error it is planned until it is found", async () => {
    const project = await openProject();
    project.write("outreach.yaml", declared("on_not_found: error"));
    const failed = await project.run("apply --auto-approve");
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("Error: No such lead in the campaign");
    expect(failed.out).toContain("Apply incomplete. Resources: 0 added, 0 changed, 0 destroyed.");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 2,
      out: expect.stringContaining("Plan: 1 to add") as string,
    });
    add(project);
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      sent: [CHECKED, expect.stringMatching(/ 200$/)],
    });
    expect(outcomes(project)).toEqual(["unsubscribed"]);
  });

  test("with on_not_found: accept it is recorded as done, with one line for all", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads([]).replace("emails: []", "emails_from: list.txt\n    on_not_found: accept"));
    project.write("list.txt", Array.from({ length: 40 }, (_, index) => `lead${String(index)}@example.com\n`).join(""));
    const { code, out, err } = await project.run("apply --auto-approve");
    expect(code).toBe(0);
    expect(err).toBe(
      `${NO_STATE_YET}Note: No such leads in the campaigns [unsubscriptions_accepted]\n\n40 unsubscriptions of leads that do not exist are recorded as done, as on_not_found: accept says.\n\n`,
    );
    expect(out).toContain("outreach_lead_unsubscription.gdpr: … and 35 more will be created");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "", sent: [] });
    project.write("list.txt", Array.from({ length: 52 }, (_, index) => `lead${String(index)}@example.com\n`).join(""));
    const lines = (await project.run("apply --auto-approve --json")).out.trim().split("\n");
    expect(lines.filter((line) => line.includes("No such leads"))).toEqual([
      expect.stringContaining("12 unsubscriptions"),
    ]);
  });

  test("a change of on_not_found alone is a change without a request", async () => {
    const project = await openProject();
    project.write("outreach.yaml", declared("on_not_found: accept"));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", declared("on_not_found: error"));
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan).toMatchObject({ code: 2, sent: [] });
    expect(plan.out).toContain('~ on_not_found = "accept" -> "error"');
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [] });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test.each([
    ["on_not_found: warn", "Use watch, which looks for the lead again, or accept, which records it as done."],
    ["on_not_found: ignore", "Use accept, which records it as done, or watch, which looks for the lead again."],
    ["on_not_found: retry", "Use watch, which looks for the lead again without failing."],
    ["on_not_found: wach", "Did you mean watch?"],
    ["recheck: daily", 'recheck is "daily", which is not a duration of at most ten years.'],
    ["reassert: 0s", 'reassert is "0s", which is not a duration'],
  ])("%s is refused, with what to write", async (setting, words) => {
    const project = await openProject();
    project.write("outreach.yaml", declared(setting));
    const { code, err, sent } = await project.run("validate");
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(err).toContain("on outreach.yaml:6:");
    expect(err).toContain(words);
  });
});

describe("a done unsubscription", () => {
  test("is sent again once reassert has passed, as a change that the plan shows", async () => {
    const project = await openProject();
    project.write("outreach.yaml", `${leads(["ada@example.com"])}    reassert: 90d\n`);
    await project.run("apply --auto-approve");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    project.write("outreach.yaml", `${leads(["ada@example.com"])}    reassert: 1ms\n`);
    const plan = await project.run("plan --detailed-exitcode --out saved.plan");
    expect(plan.code).toBe(2);
    expect(plan.out).toContain("(done before, and sent again: reassert has passed)");
    expect(await project.run("apply saved.plan")).toMatchObject({ code: 0, sent: [`${ADA_SENT} 200`] });
    const [{ recordedAtMs, sentAtMs, doneAtMs } = {}] = records(project) as readonly {
      recordedAtMs?: number;
      sentAtMs?: number;
      doneAtMs?: number;
    }[];
    expect([doneAtMs, (sentAtMs ?? 0) > (recordedAtMs ?? 0)]).toEqual([recordedAtMs, true]);
  });
});

describe("an unsubscription that was never confirmed, and that nobody watches", () => {
  /** Sent, its answer lost each time. */
  async function lost(): Promise<Project> {
    const project = await openProject();
    project.write("outreach.yaml", `${leads(["ada@example.com"])}    on_not_found: accept\n`);
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", operation: "unsubscribeLead", times: null });
    const run = await project.run("apply --auto-approve");
    expect(run).toMatchObject({ code: 3, sent: [CHECKED, `${ADA_SENT} null`, `${ADA_SENT} null`, `${ADA_SENT} null`] });
    expect(run.err).toContain("Error: The outcome of a write is unconfirmed");
    expect(run.err).toMatch(/outreach resolve '.*a\*\*\*@example\.com#[0-9a-f]{8}.*' --retry/);
    project.sandbox.clearFaults();
    return project;
  }

  test("is shown by the next plan, and not sent by --auto-approve", async () => {
    const project = await lost();
    expect(outcomes(project)).toEqual(["unconfirmed"]);
    const plan = await project.run("plan --detailed-exitcode --show-emails");
    expect(plan).toMatchObject({ code: 2, sent: [] });
    expect(plan.out).toContain(
      `  # ${ADA} will be created\n  # (an earlier attempt was never confirmed: sent again)\n  + ${ADA}\n`,
    );
    for (let turn = 0; turn < 2; turn++) {
      const applied = await project.run("apply --auto-approve");
      expect(applied).toMatchObject({ code: 3, sent: [] });
      expect(applied.err).toContain("nobody has approved sending it again");
    }
  });

  const answered = (status: number, body: string): FaultAction => ({ kind: "answer", status, body });
  test.each<readonly [string, FaultAction]>([
    ["Lead not found", answered(404, "Lead not found")],
    ["Bad team", answered(400, "Bad team")],
    ["No such thing", answered(422, "No such thing")],
  ])("is what a lost answer leaves, although the retry was answered %s", async (words, retry) => {
    for (const setting of ["accept", "error"]) {
      const project = await openProject();
      project.write(
        "outreach.yaml",
        `${leads(["ada@example.com"])}    on_not_found: ${setting}
`,
      );
      project.sandbox.addFault({ action: { kind: "drop" }, when: "after", operation: "unsubscribeLead" });
      project.sandbox.addFault({ action: retry, operation: "unsubscribeLead", skip: 1, times: null });
      const { code, err } = await project.run("apply --auto-approve");
      expect([setting, code, outcomes(project)]).toEqual([setting, 3, ["unconfirmed"]]);
      expect(err).toContain("Error: The outcome of a write is unconfirmed");
      expect(err).toContain(words);
    }
  });

  test("is sent if somebody approved just that, or resolved without a request", async () => {
    const project = await lost();
    const unconfirmed = project.read("outreach.state.json");
    const afresh = (): void => project.write("outreach.state.json", unconfirmed);

    await project.run("plan --out saved.plan");
    expect(await project.run("apply saved.plan")).toMatchObject({ code: 0, err: "", sent: [`${ADA_SENT} 200`] });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });

    afresh();
    const [masked = ""] = (await project.run("state list")).out.split("\n");
    expect(await project.run(`resolve '${masked}' --retry`)).toMatchObject({ code: 0, sent: [`${ADA_SENT} 200`] });

    afresh();
    expect(await project.run(`resolve '${ADA}' --forget`)).toMatchObject({ code: 0, sent: [] });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [] });

    afresh();
    expect(await project.run("apply --auto-approve --assume-unsubscribed")).toMatchObject({ code: 0, sent: [] });
    expect(outcomes(project)).toEqual(["unsubscribed"]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("is sent after a typed yes, and after nothing else", async (context) => {
    needsTerminal(context);
    const project = await lost();
    const before = project.sandbox.requests().length;
    const no = await runOnTerminal(project, "apply", "no");
    expect([no.code, project.sandbox.requests().length]).toEqual([1, before]);
    expect(no.out).toContain("Apply cancelled. Nothing was changed.");
    const yes = await runOnTerminal(project, "apply", "yes");
    expect([yes.code, project.sandbox.requests().slice(before)]).toMatchObject([
      0,
      [{ method: "DELETE", status: 200 }],
    ]);
    expect(outcomes(project)).toEqual(["unsubscribed"]);
  });

  test("is not sent a second time by the saved plan that has approved the first", async () => {
    const project = await lost();
    await project.run("plan --out saved.plan");
    const before = project.sandbox.requests().length;
    project.sandbox.addFault({
      action: { kind: "late", delayMs: 60_000 },
      when: "after",
      operation: "unsubscribeLead",
    });
    const { child, ended } = project.start("apply saved.plan");
    await until(() => project.sandbox.requests().length > before, "it arrives");
    child.kill("SIGKILL");
    await ended;
    project.sandbox.clearFaults();
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("Saved plan is stale") as string,
    });
  });

  test.each([
    ["accept", "is found in the journal, and not sent again silently", { code: 3, sent: [] }],
    ["watch", "is sent again by the next apply where it is watched", { code: 0, sent: [`${ADA_SENT} 200`] }],
  ])("after a crash with on_not_found: %s %s", async (setting, _, expected) => {
    const project = await openProject();
    project.write("outreach.yaml", `${leads(["ada@example.com"])}    on_not_found: ${setting}\n`);
    project.sandbox.addFault({
      action: { kind: "late", delayMs: 60_000 },
      when: "after",
      operation: "unsubscribeLead",
    });
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => project.sandbox.requests().length === 2, "it arrives");
    child.kill("SIGKILL");
    await ended;
    project.sandbox.clearFaults();
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan).toMatchObject({ code: 2, sent: [] });
    if (setting === "accept") expect(plan.out).toContain("was never confirmed");
    expect(await project.run("apply --auto-approve")).toMatchObject(expected);
  });
});

describe("after the state was lost", () => {
  test("--assume-unsubscribed records declared unsubscriptions without sending them", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com", "charles@example.com"]));
    const { code, out, sent } = await project.run("apply --auto-approve --assume-unsubscribed --show-emails");
    expect([code, sent]).toEqual([0, []]);
    expect(out).toContain(`  # ${ADA} will be imported\n  # (recorded as done: nothing is sent)\n`);
    expect(out).toContain("Plan: 2 to import, 0 to add, 0 to change, 0 to destroy.\n");
    expect(out).toContain("Apply complete! Resources: 2 imported, 0 added, 0 changed, 0 destroyed.\n");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  });

  test("a plan warns of it where the backup is left, and the backup can be gone on from", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", leads(["ada@example.com", "nobody@example.com"]));
    await project.run("apply --auto-approve");
    rmSync(path.join(project.folder, "outreach.state.json"));
    const { code, out, err } = await project.run("plan");
    expect([code, err.match(/^(Error|Warning): .*/gm)]).toEqual([
      0,
      ["Warning: The state is missing, but a backup exists [state_lost]"],
    ]);
    expect(out).toContain("Plan: 2 to add");
    expect(err).toContain("Restore the previous version: outreach state push outreach.state.json.backup\n");
    expect((await project.run("state push outreach.state.json.backup")).code).toBe(0);
    expect(await project.run("plan")).toMatchObject({
      err: "",
      out: expect.stringContaining("Plan: 1 to add") as string,
    });
  });

  test("import takes CAMPAIGN_ID/EMAIL, and sends nothing", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    const imported = await project.run(`import '${ADA}' cam_000001/Ada@example.com`);
    expect(imported).toMatchObject({ code: 0, err: "", sent: [] });
    expect(imported.out).toContain(
      "Import successful! The lead unsubscription is now managed by this configuration.\n",
    );
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    const again = await project.run(`import '${ADA}' cam_000001/ada@example.com`);
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/is already managed\.\n/) as string });
    project.write("outreach.yaml", leads(["ada@example.com"], { block: "renamed" }));
    const elsewhere = await project.run(
      `import '${ADA.replace("gdpr", "renamed")}' cam_000001/ada@example.com --show-emails`,
    );
    expect(elsewhere).toMatchObject({
      code: 1,
      err: expect.stringContaining(`is already managed, as ${ADA}.`) as string,
    });
  });

  test("import records an unsubscription that two blocks declare at the address that was named", async () => {
    const project = await openProject();
    const other = leads(["ada@example.com"], { block: "renamed" }).split("lead_unsubscriptions:\n")[1] ?? "";
    project.write("outreach.yaml", `${leads(["ada@example.com"])}${other}`);
    const renamed = ADA.replace("gdpr", "renamed");
    expect(await project.run(`import '${renamed}' cam_000001/ada@example.com`)).toMatchObject({ code: 0, sent: [] });
    expect((await project.run("state list --show-emails")).out).toBe(`${renamed}\n`);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  });

  test.each([
    ["of another campaign", ADA, "cam_000002/ada@example.com", "declares cam_000001/a***@example.com#"],
    ["without a campaign", ADA, "ada@example.com", "declares cam_000001/a***@example.com#"],
    ["with a way up", ADA, "cam_000001/../ada@example.com", "declares cam_000001/a***@example.com#"],
    [
      "that is not declared",
      ADA.replace("ada", "bob"),
      "cam_000001/bob@example.com",
      'is declared, but has no instance outreach_lead_unsubscription.gdpr["b***@example.com#',
    ],
  ])("an import %s is refused, without the address of anybody", async (_name, address, id, words) => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    const { code, out, err, sent } = await project.run(`import '${address}' ${id}`);
    expect({ code, out, sent }).toEqual({ code: 1, out: "", sent: [] });
    expect(err).toContain(words);
    expect(err).not.toMatch(/ada@|bob@/);
  });
});

describe("guards", () => {
  test("a plan that was saved in CI with --allow-local-state is applied without it, and apply refuses the option", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    expect(await project.run("plan --allow-local-state --out saved.plan", { CI: "true" })).toMatchObject({ code: 0 });
    expect(await project.run("apply --allow-local-state saved.plan", { CI: "true" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("Pass them to npx outreach-as-code plan --out") as string,
    });
    const applied = await project.run("apply saved.plan", { CI: "true" });
    expect([applied.code, writesOf(applied)]).toEqual([0, [`${ADA_SENT} 200`]]);
  });

  test.each([
    [{ CI: "1" }, 1],
    [{ TF_BUILD: "True" }, 1],
    [{ TEAMCITY_VERSION: "2026.1" }, 1],
    [{ CODEBUILD_BUILD_ID: "b:1" }, 1],
    [{ JENKINS_URL: "https://ci.example.com/" }, 1],
    [{ CI: "false" }, 0],
    [{ CI: "0" }, 0],
  ])("%j: a plan without a state ends with %i", async (variables, code) => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    expect(await project.run("plan", variables)).toMatchObject({ code });
  });

  test("in CI without a state nothing is sent, unless the state is said to survive", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    for (const command of ["plan", "apply --auto-approve"]) {
      const ran = await project.run(command, { CI: "true" });
      const { code, err } = ran;
      expect([code, writesOf(ran)]).toEqual([1, []]);
      expect(err).toContain("Error: Unsubscriptions in CI without a state [local_state_in_ci]\n");
      expect(err).toContain("--allow-local-state");
    }
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
    expect(await project.run("plan --no-secrets", { CI: "" })).toMatchObject({ code: 0 });
    expect(await project.run("apply --auto-approve --allow-local-state", { CI: "true" })).toMatchObject({
      code: 0,
      sent: [CHECKED, `${ADA_SENT} 200`],
    });
    project.write("outreach.yaml", leads(["ada@example.com", "charles@example.com"]));
    expect(await project.run("apply --auto-approve", { CI: "true" })).toMatchObject({
      code: 0,
      sent: [CHECKED, expect.stringContaining("charles") as string],
    });
  });

  const many = (count: number): string =>
    Array.from({ length: count }, (_, index) => `lead${String(index)}@example.com\n`).join("");
  const fromFile = (limits = ""): string => leads([], { rest: limits }).replace("emails: []", "emails_from: list.txt");

  test("more than a hundred are not sent by --auto-approve alone", async () => {
    const project = await openProject();
    project.write("outreach.yaml", fromFile());
    project.write("list.txt", many(101));
    const refused = await project.run("apply --auto-approve");
    const { code, err } = refused;
    expect([code, writesOf(refused)]).toEqual([1, []]);
    expect(err).toContain(
      "The plan sends 101 lead unsubscriptions about 101 people who were on no list before, which no documented request undoes; the limit without a typed approval is 100 people.\n",
    );
    expect(err).toContain("Approve it with a typed yes: outreach apply\n");
    expect(err).toMatch(/--allow-unsubscribes.*limits\.unsubscribe/);
  });

  test("the limit is the configuration's; it holds for a saved plan too, and --allow-unsubscribes lifts it", async () => {
    const project = await openProject();
    project.write("outreach.yaml", fromFile("limits: { unsubscribe: 2 }\n"));
    project.write("list.txt", many(3));
    for (const command of ["apply --auto-approve", "plan --out saved.plan"]) {
      const refused = await project.run(command);
      expect([refused.code, writesOf(refused)]).toEqual([1, []]);
      expect(refused.err).toContain("the limit without a typed approval is 2 people.");
    }
    expect(Object.keys(project.files())).not.toContain("saved.plan");
    expect(await project.run("plan --out saved.plan --allow-unsubscribes")).toMatchObject({
      code: 0,
      err: NO_STATE_YET,
    });
    expect((await project.run("apply saved.plan")).sent).toHaveLength(3);
    project.write("list.txt", many(5));
    expect(writesOf(await project.run("apply --auto-approve"))).toHaveLength(2);
    project.write("list.txt", many(8));
    expect(writesOf(await project.run("apply --auto-approve --allow-unsubscribes"))).toHaveLength(3);
  });

  test("a plan that would be refused without a typed approval says so, and is shown", async () => {
    const project = await openProject();
    project.write("outreach.yaml", fromFile("limits: { unsubscribe: 2 }\n"));
    project.write("list.txt", many(3));
    for (const command of ["plan", "plan --no-secrets --out only-shown.plan"]) {
      const ran = await project.run(command);
      const { code, out, err } = ran;
      expect([code, writesOf(ran)]).toEqual([0, []]);
      expect(out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.\n");
      expect(err).toContain(
        "Warning: More lead unsubscriptions than allowed without a typed approval [limit_irreversible]\n",
      );
      expect(err).toContain("If it were saved, or applied without a question, this plan would be refused.\n");
      expect(err).toMatch(/--allow-unsubscribes.*limits\.unsubscribe/);
    }
    expect(await project.run("plan --allow-unsubscribes")).toMatchObject({ code: 0, err: NO_STATE_YET });
  });

  test("a campaign's name that now finds another one stops, until that is allowed", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"], { rest: Q3, campaign: "campaign: q3" }));
    await project.run("apply --auto-approve");
    project.sandbox.change("campaigns", "cam_000001", { name: "Q3 launch (old)" });
    project.sandbox.change("campaigns", "cam_000002", { name: "Q3 launch" });
    for (const command of ["plan", "apply --auto-approve"]) {
      const stopped = await project.run(command);
      expect([stopped.code, writesOf(stopped)]).toEqual([1, []]);
      expect(stopped.err).toContain(
        "Error: A name now finds another campaign [lookup_changed]\n\n  on outreach.yaml:7:15, in outreach_lead_unsubscription.gdpr",
      );
      expect(stopped.err).toContain(
        'data.outreach_campaign.q3 (name "Q3 launch") found "cam_000001" before and now finds "cam_000002".',
      );
      expect(stopped.err).toContain("--allow-campaign-change");
    }
    const allowed = await project.run("apply --auto-approve --allow-campaign-change");
    expect([allowed.code, writesOf(allowed)]).toEqual([
      0,
      ["DELETE /campaigns/cam_000002/leads/ada%40example.com 200"],
    ]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });
});

describe("addresses on the command line", () => {
  test("--target takes the masked form that was printed before", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", leads(["ada@example.com", "charles@example.com", "linus@example.org"]));
    const plan = (await project.run("plan")).out;
    const [, charles = ""] = /# (outreach_lead_unsubscription\.gdpr\["c\*\*\*[^ ]*) will be created/.exec(plan) ?? [];
    const { code, sent, err } = await project.run(`apply --auto-approve --target '${charles}'`);
    expect([code, sent]).toEqual([0, [CHECKED, "DELETE /campaigns/cam_000001/leads/charles%40example.com 200"]]);
    expect(err).toContain("Warning: Resource targeting is in effect");
  });

  test("--exclude takes the masked form", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com", "charles@example.com"]));
    // The first apply creates the salt of the masks.
    await project.run("apply --auto-approve --exclude outreach_lead_unsubscription.gdpr");
    const [, masked = ""] =
      /# (outreach_lead_unsubscription\.gdpr\["c\*\*\*[^ ]*) will/.exec((await project.run("plan")).out) ?? [];
    expect(masked).not.toBe("");
    const excluded = (await project.run(`plan --exclude '${masked}'`)).out;
    expect(excluded).toContain("Plan: 1 to add");
    expect(excluded).not.toContain(masked);
    const { sent } = await project.run(`apply --auto-approve --exclude '${masked}'`);
    expect(sent.filter((line) => line.startsWith("DELETE"))).toEqual([
      "DELETE /campaigns/cam_000001/leads/ada%40example.com 200",
    ]);
  });

  test("what is typed is masked in messages, even where nobody declares it", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads(["ada@example.com"]));
    await project.run("apply --auto-approve");
    const unknown = ADA.replace("ada", "zoe");
    for (const command of [
      `plan --target '${unknown}'`,
      `plan '--target=${unknown}'`,
      `state show '${unknown}'`,
      `state rm '${unknown}'`,
      `resolve '${unknown}' --retry`,
      "resolve zoe@example.com --forget",
      "import zoe@example.com cam_000001/zoe@example.com",
      "plan --target zoe@example.com",
    ]) {
      const { code, out, err } = await project.run(command);
      expect(code, command).toBe(1);
      expect(`${out}${err}`, command).not.toContain("zoe@");
      expect(err, command).toContain("z***@example.com#");
    }
  });
});

const seedOf = (...emails: readonly string[]) => ({
  campaigns: [{ _id: "cam_000001", name: "Q3 launch" }],
  leads: emails.map((email) => ({ campaignId: "cam_000001", email })),
});

describe("an address that is written otherwise", () => {
  const FORMS = [
    ["case", "ada@example.com", "Ada@Example.COM"],
    ["a host in punycode", "ada@münchen.example", "ada@xn--mnchen-3ya.example"],
    ["composed characters", "ada@m\u00fcnchen.example", "ada@mu\u0308nchen.example"],
  ] as const;

  test.each(FORMS)("is no change where it is done, and makes no saved plan stale: %s", async (_, one, other) => {
    const project = await openProject({ seed: seedOf(one) });
    project.write("outreach.yaml", leads([one]));
    expect(writesOf(await project.run("apply --auto-approve"))).toHaveLength(1);
    project.write("outreach.yaml", leads([other, one]));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES, sent: [] });
    project.write("outreach.yaml", leads([one, "charles@example.com"]));
    expect(await project.run("plan --out more.plan")).toMatchObject({ code: 0, err: "" });
    project.write("outreach.yaml", leads([other, "charles@example.com"]));
    const applied = await project.run("apply more.plan");
    expect([applied.code, writesOf(applied)]).toEqual([0, [expect.stringContaining("/leads/charles%40example.com")]]);
  });

  test.each(FORMS)("is sent again in the new form if it was not found: %s", async (_, one, other) => {
    const project = await openProject({ seed: seedOf("charles@example.com") });
    project.write("outreach.yaml", leads([one]));
    await project.run("apply --auto-approve");
    expect(outcomes(project)).toEqual(["not_found"]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    project.write("outreach.yaml", leads([other]));
    expect((await project.run("plan --detailed-exitcode")).out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
    expect(writesOf(await project.run("apply --auto-approve"))).toEqual([
      expect.stringContaining(encodeURIComponent(other)),
    ]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  });

  test("is hidden in each form where emails are hidden", async () => {
    const project = await openProject({ seed: seedOf("ada@münchen.example") });
    project.write("outreach.yaml", leads(["ada@münchen.example"]));
    const { out, err } = await project.run("apply --auto-approve");
    expect(out).toContain("1 added");
    expect(out + err + (await project.run("state list")).out).not.toMatch(/ada@/);
  });
});

test.each([
  ["in YAML", (project: Project, text: string) => project.write("outreach.yaml", leads([JSON.stringify(text)]))],
  ["in a list", (project: Project, text: string) => listOf(project, text)],
])("what is no address is refused with what it contains, before anything is sent: %s", async (_, write) => {
  const project = await openProject();
  for (const text of [
    "<ada@example.com>",
    "mailto:ada@example.com",
    '["ada@example.com"]',
    "ada@example.com.",
    "ada@example..com",
  ]) {
    write(project, text);
    const { code, err, sent } = await project.run("validate --show-emails");
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(err).toContain("Error: Invalid email address");
    expect(err).toContain("Did you mean ada@example.com?");
    expect((await project.run("validate")).err).not.toContain("ada@example.com");
  }
});

function listOf(project: Project, text: string): void {
  project.write(
    "outreach.yaml",
    "version: 1\nlead_unsubscriptions: { gdpr: { campaign_id: cam_000001, emails_from: a.csv } }\n",
  );
  project.write("a.csv", `email\n"${text.replaceAll('"', '""')}"\n`);
}
