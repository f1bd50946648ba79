import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, until, useProjects } from "../project.ts";
import { type Story, storyOf } from "../story.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks\ntype: emailsReplied");
const OTHER = "  other: { target_url: 'https://other.example.com' }\n";
const THIRD = "  third: { target_url: 'https://third.example.com' }\n";
const COMMANDS = ["plan", "plan --detailed-exitcode", "apply --auto-approve", "destroy --auto-approve"];
const [STATE, JOURNAL] = ["outreach.state.json", "outreach.state.json.journal"];

async function openStory(configuration = CONFIGURATION): Promise<Story> {
  const project = await openProject();
  project.write("outreach.yaml", configuration);
  return storyOf(project);
}

/** Kills an apply once each of its creates has arrived; the service has carried them out if it is to. */
async function killAtCreate({ project, faults }: Story, when: "before" | "after", count = 1): Promise<void> {
  const from = project.sandbox.requests().length;
  faults({ action: { kind: "late", delayMs: 3_600_000 }, when, method: "POST" });
  const { child, ended } = project.start("apply --auto-approve");
  const creates = () =>
    project.sandbox
      .requests()
      .slice(from)
      .filter(({ method, processed }) => method === "POST" && (when === "before" || processed));
  await until(() => creates().length === count, "the creates arrive");
  child.kill("SIGKILL");
  await ended;
  faults();
}

describe("an apply that was killed in a create", () => {
  test.each(["before", "after"] as const)(
    "%s it was processed: a plan finds out and writes nothing; the next apply resolves it",
    async (when) => {
      const story = await openStory();
      await killAtCreate(story, when);
      const files = (): object =>
        Object.fromEntries(Object.entries(story.project.files()).filter(([name]) => !name.endsWith(".lock")));
      const left = files();
      for (let turn = 0; turn < 2; turn++) {
        const { code, out, err } = await story.run("plan");
        expect([code, out]).toEqual([
          0,
          expect.stringContaining(when === "before" ? "Plan: 1 to add" : "Applying this plan records"),
        ]);
        expect(err).toContain(
          `The create of outreach_webhook.crm was ${when === "before" ? "not carried out" : "carried out: hoo_000001 will be recorded"}`,
        );
        expect(files()).toEqual(left);
      }
      expect((await story.run("apply --auto-approve")).code).toBe(0);
      await story.judge(["https://crm.example.com/hooks"]);
      expect(Object.keys(files())).toEqual([STATE, `${STATE}.backup`, "outreach.yaml"]);
    },
  );

  test("and one that it could be just as well: everything stops there with 3, until it is resolved", async () => {
    const story = await openStory();
    await killAtCreate(story, "after");
    story.foreign.add(
      story.project.sandbox.add("webhooks", {
        _id: "hoo_duplicate",
        targetUrl: "https://crm.example.com/hooks",
        type: "emailsReplied",
      })._id,
    );
    for (const command of COMMANDS) {
      const { code, out, err, sent } = await story.run(command);
      expect({ command, code, writes: sent.filter((line) => !line.startsWith("GET")) }).toEqual({
        command,
        code: 3,
        writes: [],
      });
      expect(out).not.toContain("complete!");
      for (const id of ["hoo_000001", "hoo_duplicate"])
        expect(err).toContain(`outreach resolve outreach_webhook.crm --adopt ${id}`);
    }
    await story.run("resolve outreach_webhook.crm --adopt hoo_000001");
    await story.judge(["https://crm.example.com/hooks"]);
  });
});

test("the journal of a restored state is looked at although nothing is declared or recorded any more", async () => {
  const story = await openStory();
  const { project, run } = story;
  await run("apply --auto-approve");
  await run("destroy --auto-approve");
  const old = project.read(STATE);
  await run("apply --auto-approve");
  await run("destroy --auto-approve");
  await killAtCreate(story, "after");
  project.write(STATE, old);
  project.write("outreach.yaml", "version: 1\n");
  const { code, err } = await project.run("plan");
  expect([code, err]).toEqual([
    3,
    expect.stringContaining("The create of outreach_webhook.crm may or may not have been carried out"),
  ]);
  const [made] = project.sandbox.webhooks();
  const resolved = await project.run(`resolve outreach_webhook.crm --adopt ${String(made?._id)}`);
  expect([resolved.code, resolved.err]).toEqual([0, expect.stringContaining("An older state was restored")]);
  expect((await project.run("apply --auto-approve")).out).toContain("0 added, 0 changed, 1 destroyed");
});

describe("a journal whose end is torn", () => {
  /** Two creates that were carried out; the journal ends within the line that tells what became of one of them. */
  async function tornAt(share: number): Promise<Story> {
    const story = await openStory(CONFIGURATION + OTHER);
    const { project, faults } = story;
    faults({ action: { kind: "late", delayMs: 3_600_000 }, when: "after", method: "POST" });
    const { child, ended } = project.start("apply --auto-approve");
    await until(
      () => project.sandbox.webhooks().length === 2 && project.read(JOURNAL).includes('"kind":"done"'),
      "one of two creates is done",
    );
    child.kill("SIGKILL");
    await ended;
    faults();
    const journal = project.read(JOURNAL);
    const last = journal.lastIndexOf("\n", journal.length - 2) + 1;
    expect(journal.slice(last)).toContain('"kind":"done"');
    project.write(JOURNAL, journal.slice(0, last + Math.floor((journal.length - last) * share)));
    return story;
  }

  test.each([0.01, 0.99])("at %f of its last line is read up to there", async (share) => {
    const story = await tornAt(share);
    const { code } = await story.run("apply --auto-approve");
    expect(code).toBe(0);
    await story.judge(["https://crm.example.com/hooks", "https://other.example.com/"]);
  });

  test("is not read at all where an earlier line is damaged: exit 3, nothing is sent, and the journal stays", async () => {
    const story = await openStory(CONFIGURATION + OTHER);
    await killAtCreate(story, "after", 2);
    const whole = story.project.read(JOURNAL);
    story.project.write(JOURNAL, whole.replace('"kind":"listed"', '"kind":"liSted"'));
    for (const command of COMMANDS) {
      const { code, err, sent } = await story.project.run(command);
      expect([code, sent]).toEqual([3, []]);
      expect(err).toContain(
        "Error: The journal cannot be read [journal_unreadable]\n\nLine 2 of outreach.state.json.journal is damaged.",
      );
    }
    story.project.write(JOURNAL, whole);
    expect((await story.run("apply --auto-approve")).code).toBe(0);
    await story.judge(["https://crm.example.com/hooks", "https://other.example.com/"]);
  });
});

describe("a state that was put back to an older one", () => {
  async function putBack(): Promise<Project> {
    const { project, faults } = await openStory();
    await project.run("apply --auto-approve");
    const older = project.read(STATE);
    project.write("outreach.yaml", CONFIGURATION + OTHER);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", CONFIGURATION + OTHER + THIRD);
    await killAtCreate({ project, faults } as Story, "after");
    project.write(STATE, older);
    return project;
  }

  test("next to a later journal: no duplicates, and each webhook that it does not know is reported with the way to import it", async () => {
    const project = await putBack();
    for (const command of ["plan", "apply --auto-approve"]) {
      const { code, err, sent } = await project.run(command);
      expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
      expect(err).toContain("Warning: An older state was restored");
      expect(err).toContain("outreach resolve outreach_webhook.third --adopt hoo_000003");
      expect(err).toContain("outreach import outreach_webhook.other hoo_000002");
    }
    expect((await project.run("resolve outreach_webhook.third --adopt hoo_000003")).code).toBe(0);
    expect((await project.run("import outreach_webhook.other hoo_000002")).code).toBe(0);
    await storyOf(project).judge([
      "https://crm.example.com/hooks",
      "https://other.example.com/",
      "https://third.example.com/",
    ]);
  });

  test("from the backup, without a journal: what it does not know is unmanaged, and nothing is doubled", async () => {
    const story = await openStory();
    await story.run("apply --auto-approve");
    story.project.write("outreach.yaml", CONFIGURATION + OTHER);
    const [first] = [story.project.read(STATE)];
    await story.run("apply --auto-approve");
    story.project.write(STATE, first ?? "");
    const { code, err } = await story.project.run("apply --auto-approve");
    expect([code, err]).toEqual([1, expect.stringContaining("outreach import outreach_webhook.other hoo_000002")]);
    expect((await story.project.run("apply --auto-approve --adopt")).code).toBe(1);
    expect((await story.project.run("import outreach_webhook.other hoo_000002")).code).toBe(0);
    await storyOf(story.project).judge(["https://crm.example.com/hooks", "https://other.example.com/"]);
  });
});

test("a journal of another state is set aside with 3, and said under its new name", async () => {
  const one = await openStory();
  await killAtCreate(one, "after");
  const journal = one.project.read(JOURNAL);
  const story = await openStory();
  await story.run("apply --auto-approve");
  story.project.write(JOURNAL, journal);
  const { code, err, sent } = await story.run("apply --auto-approve");
  const aside = Object.keys(story.project.files()).find((name) => name.startsWith(`${JOURNAL}.`));
  expect([code, sent, story.project.read(String(aside))]).toEqual([3, [], journal]);
  expect(err).toContain(String(aside));
  await story.run("apply --auto-approve");
  await story.judge(["https://crm.example.com/hooks"]);
});

test.each([
  ["torn", (text: string) => text.slice(0, -40), "The file is not JSON."],
  ["empty", () => "", "The file is empty."],
  ["edited", (text: string) => text.replace("emailsReplied", "emailsSent"), "The checksum does not match"],
  ["of a later format", () => '{ "format": 4 }', "this version reads format 1"],
  ["something else", () => "[]", "The file is not a state of this tool."],
])("a state that is %s is an error, and nothing is sent", async (_name, change, words) => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  await project.run("apply --auto-approve");
  const broken = change(project.read(STATE));
  project.write(STATE, broken);
  for (const command of ["plan", "destroy --auto-approve"])
    expect(await project.run(command)).toMatchObject({
      code: 1,
      out: "",
      sent: [],
      err: expect.stringContaining(words) as string,
    });
  expect(project.read(STATE)).toBe(broken);
});
