import { describe, expect, test } from "vitest";
import { type Project, until, useProjects } from "../project.ts";
import { type Story, storyOf } from "../story.ts";

const openProject = useProjects();
const names = Array.from({ length: 12 }, (_, index) => `w${String(index).padStart(2, "0")}`);
const MANY = `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: 'https://${name}.example.com' }\n`).join("")}`;
const TARGETS = names.map((name) => `https://${name}.example.com/`);

async function openStory(): Promise<Story> {
  const project = await openProject();
  project.write("outreach.yaml", MANY);
  return storyOf(project);
}

/** An apply with four creates in flight, which the service has carried out and answers so late. */
async function inFlight({ project, faults }: Story, delayMs: number): Promise<ReturnType<Project["start"]>> {
  faults({ action: { kind: "late", delayMs }, when: "after", method: "POST", times: null });
  const running = project.start("apply --auto-approve");
  await until(() => project.sandbox.webhooks().length === 4, "four creates are in flight");
  return running;
}

describe("an apply that is interrupted", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "once, by %s, finishes what is in flight, saves it and exits with 1",
    async (signal) => {
      const story = await openStory();
      const { child, ended } = await inFlight(story, 800);
      child.kill(signal);
      const ran = await ended;
      await story.look(ran);
      expect(ran.code).toBe(1);
      expect(ran.err).toMatch(/Interrupted.*Press Ctrl-C again to quit now\./);
      expect(ran.out).toContain("Apply interrupted. Resources: 4 added, 0 changed, 0 destroyed.");
      expect(story.project.sandbox.webhooks()).toHaveLength(4);
      expect(Object.keys(story.project.files())).toEqual([
        "outreach.state.json",
        "outreach.state.json.backup",
        "outreach.yaml",
      ]);
      story.faults();
      expect(await story.run("apply --auto-approve")).toMatchObject({
        code: 0,
        out: expect.stringContaining("8 added") as string,
      });
      await story.judge(TARGETS);
    },
  );

  test.each(["SIGINT", "SIGTERM"] as const)(
    "twice, by %s, exits at once; the next apply finds what was sent",
    async (signal) => {
      const story = await openStory();
      const { child, ended } = await inFlight(story, 3_600_000);
      child.kill(signal);
      let said = "";
      child.stderr?.on("data", (text: string) => (said += text));
      await until(() => said.includes("Interrupted"), "it has heard the first one");
      child.kill(signal);
      const ran = await ended;
      await story.look(ran);
      expect(ran.code).toBe(1);
      expect(ran.err).toContain("Quit. The next plan finds out what the requests in flight did.");
      story.faults();
      const { code, out, err } = await story.run("apply --auto-approve");
      expect([code, out]).toEqual([0, expect.stringContaining("Resources: 8 added, 0 changed, 0 destroyed.")]);
      expect(err).toContain("The create of outreach_webhook.w00 was carried out");
      await story.judge(TARGETS);
    },
  );

  test("while it waits for the service's list leaves open writes open, and says so", async () => {
    const story = await openStory();
    story.faults({ action: { kind: "drop" }, when: "after", method: "POST" });
    const { child, ended } = story.project.start("apply --auto-approve", { OUTREACH_SETTLE: "60s" });
    let said = "";
    child.stderr?.on("data", (text: string) => (said += text));
    await until(
      () => said.includes("Waiting 1m00s for the service's list to catch up with the last write."),
      "it waits",
    );
    child.kill("SIGINT");
    const ran = await ended;
    await story.look(ran);
    expect([ran.code, ran.out]).toEqual([
      3,
      expect.stringContaining("Apply incomplete. Resources: 11 added, 0 changed, 0 destroyed."),
    ]);
    expect(ran.err).toContain("The run was interrupted before recovery could look for it.");
    story.faults();
    expect((await story.run("apply --auto-approve")).sent.filter((line) => line.startsWith("POST"))).toEqual([]);
    await story.judge(TARGETS);
  });
});

test("a plan that is interrupted while it reads ends without a trace", async () => {
  const { project, faults } = await openStory();
  faults({ action: { kind: "late", delayMs: 60_000 }, method: "GET" });
  const { child, ended } = project.start("plan");
  await until(() => project.sandbox.requests().length === 1, "the list is asked for");
  child.kill("SIGINT");
  const { code, err } = await ended;
  expect(code).toBe(1);
  expect(err).toContain("Interrupted. No further requests were sent.");
  expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
});
