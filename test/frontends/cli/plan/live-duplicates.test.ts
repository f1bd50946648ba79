import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
const URL_LINE = "target_url: https://crm.example.com/hooks";
const CRM = `${URL_LINE}\ntype: emailsSent\ncampaign_id: cam_000001`;
const live = (project: Project): readonly string[] => project.sandbox.webhooks().map(({ _id }) => _id);
const reads = (sent: readonly string[]): readonly string[] => sent.filter((line) => line.startsWith("GET"));

/** The same configuration applied with two states at the same time: neither list shows what the other apply creates. */
async function raced(body: string): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(body));
  const empty = { action: { kind: "answer", body: "[]" }, when: "after", times: null, method: "GET" } as const;
  for (const state of ["a.json", "b.json"]) {
    project.sandbox.addFault(empty);
    expect((await project.run(`apply --auto-approve --state ${state}`)).code).toBe(0);
    project.sandbox.clearFaults();
  }
  return project;
}

describe("two applies of the same configuration at the same time", () => {
  test("leave a duplicate, which every plan and apply of both reports, with no more requests", async () => {
    const project = await raced(CRM);
    const [first = "", second = ""] = live(project);
    for (const [state, other] of [
      ["a.json", second],
      ["b.json", first],
    ] as const) {
      for (const command of ["plan", "apply --auto-approve", "refresh"]) {
        const { code, err, sent } = await project.run(`${command} --state ${state}`);
        expect([code, reads(sent)], command).toEqual([0, ["GET /hooks 200"]]);
        expect(err).toContain(`${other} is live with the same target_url, type, campaign_id as outreach_webhook.crm`);
        expect(err).toContain("each event is delivered twice");
        expect(err).toContain("set allow_duplicate: true");
        expect(err).toContain(
          `Declare it as outreach_webhook.crm-2, and import it: outreach import --state ${state} outreach_webhook.crm-2 ${other}\nIf another state manages it, remove it there first (\`state rm\`).\n`,
        );
      }
      expect((await project.run(`doctor --state ${state}`)).err).toContain(`${other} is live with the same`);
    }
    expect(live(project)).toEqual([first, second]);
  });

  test("with many webhooks get one warning", async () => {
    const project = await raced(
      `${URL_LINE}\ntypes: [emailsSent, emailsReplied, emailsOpened, emailsClicked, emailsBounced]`,
    );
    const { err } = await project.run("plan --state a.json");
    expect(err.match(/Warning:/gu)).toHaveLength(1);
    expect(err).toContain("5 managed webhooks have identical ones that this configuration does not manage");
    for (const id of live(project).slice(5)) expect(err).toContain(id);
  });

  test("are quiet once the block allows duplicates", async () => {
    const project = await raced(CRM);
    project.write("outreach.yaml", oneWebhook(`${CRM}\nallow_duplicate: true`));
    expect((await project.run("apply --auto-approve --state a.json")).err).toBe("");
    expect((await project.run("plan --state a.json")).err).toBe("");
  });
});

test("an identical webhook that somebody creates while an apply runs is reported by the next plan", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(CRM));
  project.sandbox.addFault({
    action: { kind: "drop" },
    method: "POST",
    where: () => {
      if (live(project).length === 0)
        project.sandbox.add("webhooks", {
          targetUrl: "https://crm.example.com/hooks",
          type: "emailsSent",
          campaignId: "cam_000001",
        });
      return false;
    },
  });
  await project.run("apply --auto-approve");
  expect((await project.run("plan")).err).toContain("is live with the same");
});
