import { describe, expect, test } from "vitest";
import { splitMark } from "../../../../src/service/api/url-mark.ts";
import { type Project, useProjects } from "../project.ts";
import { stateIn } from "../story.ts";

const openProject = useProjects();
const CRM = `webhooks: { crm: { target_url: "https://crm.example.com/a?x=1", type: emailsReplied } }`;
const ids = ({ sandbox }: Project): readonly string[] => sandbox.webhooks().map(({ _id }) => _id);
const marks = ({ sandbox }: Project) => sandbox.webhooks().map(({ targetUrl }) => splitMark(targetUrl).mark);

function declare(project: Project, rest: string): void {
  project.write("outreach.yaml", `version: 1\nservice: { mark: true }\n${rest}\n`);
}

/** A webhook that was created at the second attempt, with the mark of the first. */
async function createdLater(): Promise<Project> {
  const project = await openProject();
  declare(project, CRM);
  project.sandbox.addFault({ action: { kind: "answer", status: 400, body: '"not now"' }, method: "POST" });
  expect((await project.run("apply --auto-approve")).code).toBe(1);
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  expect(stateIn(project.folder)?.lostCreates).toMatchObject([{ mark: marks(project)[0] }]);
  return project;
}

describe("a released webhook whose mark was sent twice is not taken back, and not deleted", () => {
  test("after `state rm`", async () => {
    const project = await createdLater();
    const live = ids(project);
    await project.run("state rm outreach_webhook.crm");
    declare(project, "");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect([ids(project), stateIn(project.folder)?.instances]).toEqual([live, []]);
  });

  test("after a `removed` block, also once the block is gone", async () => {
    const project = await createdLater();
    const live = ids(project);
    declare(project, "removed: [{ from: outreach_webhook.crm, destroy: false }]");
    expect((await project.run("apply --auto-approve")).out).toContain("1 forgotten");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    declare(project, "");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(ids(project)).toEqual(live);
  });

  test("where another one is created in its place, which gets a mark of its own", async () => {
    const project = await createdLater();
    const [live] = ids(project);
    await project.run("state rm outreach_webhook.crm");
    declare(project, CRM.replace("emailsReplied", "emailsReplied, allow_duplicate: true"));
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect([ids(project), new Set(marks(project)).size]).toEqual([
      [live, stateIn(project.folder)?.instances[0]?.id],
      2,
    ]);
  });

  test("where the first attempt made a twin that was deleted", async () => {
    const project = await openProject();
    declare(project, CRM);
    project.sandbox.configure({ profile: { staleMs: 3_600_000 } });
    project.sandbox.addFault({ action: { kind: "drop" }, method: "POST", when: "after" });
    await project.run("apply --auto-approve");
    project.sandbox.configure({ profile: { staleMs: 0 } });
    expect((await project.run("apply --auto-approve")).out).toContain("1 destroyed");
    const live = ids(project);
    await project.run("state rm outreach_webhook.crm");
    declare(project, "");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(live).toEqual([expect.any(String)]);
  });
});
