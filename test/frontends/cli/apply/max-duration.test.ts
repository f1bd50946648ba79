import { describe, expect, test } from "vitest";
import { type Project, type ProjectOptions, until, useProjects } from "../project.ts";

const openProject = useProjects();

/** With a tenth of the limit, their writes take 24 seconds: real time, which is spent too, hardly counts. */
const COUNT = 24;
const LEFT = /\n(\d+) left: run apply again\.\n$/;

/** So many webhooks, whose URLs name the version. */
function declare(project: Project, version: number, { count = COUNT, more = "" } = {}): void {
  const one = (index: number): string =>
    `  w${String(index)}: { target_url: "https://w${String(index)}.example.com/${String(version)}", type: emailsSent${more} }\n`;
  project.write(
    "outreach.yaml",
    `version: 1\nservice: { rate_share: 10% }\nlimits: { replace: 100%, delete: 100% }\nwebhooks:\n${Array.from({ length: count }, (_, index) => one(index)).join("")}`,
  );
}

async function opened(options: ProjectOptions = {}): Promise<Project> {
  const project = await openProject(options);
  declare(project, 1);
  return project;
}

async function applied(more = ""): Promise<Project> {
  const project = await openProject();
  declare(project, 1, { more });
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  return project;
}

const versions = ({ sandbox }: Project): readonly string[] =>
  sandbox.webhooks().map(({ targetUrl }) => targetUrl.slice(-1));
const writes = (sent: readonly string[]): readonly string[] => sent.filter((line) => !line.startsWith("GET"));
const changesIn = (out: string): number => out.match(/^ {2}# outreach_webhook\./gm)?.length ?? 0;

/** Applies again until nothing is left. Returns how many were left after each run. */
async function applyOn(project: Project, command: string): Promise<readonly number[]> {
  const left: number[] = [];
  while (left.at(-1) !== 0 && left.length < 30) {
    const { code, out, err } = await project.run(command);
    expect(code, `${out}${err}`).toBe(0);
    left.push(Number(LEFT.exec(out)?.[1] ?? 0));
    expect(changesIn((await project.run("plan")).out)).toBe(left.at(-1));
  }
  return left;
}

describe("apply --max-duration applies what fits", () => {
  test("and says what is left, which is exactly the next plan", async () => {
    const project = await opened();
    const left = await applyOn(project, "apply --auto-approve --max-duration 12s");
    expect(left.length).toBeGreaterThan(1);
    expect(left[0]).toBeGreaterThan(0);
    expect(left[0]).toBeLessThan(COUNT);
    expect(left.at(-1)).toBe(0);
    expect(project.sandbox.webhooks()).toHaveLength(COUNT);
    expect(project.sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(COUNT);
  });

  test("on a service that refuses what is too fast", async () => {
    const project = await opened({ rateLimit: { limit: 20, windowMs: 2000, kind: "sliding" } });
    expect((await applyOn(project, "apply --auto-approve --max-duration 12s")).at(-1)).toBe(0);
    expect(project.sandbox.webhooks()).toHaveLength(COUNT);
  });

  test.each(["", ", rotation: create_first"])("and never stops between the two halves of a replace%s", async (more) => {
    const project = await applied(more);
    declare(project, 2, { more });
    for (const left of await applyOn(project, "apply --auto-approve --max-duration 12s"))
      expect(left).toBeLessThan(COUNT);
    expect(versions(project)).toEqual(Array.from({ length: COUNT }, () => "2"));
    expect(project.sandbox.requests().filter(({ method }) => method === "DELETE")).toHaveLength(COUNT);
  });

  test("after each run with replaces, as many webhooks are live as before", async () => {
    const project = await applied();
    declare(project, 2);
    for (const duration of ["100ms", "4s", "8s", "8050ms", "12s"]) {
      const { code } = await project.run(`apply --auto-approve --max-duration ${duration}`);
      expect([code, project.sandbox.webhooks().length]).toEqual([0, COUNT]);
      const state = JSON.parse(project.read("outreach.state.json")) as {
        readonly pending: readonly unknown[];
        readonly instances: readonly unknown[];
      };
      expect([state.pending, state.instances.length]).toEqual([[], COUNT]);
    }
  });

  test("in the plan's order: deletes before creates", async () => {
    const project = await applied();
    declare(project, 1, { count: 10 });
    const first = await project.run("apply --auto-approve --max-duration 6s");
    expect(writes(first.sent).every((line) => line.startsWith("DELETE"))).toBe(true);
    expect(Number(LEFT.exec(first.out)?.[1])).toBe(project.sandbox.webhooks().length - 10);
  });
});

describe("a time that is too short for anything", () => {
  test("sends nothing that writes, and leaves everything", async () => {
    const project = await opened();
    const { code, out, err, sent } = await project.run("apply --auto-approve --max-duration 0s");
    expect([code, writes(sent)], err).toEqual([0, []]);
    expect(out).toMatch(
      /\nApply stopped: its time is over\. Resources: 0 added, 0 changed, 0 destroyed\.\n\n24 left: run apply again\.\n$/,
    );
    expect((await project.run("plan")).out).toContain("Plan: 24 to add, 0 to change, 0 to destroy.");
    expect((await project.run("apply --auto-approve --max-duration 0s --detailed-exitcode")).code).toBe(2);
    const json = await project.run("apply --auto-approve --json --max-duration 0s");
    expect(JSON.parse(json.out.trim().split("\n").at(-1) ?? "")).toMatchObject({
      type: "log",
      "@message": "24 left: run apply again.",
      left: 24,
    });
    expect((await project.run("apply --auto-approve --max-duration 10m --detailed-exitcode")).code).toBe(0);
  });

  test.each(["of a first plan", "of a later plan"])("uses up a saved plan %s", async (which) => {
    const project = which === "of a first plan" ? await opened() : await applied();
    declare(project, 2);
    expect((await project.run("plan --out saved.plan")).code).toBe(0);
    expect(await project.run("apply --max-duration 0s saved.plan")).toMatchObject({
      code: 0,
      out: expect.stringContaining("24 left") as string,
    });
    const again = await project.run("apply saved.plan");
    expect([again.code, writes(again.sent)]).toEqual([1, []]);
    expect(again.err).toContain("Saved plan is stale [plan_stale]");
  });
});

test("a time-out at the end leaves nothing open", async () => {
  const project = await opened();
  project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST", skip: 10 });
  const { code, out } = await project.run("apply --auto-approve --max-duration 15s");
  expect(code, out).toBe(0);
  expect((JSON.parse(project.read("outreach.state.json")) as { readonly pending: readonly unknown[] }).pending).toEqual(
    [],
  );
  await applyOn(project, "apply --auto-approve");
  expect(new Set(versions(project)).size).toBe(1);
  expect(project.sandbox.webhooks()).toHaveLength(COUNT);
});

test("Ctrl-C is an interruption, whatever the time", async () => {
  const project = await openProject({ realProcess: "a signal ends it" });
  declare(project, 1);
  project.sandbox.addFault({ action: { kind: "late", delayMs: 200 }, method: "POST", times: null });
  const { child, ended } = project.start("apply --auto-approve --max-duration 10m");
  await until(() => project.sandbox.requests().some(({ method }) => method === "POST"), "it writes");
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 1, out: expect.stringContaining("Apply interrupted.") as string });
});

test("teams share the time, and the table says what is left", async () => {
  const project = await openProject();
  const { keys } = project.sandbox;
  Object.assign(project.environment, { KEY_EMEA: keys.good, KEY_APAC: keys.otherTeam });
  declare(project, 1);
  const teams = "teams:\n  emea: { api_key: { env: KEY_EMEA } }\n  apac: { api_key: { env: KEY_APAC } }\n";
  project.write("outreach.yaml", `${project.read("outreach.yaml")}${teams}`);
  const { code, out } = await project.run("apply --auto-approve --max-duration 0s --detailed-exitcode");
  expect(code).toBe(2);
  expect(out).toContain(
    "emea  Apply stopped: its time is over. Resources: 0 added, 0 changed, 0 destroyed. 24 left: run apply again.",
  );
  expect((await project.run("apply --auto-approve --max-duration 10m --detailed-exitcode")).code).toBe(0);
});

test("destroy and plan have no such option; a duration needs a number", async () => {
  const project = await opened();
  expect((await project.run("plan --max-duration 3s")).code).toBe(1);
  expect(await project.run("apply --auto-approve --max-duration soon")).toMatchObject({
    code: 1,
    sent: [],
    err: expect.stringContaining("30s or 5m") as string,
  });
});
