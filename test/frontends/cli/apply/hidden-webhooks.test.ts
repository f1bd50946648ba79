import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, useProjects } from "../project.ts";
import { stateIn } from "../story.ts";

const openProject = useProjects();
const HOUR_MS = 60 * 60 * 1000;
const CRM = "target_url: https://crm.example.com/hooks";

const live = (project: Project): readonly string[] => project.sandbox.webhooks().map(({ _id }) => _id);
const recorded = (project: Project): readonly (string | null)[] =>
  stateIn(project.folder)?.instances.map(({ id }) => id) ?? [];

/** From now on the service's list lacks these, until the next call. */
function hide(project: Project, ...ids: readonly string[]): void {
  project.sandbox.clearFaults();
  const shown = project.sandbox.webhooks().filter(({ _id }) => !ids.includes(_id));
  const body = JSON.stringify(
    shown.map(({ _id, targetUrl, createdAt, type, campaignId }) => ({ _id, targetUrl, createdAt, type, campaignId })),
  );
  if (ids.length > 0)
    project.sandbox.addFault({
      action: { kind: "answer", body },
      when: "after",
      times: null,
      method: "GET",
      path: "/hooks",
    });
}

/** A webhook that a list hides long after its create, so that an apply creates it again; then the list shows both. */
async function createdAgain(): Promise<{ readonly project: Project; readonly first: string; readonly second: string }> {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(CRM));
  await project.run("apply --auto-approve");
  const [first = ""] = live(project);
  hide(project, first);
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  hide(project);
  const [second = ""] = live(project).filter((id) => id !== first);
  return { project, first, second };
}

describe("a webhook that a list hid, and that was created again", () => {
  test("is reported by plan, apply and refresh when it returns, with the ways to remove or dismiss it", async () => {
    const { project, first, second } = await createdAgain();
    expect(recorded(project)).toEqual([second]);
    for (const line of ["plan", "apply --auto-approve", "plan --refresh-only", "refresh"]) {
      const { code, err } = await project.run(line);
      expect(code, line).toBe(0);
      expect(err).toContain(`${first} is live again`);
      expect(err).toContain(`outreach resolve outreach_webhook.crm --adopt ${first}`);
      expect(err).toContain("outreach resolve outreach_webhook.crm --forget");
      expect(err.split(first).length - 1, "it is reported once").toBe(2);
    }
    const doctor = await project.run("doctor");
    expect(doctor.err).toContain(`${first} is live again`);
    expect(JSON.parse((await project.run("doctor --json")).out)).toMatchObject({
      diagnostics: [{ severity: "warning", address: "outreach_webhook.crm" }],
    });
    expect(live(project)).toEqual([first, second]);
  });

  test("is deleted by the next apply once it is adopted, and never mentioned again", async () => {
    const { project, first, second } = await createdAgain();
    expect(await project.run(`resolve outreach_webhook.crm --adopt ${first}`)).toMatchObject({
      code: 0,
      sent: ["GET /hooks 200"],
    });
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect(live(project)).toEqual([second]);
    expect((await project.run("plan --detailed-exitcode")).err).toBe("");
    expect(stateIn(project.folder)?.lostCreates).toEqual([]);
  });

  test("is reported as a duplicate after it was dismissed, until the block allows it", async () => {
    const { project, first } = await createdAgain();
    expect((await project.run("resolve outreach_webhook.crm --forget")).code).toBe(0);
    const { err } = await project.run("plan");
    expect(err).not.toContain("live again");
    expect(err).toContain(`${first} is live with the same target_url`);
    project.write("outreach.yaml", oneWebhook(`${CRM}\nallow_duplicate: true`));
    expect((await project.run("apply --auto-approve")).err).not.toContain(first);
    expect((await project.run("plan")).err).toBe("");
  });

  test("that stays away is looked for during a day", async () => {
    const { project, first } = await createdAgain();
    hide(project, first);
    project.clock.pass(23 * HOUR_MS);
    await project.run("apply --auto-approve");
    expect(stateIn(project.folder)?.lostCreates).toMatchObject([{ id: first }]);
    project.clock.pass(HOUR_MS);
    project.write("outreach.yaml", oneWebhook(`${CRM}\nprotect: true`));
    await project.run("apply --auto-approve");
    expect(stateIn(project.folder)?.lostCreates).toEqual([]);
  });

  test("is remembered by a run that is killed right after it has sent the create", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook(CRM));
    await project.run("apply --auto-approve");
    const [first = ""] = live(project);
    hide(project, first);
    await killedAtPost(project);
    hide(project, first);
    await project.run("apply --auto-approve");
    hide(project);
    expect((await project.run("plan")).err).toContain(`${first} is live again`);
  });

  test("is one of several: after a lag beyond the delay, lost answers and a kill, each webhook too many is reported", async () => {
    const project = await openProject({ profile: { staleMs: 300_000 } });
    project.write("outreach.yaml", oneWebhook(`${CRM}\ntypes: [emailsSent, emailsReplied]`));
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    await project.run("apply --auto-approve");
    await killedAtPost(project);
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    project.clock.pass(300_000);
    const { err, code } = await project.run("plan");
    const managed = new Set(recorded(project));
    const strays = live(project).filter((id) => !managed.has(id));
    expect([code, managed.size]).toEqual([0, 2]);
    // The killed run may have sent its second create too.
    expect(strays.length).toBeGreaterThanOrEqual(4);
    for (const id of strays) expect(err).toContain(`--adopt ${id}`);
  });
});

/** Applies in a process that ends by force when the service has carried out its first create. */
async function killedAtPost(project: Project): Promise<void> {
  const { child, ended } = project.start("apply --auto-approve");
  project.sandbox.addFault({
    action: { kind: "late", delayMs: 60_000 },
    when: "after",
    method: "POST",
    where: () => child.kill("SIGKILL"),
  });
  await ended;
}
