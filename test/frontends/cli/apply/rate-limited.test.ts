import { describe, expect, test } from "vitest";
import type { Fault } from "../../../../src/sandbox/faults.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

const MINUTE_MS = 60_000;

function declare(project: Project, version: number, rotation = "delete_first"): void {
  project.write(
    "outreach.yaml",
    `version: 1\nwebhooks:\n  a: { target_url: "https://a.example.com/${String(version)}", type: emailsSent, rotation: ${rotation} }\n`,
  );
}

async function declared(): Promise<Project> {
  const project = await openProject();
  declare(project, 1);
  return project;
}

/** A project with one webhook, which the next apply replaces. */
async function replacing(rotation = "delete_first"): Promise<Project> {
  const project = await openProject();
  declare(project, 1, rotation);
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  declare(project, 2, rotation);
  return project;
}

/** Refuses the requests that the service gets within so many minutes from the first one. `refused`: called with how many it has refused. */
function refuse(
  { sandbox, clock }: Project,
  {
    minutes,
    retryAfter = "2",
    refused = () => undefined,
    ...of
  }: Omit<Fault, "action"> & {
    readonly minutes: number;
    readonly retryAfter?: string;
    refused?: (count: number) => void;
  },
): void {
  let [untilMs, count]: [number | null, number] = [null, 0];
  sandbox.addFault({
    action: { kind: "answer", status: 429, headers: { "retry-after": retryAfter } },
    times: null,
    ...of,
    where: (request) => {
      if (of.method !== request.method) return false;
      untilMs ??= clock.ofService.now() + minutes * MINUTE_MS;
      if (clock.ofService.now() >= untilMs) return false;
      refused(++count);
      return true;
    },
  });
}

const posts = (sent: readonly string[]): readonly string[] => sent.filter((line) => line.startsWith("POST"));
const targets = ({ sandbox }: Project): readonly string[] => sandbox.webhooks().map(({ targetUrl }) => targetUrl);

/** Nothing is open: a plan has the same changes as before, and nobody holds the lock. */
async function judge(project: Project, counts: string): Promise<void> {
  const { code, out, err } = await project.run("plan");
  expect(code, err).toBe(0);
  expect(out).toContain(`Plan: ${counts}.`);
  expect(`${out}${err}`).not.toMatch(/undecided|lost|resolve/);
}

describe("a service that refuses requests because of its rate limit", () => {
  test.each(["GET", "POST"])("for nine minutes: %s is repeated until it gets through", async (method) => {
    const project = await declared();
    refuse(project, { method, minutes: 9 });
    const { code, sent } = await project.run("apply --auto-approve");
    expect(code).toBe(0);
    expect(targets(project)).toEqual(["https://a.example.com/1"]);
    expect(posts(sent).filter((line) => line.endsWith(" 200"))).toHaveLength(1);
    expect(sent.filter((line) => line.startsWith(method) && line.endsWith(" 429")).length).toBeGreaterThan(30);
  });

  test("for longer than ten minutes: the create is refused, and nothing is open", async () => {
    const project = await declared();
    refuse(project, { method: "POST", minutes: 30 });
    const { code, err } = await project.run("apply --auto-approve");
    expect(code).toBe(1);
    expect(err).toMatch(/POST \/hooks: 429 refused by the rate limit, \d+ times; its 10 minutes are over\./);
    expect(targets(project)).toEqual([]);
    await judge(project, "1 to add, 0 to change, 0 to destroy");
  });

  test("for an hour, as it says: the create is refused at once", async () => {
    const project = await declared();
    refuse(project, { method: "POST", minutes: 60, retryAfter: "3600" });
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, posts(sent)]).toEqual([1, ["POST /hooks 429"]]);
    expect(err).toContain("once; the service asks to wait 3600 s, longer than outreach waits.");
    await judge(project, "1 to add, 0 to change, 0 to destroy");
  });

  test.each([
    ["POST", "delete_first", "1 to add, 0 to change, 0 to destroy", declared],
    ["DELETE", "delete_first", "1 to add, 0 to change, 1 to destroy", replacing],
    ["POST", "create_first", "1 to add, 0 to change, 1 to destroy", () => replacing("create_first")],
  ] as const)("Ctrl-C ends the wait of %s (%s), and nothing is open", async (method, _, counts, open) => {
    const project = await open();
    const before = targets(project);
    refuse(project, { method, minutes: 9, refused: (count) => count === 2 && project.interrupt() });
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect(code).toBe(1);
    expect(err).toContain("429 refused by the rate limit, 2 times; the run was interrupted.");
    expect(sent.filter((line) => line.startsWith(method))).toHaveLength(2);
    expect(targets(project)).toEqual(before);
    project.sandbox.clearFaults();
    await judge(project, counts);
  });

  test("--max-duration ends the wait, and nothing is open", async () => {
    const project = await declared();
    refuse(project, { method: "POST", minutes: 9 });
    const begunMs = project.clock.ofService.now();
    const { code, err } = await project.run("apply --auto-approve --max-duration 3m");
    expect(code).toBe(1);
    expect(err).toContain("the run was interrupted.");
    expect(project.clock.ofService.now() - begunMs).toBeLessThan(6 * MINUTE_MS);
    project.sandbox.clearFaults();
    await judge(project, "1 to add, 0 to change, 0 to destroy");
  });

  test.each([
    ["for 25 minutes", "", () => false],
    ["for 25 minutes, after Ctrl-C", "", (count: number) => count === 2],
    ["for 25 minutes, with --max-duration", "--max-duration 2m", () => false],
  ] as const)("the create half of a replace is repeated %s", async (_, option, interrupts) => {
    const project = await replacing();
    refuse(project, { method: "POST", minutes: 25, refused: (count) => interrupts(count) && project.interrupt() });
    const { sent } = await project.run(`apply --auto-approve ${option}`);
    expect(targets(project)).toEqual(["https://a.example.com/2"]);
    expect(posts(sent).length).toBeGreaterThan(90);
    project.sandbox.clearFaults();
    expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
  });

  test("the create half of a replace is refused after half an hour, and the next apply creates it", async () => {
    const project = await replacing();
    refuse(project, { method: "POST", minutes: 40 });
    const { code, err } = await project.run("apply --auto-approve");
    expect(code).toBe(1);
    expect(err).toMatch(/429 refused by the rate limit, \d+ times; its 30 minutes are over\./);
    expect(targets(project)).toEqual([]);
    project.sandbox.clearFaults();
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect(targets(project)).toEqual(["https://a.example.com/2"]);
  });
});
