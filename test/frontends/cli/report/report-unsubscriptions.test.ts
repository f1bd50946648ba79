import { describe, expect, test } from "vitest";
import { REPORT_FORMATS } from "../../../../src/frontends/cli/commands/report/report-formats.ts";
import { type Project, needsTerminal, runOnTerminal, until, useProjects } from "../project.ts";

const openProject = useProjects();
/** The members of the document, in their order. */
const MEMBERS = "format_version outreach_version as_of counts request_to_done people".split(" ");

const SEED = {
  campaigns: [
    { _id: "cam_000001", name: "Q3 launch", status: "running" },
    { _id: "cam_000002", name: "Webinar", status: "running" },
  ],
  leads: [
    { campaignId: "cam_000001", email: "ada@example.com" },
    { campaignId: "cam_000002", email: "mary@example.net" },
  ],
} as const;

const CONFIGURATION = `version: 1
data: { campaigns: { live: { status: running } } }
lead_unsubscriptions:
  opted-out: { campaigns: live, emails: [ada@example.com, mary@example.net] }
`;

async function applied(): Promise<Project> {
  const project = await openProject({ seed: SEED });
  project.write("outreach.yaml", CONFIGURATION);
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  return project;
}

interface Document {
  readonly counts: { readonly [name: string]: number };
  readonly people: readonly {
    readonly email: string;
    readonly campaigns: readonly { readonly outcome: string; readonly done: string | null }[];
  }[];
}

async function reportOf(project: Project, options = ""): Promise<Document> {
  const ran = await project.run(`report unsubscriptions --format json ${options}`);
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const document = JSON.parse(ran.out) as Document;
  expect(Object.keys(document)).toEqual(MEMBERS);
  return document;
}

test("the report follows a person from the request to what was done, without a request to the service and without a key", async () => {
  const project = await applied();
  expect((await reportOf(project)).counts).toMatchObject({ people: 2, done: 2, waiting: 2 });
  project.sandbox.add("leads", { campaignId: "cam_000002", email: "ada@example.com" });
  await project.run("recheck --all");
  project.environment["OUTREACH_API_KEY"] = undefined;
  const ran = await project.run("report unsubscriptions --format json --show-emails");
  const document = JSON.parse(ran.out) as Document;
  expect([ran.sent, document.counts]).toEqual([[], expect.objectContaining({ people: 2, done: 3, waiting: 1 })]);
  const [ada] = document.people;
  expect([ada?.email, ada?.campaigns.map(({ outcome }) => outcome)]).toEqual(["ada@example.com", ["done", "done"]]);
  expect(ada?.campaigns[1]?.done?.localeCompare(ada.campaigns[0]?.done ?? "")).toBe(1);
});

test("the report says what the list says of a person, and masks whom it names", async () => {
  const project = await openProject({ seed: SEED });
  project.write(
    "list.csv",
    "email,reason,source,requested_at\nada@example.com,=SUM(A1),forwarded by jo@agency.example,2026-07-01\nmary@example.net,,,\n",
  );
  project.write(
    "outreach.yaml",
    CONFIGURATION.replace("emails: [ada@example.com, mary@example.net]", "emails_from: list.csv"),
  );
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  const [, ada = "", , mary = ""] = (await project.run("report unsubscriptions --format csv")).out.split("\r\n");
  expect(ada).toMatch(
    /^,a\*\*\*@example\.com#[0-9a-f]{8},2026-07-01,list,'=SUM\(A1\),forwarded by j\*\*\*@agency\.example#[0-9a-f]{8},yes,cam_000001,done,/,
  );
  expect(mary.split(",").slice(3, 6)).toEqual(["record", "", ""]);
  expect(await reportOf(project)).toMatchObject({ request_to_done: { count: 2, from_list: 1 } });
});

test.each([
  ["behind a semicolon", "x;=SUM(A1)", "x;'=SUM(A1)"],
  ["behind a comma", "x, @SUM(A1)", `"x,' @SUM(A1)"`],
  ["behind a bar", "x|-1", "x|'-1"],
  ["behind a quotation mark", 'x;"=1"', `"x;'""=1"""`],
  ["with a full-width sign", "＝SUM(A1)", "'＝SUM(A1)"],
  ["with another full-width sign", "x;＋1", "x;'＋1"],
  ["nowhere", "2 - 1 = 1; ok", "2 - 1 = 1; ok"],
])("a spreadsheet calculates nothing in a report: a formula %s", async (_, reason, cell) => {
  const project = await openProject({ seed: SEED });
  project.write("list.csv", `email,reason\nada@example.com,"${reason.replaceAll('"', '""')}"\n`);
  project.write(
    "outreach.yaml",
    CONFIGURATION.replace("emails: [ada@example.com, mary@example.net]", "emails_from: list.csv"),
  );
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  expect((await project.run("report unsubscriptions --format csv")).out).toContain(`,${cell},`);
});

test("a person who is no longer declared stays in the report", async () => {
  const project = await applied();
  project.write("outreach.yaml", CONFIGURATION.replace(", mary@example.net", ""));
  await project.run("apply --auto-approve");
  const { out } = await project.run("report unsubscriptions --format csv --show-emails");
  expect(
    out
      .split("\r\n")
      .filter((line) => line.includes("mary@"))
      .map((line) => line.split(",")[6]),
  ).toEqual(["no", "no"]);
});

test.each(Object.keys(REPORT_FORMATS))(
  "%s masks addresses off a terminal, distinctly, unless --show-emails",
  async (format) => {
    const project = await applied();
    const hidden = (await project.run(`report unsubscriptions --format ${format}`)).out;
    expect(hidden).not.toMatch(/ada@|mary@/);
    expect(new Set(hidden.match(/\w\*\*\*@example\.(?:com|net)#[0-9a-f]{8}/g)).size).toBe(2);
    const shown = (await project.run(`report unsubscriptions --format ${format} --show-emails`)).out;
    expect([shown.includes("ada@example.com"), shown.includes("mary@example.net"), shown.includes("***")]).toEqual([
      true,
      true,
      false,
    ]);
  },
);

test.for(["text", "csv"])("%s masks on a terminal, too", async (format, context) => {
  needsTerminal(context);
  const project = await applied();
  const { out } = await runOnTerminal(project, `report unsubscriptions --format ${format}`, "");
  expect(out).toContain("a***@example.com#");
  expect(out).not.toContain("ada@");
});

test("a request without a recorded outcome is a warning", async () => {
  const project = await openProject({ seed: SEED, realProcess: "it is killed" });
  project.write("outreach.yaml", CONFIGURATION);
  let isSent = false;
  project.sandbox.addFault({
    action: { kind: "late", delayMs: 3_600_000 },
    operation: "unsubscribeLead",
    where: () => (isSent = true),
  });
  const { child, ended } = project.start("apply --auto-approve");
  await until(() => isSent, "an unsubscription is sent");
  child.kill("SIGKILL");
  await ended;
  const ran = await project.run("report unsubscriptions");
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("of an earlier run");
  expect(ran.err).toContain("Warning: The report is not complete");
});

describe("several teams", () => {
  const TEAMS = `version: 1
teams:
  emea: { api_key: { env: KEY_EMEA } }
  apac: { api_key: { env: KEY_APAC } }
data: { campaigns: { live: { status: running } } }
lead_unsubscriptions:
  opted-out: { campaigns: live, emails: [ada@example.com] }
`;

  async function teams(): Promise<Project> {
    const southern = { _id: "cam_000101", name: "Southern summer", status: "running", teamId: "tea_000002" } as const;
    const project = await openProject({ seed: { ...SEED, campaigns: [...SEED.campaigns, southern] } });
    const { keys } = project.sandbox;
    Object.assign(project.environment, { KEY_EMEA: keys.good, KEY_APAC: keys.otherTeam, OUTREACH_API_KEY: undefined });
    project.write("outreach.yaml", TEAMS);
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    return project;
  }

  test("have one document: one head in the CSV, a part each in the text, an object each in JSON", async () => {
    const project = await teams();
    const csv = (await project.run("report unsubscriptions --format csv --show-emails")).out.trimEnd().split("\r\n");
    expect(csv.map((line) => line.split(",").slice(0, 2).join())).toEqual([
      "team,email",
      "emea,ada@example.com",
      "emea,ada@example.com",
      "apac,ada@example.com",
    ]);
    const text = (await project.run("report unsubscriptions")).out;
    expect(text.match(/^Unsubscriptions of .*?\./gm)).toEqual([
      "Unsubscriptions of the team emea.",
      "Unsubscriptions of the team apac.",
    ]);
    const json = JSON.parse((await project.run("report unsubscriptions --format json")).out) as readonly (Document & {
      readonly team: string;
    })[];
    expect(json.map(({ team, counts }) => [team, counts["people"]])).toEqual([
      ["emea", 1],
      ["apac", 1],
    ]);
    expect((await project.run("report unsubscriptions --team apac")).out).toContain(
      "Unsubscriptions of the team apac.",
    );
  });

  test("a team without a state fails, and the document says that it lacks the team", async () => {
    const project = await teams();
    project.remove("outreach.apac.state.json");
    const ran = await project.run("report unsubscriptions");
    expect([ran.code, ran.out.includes("could not be read"), ran.err]).toEqual([
      1,
      true,
      expect.stringContaining("No state was found"),
    ]);
  });
});

describe("what is wrong", () => {
  test("no state is an error in every format", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\n");
    for (const format of Object.keys(REPORT_FORMATS)) {
      const { code, out, err } = await project.run(`report unsubscriptions --format ${format}`);
      expect([code, `${out}${err}`]).toEqual([1, expect.stringContaining("No state was found")]);
    }
  });

  test.each(["pdf", "html", "markdown"])(
    "the format %s is none, and the message names those that there are",
    async (format) => {
      const project = await openProject();
      const { code, err } = await project.run(`report unsubscriptions --format ${format}`);
      expect([code, err]).toEqual([1, expect.stringContaining("text, csv, json")]);
    },
  );

  test("a state without unsubscriptions has an empty report", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\nwebhooks: { crm: { target_url: https://crm.example.com/hooks } }\n");
    await project.run("apply --auto-approve");
    expect((await reportOf(project)).people).toEqual([]);
    const texts = await Promise.all(
      ["text", "csv"].map((format) => project.run(`report unsubscriptions --format ${format}`)),
    );
    expect(texts.map(({ code }) => code)).toEqual([0, 0]);
    expect(texts[0]?.out).toContain("Nobody was unsubscribed, and nobody waits.\n");
    expect(texts[1]?.out.split("\r\n")).toHaveLength(2);
  });
});
