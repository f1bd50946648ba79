import { describe, expect, test } from "vitest";
import { type Project, type Ran, useProjects } from "../project.ts";
import { NO_CHANGES } from "../no-changes.ts";

const openProject = useProjects();

const PEOPLE = [
  "ada@example.com",
  "mary@example.net",
  "john@example.org",
  "grace@example.net",
  "linus@example.org",
  "dennis@example.net",
];

/** A list of two lines: where its addresses come from, and further settings. */
function leads(from: string, more = ""): string {
  return `version: 1\nlead_unsubscriptions:\n  crm:\n    campaign_id: cam_000001\n    emails_from: ${from}\n${more}`;
}
const COMMAND = "{ command: [sh, export.sh] }";
const EXPORT = "echo run >> runs.log\ncat crm.csv\n";

interface Recorded {
  readonly address: string;
  readonly attributes: { readonly [name: string]: unknown };
  readonly details?: { readonly [name: string]: string };
}
const records = (project: Project) =>
  (JSON.parse(project.read("outreach.state.json")) as { readonly instances: readonly Recorded[] }).instances;
const detailsOf = (project: Project, email: string) =>
  records(project).find(({ attributes }) => attributes["email"] === email)?.details;
const deletes = ({ sent }: Ran): readonly string[] => sent.filter((line) => line.startsWith("DELETE"));
const runs = (project: Project): number => (project.files()["runs.log"] ?? "").split("\n").length - 1;

/** A project whose list a command prints. */
async function opened(list = `email\n${PEOPLE.join("\n")}\n`): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", leads(COMMAND));
  project.write("export.sh", EXPORT);
  project.write("crm.csv", list);
  return project;
}

async function applied(list?: string): Promise<Project> {
  const project = await opened(list);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.remove("runs.log");
  return project;
}

describe("a list from a command", () => {
  test("is what the command prints, and runs once a run, for all blocks that name it", async () => {
    const project = await opened();
    project.write("outreach.yaml", `${leads(COMMAND)}  other: { campaign_id: cam_000002, emails_from: ${COMMAND} }\n`);
    const first = await project.run("apply --auto-approve");
    expect([first.code, deletes(first).length, runs(project)]).toEqual([0, 2 * PEOPLE.length, 1]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    project.write("crm.csv", `email\n${PEOPLE.join("\n")}\nbarbara@example.net\n`);
    expect((await project.run("plan --detailed-exitcode")).out).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
  });

  test("joins files and what is written in the block: everyone counts once", async () => {
    const project = await opened("E-Mail;Name\nada@example.com;Ada\nmary@example.net;Mary\n");
    project.write("mailed.csv", "contact,email\nx@example.com,MARY@example.net\ny@example.com,john@example.org\n");
    project.write("other.csv", "contact,mail\ngrace@example.net,y@example.com\n");
    project.write(
      "outreach.yaml",
      leads(
        `[mailed.csv, { file: other.csv, column: Contact }, ${COMMAND}]`,
        "    emails: [ADA@example.com, linus@example.org]\n",
      ),
    );
    const first = await project.run("apply --auto-approve");
    const people = deletes(first).map((line) => decodeURIComponent(line).toLowerCase());
    expect([first.code, people.toSorted()]).toEqual([
      0,
      ["ada", "grace", "john", "linus", "mary"].map((name) => expect.stringContaining(`${name}@`) as string),
    ]);
  });

  test("takes the column that its entry names", async () => {
    const project = await opened("email,Work Email\nx@example.com,ada@example.com\n");
    project.write("outreach.yaml", leads("{ command: [sh, export.sh], column: work email }"));
    expect(deletes(await project.run("apply --auto-approve"))).toEqual([
      "DELETE /campaigns/cam_000001/leads/ada%40example.com 200",
    ]);
  });

  test("sees neither the key nor secrets, and runs in the configuration's folder", async () => {
    const project = await openProject();
    project.write(
      "conf/outreach.yaml",
      `${leads(COMMAND)}webhooks:\n  a: { target_url: 'https://a.example.com', secret: { env: HOOK_SECRET } }\nvariables: { token: { sensitive: true } }\n`,
    );
    project.write("conf/export.sh", "env > seen.txt\necho email\necho ada@example.com\n");
    const environment = {
      HOOK_SECRET: "hook-secret-value-1",
      OUTREACH_VAR_token: "value-of-token",
      KEPT: "this is passed on",
    };
    expect(await project.run("apply -c conf/outreach.yaml --auto-approve", environment)).toMatchObject({ code: 0 });
    const seen = project.read("conf/seen.txt");
    expect(seen).toContain("KEPT=this is passed on");
    expect(seen).not.toMatch(/^(HOOK_SECRET|OUTREACH_API_KEY|OUTREACH_VAR_token)=/m);
  });

  test("is read again by the apply of a saved plan, which is stale once the list has another person", async () => {
    const project = await opened();
    expect(await project.run("plan --out tfplan")).toMatchObject({ code: 0 });
    project.write("crm.csv", `email\n${PEOPLE.slice(1).join("\n")}\n`);
    const stale = await project.run("apply tfplan");
    expect([stale.code, deletes(stale)]).toEqual([1, []]);
  });
});

describe("where nothing runs, what is recorded stands for the list", () => {
  test.each(["plan --no-secrets --detailed-exitcode", "drift", "validate", "state list"])("in %s", async (command) => {
    const project = await applied();
    project.write("crm.csv", "email\n");
    const ran = await project.run(command);
    expect([ran.code, deletes(ran), runs(project)]).toEqual([0, [], 0]);
  });

  test("so that a plan without secrets shows nothing new or lost, and says so", async () => {
    const project = await applied();
    project.write("crm.csv", "email\nnobody@example.com\n");
    const plan = await project.run("plan --no-secrets");
    expect(plan).toMatchObject({ code: 0, out: NO_CHANGES });
    expect(plan.err).toContain(
      'The command "sh" does not run here. What the state records for the block stands for its list.',
    );
    expect(plan.err).toContain("outreach.yaml:5:30");
    project.write("outreach.yaml", leads(COMMAND, "    emails: [new@example.com]\n"));
    expect((await project.run("plan --no-secrets")).out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  });

  test("also before the first apply, where nothing is recorded", async () => {
    const project = await opened();
    expect(await project.run("plan --no-secrets --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    expect(await project.run("validate")).toMatchObject({ code: 0 });
    expect(runs(project)).toBe(0);
  });

  test("over a filter too: a campaign that has left it keeps its people, and no one is doubled", async () => {
    const project = await opened();
    const filtered = leads(COMMAND).replace("campaign_id: cam_000001", "campaigns: live");
    project.write(
      "outreach.yaml",
      filtered.replace("version: 1\n", "version: 1\ndata: { campaigns: { live: { status: running } } }\n"),
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    project.sandbox.change("campaigns", "cam_000007", { status: "paused" });
    const plan = await project.run("plan --no-secrets --detailed-exitcode");
    expect(plan).toMatchObject({ code: 0, out: NO_CHANGES });
    expect(plan.err).toContain("cam_000007 is no longer a result");
  });
});

describe("a command that does not print a list stops the run: nothing is sent, and nobody counts as lost", () => {
  test.each<readonly [string, string, readonly string[]]>([
    ["fails", "echo email; exit 3", ['The command "sh" failed (exit 3).', "run it by hand", "outreach.yaml:5:30"]],
    ["prints nothing", "true", ['The command "sh" printed nothing.', "has at least its header"]],
    ["prints blank lines", "echo; echo ' '", ['The command "sh" printed nothing.']],
    [
      "prints a header alone",
      "echo email,reason",
      ['The command "sh" printed a header and no addresses.', "allow_empty: true"],
    ],
    ["prints an error page", "echo '<html>'", ['output of the command "sh":1:1', "neither an address nor the header"]],
    [
      "has no column of addresses",
      "printf 'name,contact\\nA,a@example.com\\n'",
      ['output of the command "sh":1:1', "none of them is called email"],
    ],
    [
      "has two such columns",
      "printf 'E-mail,Mail\\na@x.io,b@x.io\\n'",
      ['output of the command "sh":1:1', "Several columns are called like an email address."],
    ],
    [
      "has two columns of one name",
      "printf 'email,Reason,reason\\na@x.io,b,c\\n'",
      ['output of the command "sh":1:14', "Several columns are called reason."],
    ],
    [
      "has a row without an address",
      "printf 'email,reason\\na@x.io,b\\n,c\\n'",
      ['output of the command "sh":3:1', "The row has no email."],
    ],
    [
      "has an address that is none",
      "printf 'email\\nnobody\\n'",
      ['output of the command "sh":2:1', "Invalid email address"],
    ],
  ])("one that %s", async (_, script, messages) => {
    const project = await applied();
    const before = project.read("outreach.state.json");
    project.write("export.sh", `${script}\n`);
    for (const command of ["plan", "apply --auto-approve", "recheck"]) {
      const ran = await project.run(command);
      expect([ran.code, deletes(ran)]).toEqual([1, []]);
      for (const message of messages) expect(ran.err).toContain(message);
      expect(ran.err).not.toContain("A list lost more people than allowed");
      expect(ran.err.match(/Error:/g)).toHaveLength(1);
    }
    expect(project.read("outreach.state.json")).toBe(before);
  });

  test("one that does not exist", async () => {
    const project = await openProject();
    project.write("outreach.yaml", leads("{ command: [no-such-program-here] }"));
    const ran = await project.run("plan");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('The command "no-such-program-here" failed to start: the program does not exist.');
  });

  test("a header alone is an empty list where the block allows it", async () => {
    const project = await applied();
    project.write("export.sh", "echo email\n");
    project.write("outreach.yaml", leads(COMMAND, "    allow_empty: true\n"));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES, err: "" });
  });

  test("a list that was cut stops the plan, as one from a file does", async () => {
    const project = await applied();
    project.write("crm.csv", "email\nada@example.com\n");
    const stopped = await project.run("plan");
    expect([stopped.code, stopped.err]).toEqual([1, expect.stringContaining("A list lost more people than allowed")]);
  });

  test.each([
    ["file and command", "{ file: a.csv, command: [cat, a.csv] }", "names a file and a command"],
    ["neither", "[{ column: Contact }]", "names no file and no command"],
    ["no program", "{ command: [] }", "Invalid configuration"],
    ["a line for a shell", "{ command: cat a.csv }", "Wrong type"],
    ["no source at all", "[]", "Invalid configuration"],
  ])("an entry with %s is an error", async (_, from, message) => {
    const project = await openProject();
    project.write("outreach.yaml", leads(from));
    const { code, err } = await project.run("validate");
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toMatch(/outreach\.yaml:5:\d+/);
  });
});

describe("what a list says of a person is recorded", () => {
  const LIST = `Requested-At;EMAIL;Reason;source\n2026-11-03;ada@example.com;"asked by
mail";Support\n;mary@example.net; ;="CRM"\n2026-11-04;john@example.org;${"x".repeat(400)};a\u202eb\u0007c\n`;

  test("on one line, printable and bounded, in whatever column order", async () => {
    const project = await applied(LIST);
    expect(detailsOf(project, "ada@example.com")).toEqual({
      requested_at: "2026-11-03",
      reason: "asked by mail",
      source: "Support",
    });
    expect(detailsOf(project, "mary@example.net")).toEqual({ source: "CRM" });
    expect(detailsOf(project, "john@example.org")).toEqual({
      requested_at: "2026-11-04",
      reason: "x".repeat(300),
      source: "a b c",
    });
  });

  test("and a report tells it", async () => {
    const project = await applied("email,reason,source\nada@example.com,asked by mail,support desk\n");
    const { code, out } = await project.run("report unsubscriptions");
    expect([code, out]).toEqual([0, expect.stringMatching(/asked by mail.*support desk/)]);
  });

  test("also where the address is written in the block, or with other capitals", async () => {
    const project = await opened("email,reason\nADA@example.com,asked\n");
    project.write("outreach.yaml", leads(COMMAND, "    emails: [ada@example.com]\n"));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(detailsOf(project, "ada@example.com")).toEqual({ reason: "asked" });
  });

  test("another reason is no change, makes no saved plan stale, and is recorded when the request is sent again", async () => {
    const project = await opened("email,reason\nwatched@example.com,before\n");
    project.write("outreach.yaml", leads(COMMAND, "    recheck: 0s\n"));
    expect(await project.run("plan --out tfplan")).toMatchObject({ code: 0 });
    project.write("crm.csv", "email,reason\nwatched@example.com,asked by mail\n");
    expect(await project.run("apply tfplan")).toMatchObject({ code: 0 });
    expect(detailsOf(project, "watched@example.com")).toEqual({ reason: "asked by mail" });
    project.write("crm.csv", "email,reason\nwatched@example.com,asked again\n");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    expect(await project.run("recheck")).toMatchObject({ code: 0, out: "Recheck complete: 1 sent, 0 unsubscribed.\n" });
    expect(detailsOf(project, "watched@example.com")).toEqual({ reason: "asked again" });
    // A list without the column takes nothing back.
    project.write("crm.csv", "email\nwatched@example.com\n");
    await project.run("recheck");
    expect(detailsOf(project, "watched@example.com")).toEqual({ reason: "asked again" });
  });

  test("of a request without an answer, and of a person who is on no list any more", async () => {
    const project = await opened("email,reason\nada@example.com,asked\nmary@example.net,asked too\n");
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", operation: "unsubscribeLead" });
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", "version: 1\n");
    await project.run("apply --auto-approve");
    expect([detailsOf(project, "ada@example.com"), detailsOf(project, "mary@example.net")]).toEqual([
      { reason: "asked" },
      { reason: "asked too" },
    ]);
  });
});
