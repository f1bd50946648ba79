import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, useProjects } from "./project.ts";
import { stateIn } from "./story.ts";

const openProject = useProjects();
const CRM = "target_url: https://crm.example.com/hooks";

const live = (project: Project): readonly string[] => project.sandbox.webhooks().map(({ _id }) => _id);
const recorded = (project: Project): readonly (string | null)[] => stateIn(project.folder)?.instances.map(({ id }) => id) ?? [];

/** From now on the service's list lacks these, until the next call. */
function hide(project: Project, ...ids: readonly string[]): void {
  project.sandbox.clearFaults();
  const shown = project.sandbox.webhooks().filter(({ _id }) => !ids.includes(_id));
  const body = JSON.stringify(shown.map(({ _id, targetUrl, createdAt, type, campaignId }) => ({ _id, targetUrl, createdAt, type, campaignId })));
  if (ids.length > 0) project.sandbox.addFault({ action: { kind: "answer", body }, when: "after", times: null, method: "GET", path: "/hooks" });
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
      expect(err).toContain(`outreach resolve 'outreach_webhook.crm' --adopt ${first}`);
      expect(err).toContain("outreach resolve 'outreach_webhook.crm' --forget");
      expect(err.split(first).length - 1, "it is reported once").toBe(2);
    }
    expect(live(project)).toEqual([first, second]);
  });

  test("is deleted by the next apply once it is adopted, and never mentioned again", async () => {
    const { project, first, second } = await createdAgain();
    expect(await project.run(`resolve outreach_webhook.crm --adopt ${first}`)).toMatchObject({ code: 0, sent: ["GET /hooks 200"] });
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect(live(project)).toEqual([second]);
    expect((await project.run("plan --detailed-exitcode")).err).toBe("");
    expect(stateIn(project.folder)?.lostCreates).toEqual([]);
  });
});
