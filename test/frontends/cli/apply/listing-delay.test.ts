import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, useProjects } from "../project.ts";
import { stateIn } from "../story.ts";

const openProject = useProjects();
const posts = (sent: readonly string[]): number => sent.filter((line) => line.startsWith("POST")).length;

/** A project whose service shows a new webhook that late, and in which no time passes between runs. */
async function staleFor(staleMs: number): Promise<Project> {
  const project = await openProject({ profile: { staleMs } });
  project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
  project.pauseMs = 0;
  return project;
}

describe("without OUTREACH_SETTLE", () => {
  test("a create without an answer is looked for after a minute: it is found, and not sent again", async () => {
    const project = await staleFor(59_000);
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, posts(sent)]).toEqual([0, 1]);
    expect(err).toContain("Waiting 1m00s for the service's list");
    expect(stateIn(project.folder)?.instances.map(({ id }) => id)).toEqual(
      project.sandbox.webhooks().map(({ _id }) => _id),
    );
  });

  test("a create with an answer that leaves it open is looked for after ten seconds", async () => {
    const project = await staleFor(9000);
    project.sandbox.addFault({ action: { kind: "answer", status: 500 }, when: "after", method: "POST" });
    const before = project.clock.now();
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, posts(sent)]).toEqual([0, 1]);
    expect(err).toContain("Waiting 10s for the service's list");
    expect(project.clock.now() - before).toBeLessThan(30_000);
    expect(project.sandbox.webhooks()).toHaveLength(1);
  });

  test("a webhook that was just created is not taken for deleted by the next run: it waits ten seconds for the list", async () => {
    const project = await staleFor(9000);
    await project.run("apply --auto-approve");
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, posts(sent)]).toEqual([0, 0]);
    // Counted from the create: the start of a process takes some of it.
    expect(err).toMatch(/Waiting (?:10|[5-9])s for the service's list/);
    expect(project.sandbox.webhooks()).toHaveLength(1);
  });
});
