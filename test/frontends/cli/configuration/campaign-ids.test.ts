import { expect, test } from "vitest";
import { useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const webhooks = (ids: readonly string[], more = ""): string =>
  `version: 1\n${more}webhooks:\n${ids.map((id, index) => `  w${String(index)}: { target_url: "https://w${String(index)}.example.com", campaign_id: ${id} }\n`).join("")}`;
const asked = (id: string, status = 200): string => `GET /campaigns/${id}/schedules/ ${String(status)}`;
const LIST = "GET /hooks 200";
const CAMPAIGNS = "GET /campaigns?version=v2 200";

test("an unknown campaign id is an error of the plan, with its place and a close id", async () => {
  const project = await openProject();
  project.write("outreach.yaml", webhooks(["cam_999999", "cam_00001", "cam_999999", "cam_000001"]));
  const { code, out, err, sent } = await project.run("plan");
  expect(code).toBe(1);
  expect(out).toContain("Plan: 4 to add, 0 to change, 0 to destroy. This plan cannot be applied: it has 2 errors.");
  expect(err).toMatch(
    /Error: No such campaign \[campaign_unknown\]\n\n {2}on outreach\.yaml:3:\d+, in outreach_webhook\.w0\n/,
  );
  expect(err).toContain(
    "The service does not know the campaign cam_999999, or it belongs to another team than the API key's user. 1 more of this plan name it too.",
  );
  expect(err).toContain(
    'The service does not know the campaign cam_00001, or it belongs to another team than the API key\'s user.\nDid you mean cam_000001 ("Q3 launch")?',
  );
  expect(sent.toSorted()).toEqual(
    [LIST, CAMPAIGNS, asked("cam_000001"), asked("cam_00001", 404), asked("cam_999999", 404)].toSorted(),
  );
});

test.each(["plan", "apply --auto-approve"])("a campaign of an unsubscription is checked too, by %s", async (line) => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    "version: 1\nlead_unsubscriptions:\n  gdpr: { campaign_id: cam_999999, emails: [ada@example.com, bob@example.com] }\n",
  );
  const { code, err, sent } = await project.run(line);
  expect([code, sent]).toEqual([1, [asked("cam_999999", 404), CAMPAIGNS]]);
  expect(err).toContain("The service does not know the campaign cam_999999");
  expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
});

test("each id is asked about once, and only if something is sent with it", async () => {
  const project = await openProject();
  project.write("outreach.yaml", webhooks(["cam_000001", "cam_000002", "cam_000001"]));
  expect((await project.run("plan --out saved.plan")).sent.toSorted()).toEqual(
    [LIST, asked("cam_000001"), asked("cam_000002")].toSorted(),
  );
  const posts = Array.from({ length: 3 }, () => expect.stringMatching(/^POST \/hooks.* 200$/) as string);
  expect((await project.run("apply saved.plan")).sent).toEqual([LIST, ...posts, LIST]);
  expect((await project.run("plan --detailed-exitcode")).sent).toEqual([LIST]);
});

test("where the campaigns are read anyway, an id in their list takes no request", async () => {
  const project = await openProject();
  const data = 'data:\n  campaign:\n    q3: { name: "Q3 launch" }\n';
  project.write("outreach.yaml", webhooks(["cam_000001", "cam_000002"], data));
  expect((await project.run("plan")).sent.toSorted()).toEqual([LIST, CAMPAIGNS].toSorted());
  project.write("outreach.yaml", webhooks(["cam_000001", "cam_999999"], data));
  const refused = await project.run("apply --auto-approve");
  expect([refused.code, refused.sent.toSorted()]).toEqual([1, [LIST, CAMPAIGNS, asked("cam_999999", 404)].toSorted()]);
});

test("an apply reads nothing only to check a webhook: the service refuses what it does not know", async () => {
  const project = await openProject();
  project.write("outreach.yaml", webhooks(["cam_999999"]));
  const { code, err, sent } = await project.run("apply --auto-approve");
  expect([code, sent]).toEqual([
    1,
    [LIST, expect.stringMatching(/^POST \/hooks.* 404$/), LIST, "GET /hooks?offset=0 200"],
  ]);
  expect(err).toContain("Check the campaign");
});

test("an apply never deletes a webhook to replace it for a campaign that does not exist", async () => {
  const project = await openProject();
  project.write("outreach.yaml", webhooks(["cam_000001"]));
  await project.run("apply --auto-approve");
  const before = project.sandbox.webhooks();
  project.write("outreach.yaml", webhooks(["cam_999999"]));
  const { code, err, sent } = await project.run("apply --auto-approve");
  expect([code, sent]).toEqual([1, [LIST, asked("cam_999999", 404), CAMPAIGNS]]);
  expect(err).toContain("The service does not know the campaign cam_999999");
  expect(project.sandbox.webhooks()).toEqual(before);
});

test("many ids are looked for in the list, which takes fewer requests", async () => {
  const project = await openProject();
  for (let number = 1; number <= 8; number++)
    project.sandbox.add("campaigns", { _id: `cam_many${String(number)}`, name: `Many ${String(number)}` });
  project.write("outreach.yaml", webhooks(Array.from({ length: 8 }, (_, index) => `cam_many${String(index + 1)}`)));
  expect(await project.run("plan")).toMatchObject({ code: 0, err: NO_STATE_YET });
  expect(project.sandbox.requests().filter(({ target }) => target.includes("campaigns"))).toHaveLength(1);
});

test("an id that cannot be checked is a warning", async () => {
  const project = await openProject();
  project.sandbox.addFault({
    method: "GET",
    path: "*/schedules/",
    action: { kind: "answer", status: 404, body: "Not here" },
    times: null,
  });
  project.write("outreach.yaml", webhooks(["cam_000001"]));
  const { code, err } = await project.run("plan");
  expect(code).toBe(0);
  expect(err).toContain("Warning: A campaign could not be checked [campaign_unchecked]\n");
});
