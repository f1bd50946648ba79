import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";
import { stateIn } from "../story.ts";

const openProject = useProjects();
const URL_A = "https://crm.example.com/a";

const live = ({ sandbox }: Project) => sandbox.webhooks();
const recorded = ({ folder }: Project) =>
  stateIn(folder)?.instances.map(({ address, id }) => `${address} ${String(id)}`);

/** A create is carried out, and neither its answer nor a list comes back. */
async function interrupted(): Promise<Project> {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1\nservice: { mark: true }\nwebhooks: { crm: { target_url: "${URL_A}", type: emailsReplied } }\n`,
  );
  project.sandbox.addFault({ action: { kind: "drop" }, method: "POST", when: "after" });
  project.sandbox.addFault({
    action: { kind: "answer", status: 400, body: '"no list"' },
    operation: "listWebhooks",
    times: null,
    skip: 1,
  });
  expect((await project.run("apply --auto-approve")).code).toBe(3);
  project.sandbox.clearFaults();
  return project;
}

test("a webhook for another event that somebody made with the copied URL, and in place of ours, is not taken for ours", async () => {
  const project = await interrupted();
  const [ours] = live(project);
  if (!ours) throw new Error("the create was not carried out");
  project.sandbox.remove("webhooks", ours._id);
  const { _id: copy } = project.sandbox.add("webhooks", { targetUrl: ours.targetUrl, type: "emailsSent" });
  const { code, err } = await project.run("apply --auto-approve");
  expect([code, recorded(project), live(project).map(({ _id }) => _id)]).toEqual([3, [], [copy]]);
  expect(err).toContain(`${copy} carries its mark, but shows another type`);
});

test("an identical webhook that somebody made with the copied URL is named before it is deleted", async () => {
  const project = await interrupted();
  const [ours] = live(project);
  const { _id: copy } = project.sandbox.add("webhooks", { targetUrl: ours?.targetUrl ?? "", type: "emailsReplied" });
  const { out, err } = await project.run("plan");
  expect(out + err).toContain(copy);
  expect(out).toContain("1 to destroy");
});

describe("a copy that may be for something else than ours is reported, and not deleted", () => {
  /** The first attempt made a twin; somebody makes one more with the copied URL. */
  async function doubled(
    settings: string,
    copied: { readonly type?: string },
    fields: { readonly type?: "omitted" } = {},
  ): Promise<readonly [Project, string]> {
    const project = await openProject();
    const webhooks = `{ crm: { target_url: "${URL_A}", ${settings} } }`;
    project.write("outreach.yaml", `version: 1\nservice: { mark: true }\nwebhooks: ${webhooks}\n`);
    project.sandbox.configure({ profile: { staleMs: 3_600_000, fields } });
    project.sandbox.addFault({ action: { kind: "drop" }, method: "POST", when: "after" });
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    const { _id: copy } = project.sandbox.add("webhooks", { ...copied, targetUrl: live(project)[0]?.targetUrl ?? "" });
    project.sandbox.configure({ profile: { staleMs: 0 } });
    return [project, copy];
  }
  test.each([
    ["where the list shows no type", "type: emailsReplied", { type: "emailsSent" }, { type: "omitted" }],
    [
      "where ours has a campaign, and the copy is for all",
      "type: emailsReplied, campaign_id: cam_000001",
      { type: "emailsReplied" },
      {},
    ],
  ] as const)("%s", async (_name, settings, copied, fields) => {
    const [project, copy] = await doubled(settings, copied, fields);
    expect((await project.run("plan")).err).toContain(`${copy} is live and not managed`);
    await project.run("apply --auto-approve");
    expect(live(project).map(({ _id }) => _id)).toContain(copy);
  });
});
