import { beforeEach, describe, expect, test } from "vitest";
import { type Project, needsTerminal, runOnTerminal, useProjects } from "../project.ts";

const openProject = useProjects();
const LIST = "GET /hooks 200";

const CAMPAIGN = 'data:\n  campaign:\n    q3: { name: "Q3 launch" }\n';
const webhooks = (names: readonly string[], more = ""): string =>
  `version: 1\n${more === "" ? "" : CAMPAIGN}webhooks:\n${names.map((name) => `  ${name}: { target_url: "https://${name}.example.com"${more} }\n`).join("")}`;

async function projectWith(configuration: string, applied = ""): Promise<Project> {
  const project = await openProject();
  if (applied !== "") {
    project.write("outreach.yaml", applied);
    expect((await project.run("apply --auto-approve")).code).toBe(0);
  }
  project.write("outreach.yaml", configuration);
  return project;
}

/** What a run sends, the writes without their ids and in an order of their own. */
async function sentBy(project: Project, line: string): Promise<readonly string[]> {
  const { code, sent } = await project.run(line);
  expect(code).toBe(0);
  return inOrder(sent);
}

function inOrder(sent: readonly string[]): readonly string[] {
  const plain = sent.map((one) => one.replace(/hoo_\w+/, "ID"));
  return [...plain.filter((one) => one.startsWith("GET")), ...plain.filter((one) => !one.startsWith("GET")).toSorted()];
}

/** Runs a command at a terminal where somebody types an answer to its question. */
async function answered(
  project: Project,
  line: string,
  answer: string,
): Promise<{ readonly code: number | null; readonly sent: readonly string[] }> {
  const { code, out, sent } = await runOnTerminal(project, line, answer);
  expect(out).toContain("Enter a value:");
  return { code, sent: inOrder(sent) };
}

/** After creates: the list shows them, and its length is evidence for later runs. */
const SHOWN = LIST;
const [DELETE, POST] = ["DELETE /hooks/ID 200", "POST /hooks 200"];
const [TWO, THREE] = [webhooks(["a", "b"]), webhooks(["a", "b", "c"])];

describe("the list is read once", () => {
  test.each<
    readonly [
      string,
      {
        readonly applied?: string;
        readonly configuration: string;
        readonly line: string;
        readonly sent: readonly string[];
      },
    ]
  >([
    ["by a plan", { configuration: THREE, line: "plan", sent: [LIST] }],
    ["by a plan that changes nothing", { applied: THREE, configuration: THREE, line: "plan", sent: [LIST] }],
    [
      "by an apply that nobody is asked about",
      { configuration: THREE, line: "apply --auto-approve", sent: [LIST, SHOWN, POST, POST, POST] },
    ],
    [
      "by an apply that changes nothing",
      { applied: THREE, configuration: THREE, line: "apply --auto-approve", sent: [LIST] },
    ],
    [
      "for deletes",
      { applied: THREE, configuration: webhooks(["c"]), line: "apply --auto-approve", sent: [LIST, DELETE, DELETE] },
    ],
    [
      "for replaces",
      {
        applied: TWO,
        configuration: TWO.replaceAll("example.com", "example.org"),
        line: "apply --auto-approve",
        sent: [LIST, SHOWN, DELETE, DELETE, POST, POST],
      },
    ],
    [
      "by a destroy",
      { applied: TWO, configuration: TWO, line: "destroy --auto-approve", sent: [LIST, DELETE, DELETE] },
    ],
    ["by a refresh", { applied: TWO, configuration: TWO, line: "refresh", sent: [LIST] }],
    [
      "for a data source and the plan together",
      {
        applied: TWO,
        configuration: `${TWO}data:\n  webhooks:\n    all: {}\noutputs:\n  ids: $\{data.outreach_webhooks.all.ids}\n`,
        line: "plan",
        sent: [LIST],
      },
    ],
    [
      "with a campaign that is looked up",
      {
        configuration: webhooks(["a", "b"], ", campaign: q3"),
        line: "plan",
        sent: ["GET /campaigns?version=v2 200", LIST],
      },
    ],
  ])("%s", async (_name, { applied = "", configuration, line, sent }) => {
    expect(await sentBy(await projectWith(configuration, applied), line)).toEqual(sent);
  });

  test("by the making of a saved plan, and once more by its apply", async () => {
    const project = await projectWith(THREE);
    expect(await sentBy(project, "plan --out the.plan")).toEqual([LIST]);
    expect(await sentBy(project, "apply the.plan")).toEqual([LIST, SHOWN, POST, POST, POST]);
  });
});

describe("the list is confirmed by what would come after it", () => {
  const CONFIRMED = [LIST, "GET /hooks?offset=1 200"];

  test("when something recorded is missing", async () => {
    const project = await projectWith(TWO, TWO);
    project.sandbox.remove("webhooks", project.sandbox.webhooks()[0]?._id ?? "");
    expect(await sentBy(project, "plan")).toEqual(CONFIRMED);
    expect(await sentBy(project, "apply --auto-approve")).toEqual([...CONFIRMED, SHOWN, POST]);
  });

  test("when its length could be that of a page", async () => {
    const project = await projectWith(TWO);
    for (let index = 0; index < 100; index++)
      project.sandbox.add("webhooks", { targetUrl: `https://other.example.com/${String(index)}` });
    expect(await sentBy(project, "apply --auto-approve")).toEqual([
      LIST,
      "GET /hooks?offset=100 200",
      SHOWN,
      POST,
      POST,
    ]);
  });

  test("twice over when the outcome of a write is looked for", async () => {
    const project = await projectWith(webhooks(["a"]));
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    expect(await sentBy(project, "apply --auto-approve")).toEqual([
      LIST,
      ...CONFIRMED,
      ...CONFIRMED,
      "POST /hooks null",
    ]);
  });
});

describe("nothing is read", () => {
  test.each([
    ["where nothing is declared or recorded", "version: 1\n", [], []],
    [
      "for unsubscriptions, except their campaign before they are sent",
      "version: 1\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [ada@example.com] }\n",
      ["GET /campaigns/cam_000001/schedules/ 200"],
      ["GET /campaigns/cam_000001/schedules/ 200", "DELETE /campaigns/cam_000001/leads/ada%40example.com 200"],
    ],
  ])("%s", async (_name, configuration, planned, sent) => {
    const project = await projectWith(configuration);
    expect(await sentBy(project, "plan")).toEqual(planned);
    expect(await sentBy(project, "apply --auto-approve")).toEqual(sent);
    expect(await sentBy(project, "apply --auto-approve")).toEqual([]);
  });
});

describe("an apply that asks at a terminal", () => {
  beforeEach(needsTerminal);

  test("reads the list once more after a yes, and campaigns no more", async () => {
    const project = await projectWith(webhooks(["a", "b"], ", campaign: q3"));
    const create = "POST /hooks?campaignId=cam_000001 200";
    expect(await answered(project, "apply", "yes")).toEqual({
      code: 0,
      sent: ["GET /campaigns?version=v2 200", LIST, LIST, SHOWN, create, create],
    });
    expect(await sentBy(project, "plan --detailed-exitcode")).toEqual(["GET /campaigns?version=v2 200", LIST]);
  });

  test("does nothing after anything else", async () => {
    const project = await projectWith(TWO);
    expect(await answered(project, "apply", "y")).toEqual({ code: 1, sent: [LIST] });
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
  });

  test("sends an unconfirmed unsubscription again after a yes", async () => {
    const project = await projectWith(
      "version: 1\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [ada@example.com], on_not_found: error }\n",
    );
    project.sandbox.addFault({ action: { kind: "drop" }, method: "DELETE", times: 3 });
    expect((await project.run("apply --auto-approve")).code).toBe(3);
    expect(await answered(project, "apply", "yes")).toEqual({
      code: 0,
      sent: ["DELETE /campaigns/cam_000001/leads/ada%40example.com 200"],
    });
  });
});
