import { describe, expect, test } from "vitest";
import { type Project, until, useProjects } from "../project.ts";
import { REMOTE_BACKENDS } from "../../../core/state/remote-places.ts";
import { useRemoteStates } from "../state/remote-states.ts";

const openProject = useProjects();
const openState = useRemoteStates();

const STORES = ["local", ...REMOTE_BACKENDS] as const;
const HOUR_MS = 3_600_000;
/** Longer than a request may be sent after it was announced. */
const LATER_MS = 11_000;
const PLAN = "plan --lock=false --detailed-exitcode";
const RECORDS = "Applying this plan records the outcomes of earlier writes, and sends nothing.";
/** The lock of a process stays where nobody sees that it has ended. */
const KEEPS_LOCK: ReadonlySet<string> = new Set(["http", "s3"]);

const configuration = (...names: readonly string[]): string =>
  `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: "https://crm.example.com/${name}" }\n`).join("")}`;

/** An apply that waits for the answer to its create, which was carried out. */
async function heldApply(store: (typeof STORES)[number]) {
  const project = await openProject(
    store === "pg" ? { realTime: "a connection does not wait by a clock that jumps" } : {},
  );
  if (store !== "local") {
    const state = await openState(store);
    Object.assign(project.environment, state.environment, { OUTREACH_STATE: state.url });
  }
  project.write("outreach.yaml", configuration("one"));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.write("outreach.yaml", configuration("one", "two"));
  project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, when: "after", method: "POST" });
  const { child, ended } = project.start("apply --auto-approve");
  await until(() => project.sandbox.webhooks().length > 1, "the create is carried out");
  project.clock.pass(LATER_MS);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    project.sandbox.clearFaults();
  };
  return { project, kill };
}

async function unlock(project: Project): Promise<void> {
  const held = JSON.parse((await project.run("state lock --json")).out) as { readonly id: string } | null;
  if (held) expect(await project.run(`force-unlock --force ${held.id}`)).toMatchObject({ code: 0 });
}

describe.each(STORES)("what became of the writes of a run, with the state on %s,", (store) => {
  test("is a change once the run was killed, in every format, and recorded by an apply; the drift report notes it", async () => {
    const { project, kill } = await heldApply(store);
    const atWork = await project.run(PLAN);
    expect([atWork.code, atWork.out, atWork.err]).toEqual([
      0,
      expect.stringContaining("No changes."),
      expect.stringMatching(/may still be at work/),
    ]);
    await kill();
    if (KEEPS_LOCK.has(store)) {
      expect(await project.run(PLAN)).toMatchObject({
        code: 0,
        err: expect.stringContaining("may still be at work") as string,
      });
      project.clock.pass(HOUR_MS);
      const left = await project.run(PLAN);
      expect([left.code, left.err]).toEqual([2, expect.stringMatching(/will be recorded[^]*outreach force-unlock /)]);
      await unlock(project);
    } else {
      const ran = await project.run(PLAN);
      expect([ran.code, ran.err.includes("force-unlock")]).toEqual([2, false]);
    }
    const planned = await project.run("plan --detailed-exitcode --out saved.plan");
    expect([planned.code, planned.out, planned.err]).toEqual([
      2,
      expect.stringContaining(RECORDS),
      expect.stringContaining("hoo_000002 will be recorded."),
    ]);
    expect(planned.out).not.toContain("No changes");
    expect((await project.run("plan --json")).out).toContain("The outcomes of earlier writes will be recorded.");
    expect(JSON.parse((await project.run("show --json saved.plan")).out)).toMatchObject({
      applyable: true,
      unrecorded_outcomes: true,
    });
    for (const format of ["text", "markdown", "html"])
      expect((await project.run(`show --format ${format} saved.plan`)).out, format).toContain(RECORDS);
    const job = {
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: "acme/hooks",
      GITHUB_API_URL: "https://api.github.com",
      GITHUB_OUTPUT: "output",
    };
    const comment = await project.run("comment --dry-run saved.plan", job);
    expect([comment.code, comment.err]).toEqual([0, ""]);
    expect(comment.out).toMatch(/changes=true\n[^]*exitcode=2\n/);
    expect(comment.out).toContain(RECORDS);
    expect(await project.run("drift")).toMatchObject({
      code: 0,
      err: expect.stringContaining("hoo_000002 will be recorded.") as string,
    });
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 0,
      sent: expect.not.arrayContaining([expect.stringContaining("POST")]) as unknown,
    });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 0,
      out: expect.stringContaining("No changes.") as string,
    });
    expect(project.sandbox.webhooks()).toHaveLength(2);
  });
});
