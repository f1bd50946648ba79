import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const UNSUBSCRIPTION = "version: 1\nlead_unsubscriptions:\n  gdpr: { campaign_id: cam_000001, emails: [ADDRESS] }\n";
const WEBHOOK = oneWebhook(
  "target_url: https://crm.example.com/hooks\ntype: emailsReplied\nis_first: true\nautomation_id: '37709957'",
);

const leadOf = ({ sandbox }: Project): string =>
  String(sandbox.records("leads").find(({ campaignId }) => campaignId === "cam_000001")?.email);

/** Each command with JSON output on the typed and on the changed service. */
async function both(
  project: Project,
  change: Parameters<Project["sandbox"]["configure"]>[0],
): Promise<readonly (readonly [unknown, unknown])[]> {
  const commands = [
    "get campaigns --json",
    "get schedules cam_000001 --json",
    "get warmup usm_000001 --json",
    "get webhooks --json",
  ];
  const read = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const command of commands) found.push(JSON.parse((await project.run(command)).out));
    return found;
  };
  const before = await read();
  project.sandbox.configure(change);
  return (await read()).map((value, index) => [value, before[index]] as const);
}

describe("a service that writes numbers and booleans as text", () => {
  test("is read as one that does not", async () => {
    const project = await openProject();
    project.sandbox.configure({ profile: { fields: { isFirst: "where-set", automationId: "where-set" } } });
    project.write("outreach.yaml", WEBHOOK);
    await project.run("apply --auto-approve");
    for (const [text, typed] of await both(project, { profile: { values: "text" } })) expect(text).toEqual(typed);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("has its unsubscriptions recorded", async () => {
    const project = await openProject();
    project.sandbox.configure({ profile: { values: "text" } });
    project.write("outreach.yaml", UNSUBSCRIPTION.replace("ADDRESS", leadOf(project)));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
    const { instances } = JSON.parse(project.read("outreach.state.json")) as {
      instances: readonly { attributes: object }[];
    };
    expect(instances).toMatchObject([
      {
        attributes: { is_paused: expect.any(Boolean) as boolean, contact_id: expect.stringMatching(/^\d+$/) as string },
      },
    ]);
  });
});

test("a byte order mark before an answer is skipped", async () => {
  const project = await openProject();
  project.write("outreach.yaml", WEBHOOK);
  for (const [marked, plain] of await both(project, { profile: { bom: true } })) expect(marked).toEqual(plain);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
});

test("values that cannot be read are null, with a warning that names their fields", async () => {
  const project = await openProject();
  const answered = (path: string, body: object): void =>
    void project.sandbox.addFault({
      action: { kind: "answer", status: 200, body: JSON.stringify(body) },
      path,
      times: null,
    });
  answered("/warmup/*", { active: "maybe", dailyLimit: "40", deliverability: { score: {}, lastAt: null } });
  const warmup = await project.run("get warmup usm_000001 --json");
  expect(JSON.parse(warmup.out)).toMatchObject({ active: null, daily_limit: 40, deliverability: { score: null } });
  expect(warmup.err).toContain("Warning: The service returned values that cannot be read [value_unreadable]\n");
  expect(warmup.err).toContain("usm_000001 has values of an unknown form in active, score.");

  const email = leadOf(project);
  answered("/campaigns/*/leads/*", { _id: "lea_1", email, isPaused: [], contactId: { _id: "con_1", name: "Ada" } });
  project.write("outreach.yaml", UNSUBSCRIPTION.replace("ADDRESS", email));
  const applied = await project.run("apply --auto-approve");
  expect([applied.code, applied.err]).toEqual([
    0,
    expect.stringContaining("has values of an unknown form in isPaused."),
  ]);
  expect(JSON.parse(project.read("outreach.state.json"))).toMatchObject({
    instances: [{ attributes: { is_paused: null, contact_id: "con_1" } }],
  });
});

test("a field of a listed webhook that cannot be read is unobserved, with a warning, and the list stays readable", async () => {
  const project = await openProject();
  project.write("outreach.yaml", WEBHOOK);
  await project.run("apply --auto-approve");
  const [{ _id, targetUrl, createdAt } = { _id: "", targetUrl: "", createdAt: "" }] = project.sandbox.webhooks();
  const listed = [
    { _id, targetUrl, createdAt, type: { of: "emails" }, isFirst: "sometimes" },
    { _id: "hoo_other", targetUrl: "https://other.example.com/", type: "emailsSent", isFirst: true },
  ];
  project.sandbox.addFault({
    action: { kind: "answer", status: 200, body: JSON.stringify(listed) },
    operation: "listWebhooks",
    times: null,
  });
  const warning =
    "The list of webhooks has values of an unknown form in type, isFirst. They count as unobserved: the recorded values stand.";
  for (const command of ["plan --detailed-exitcode", "drift", "get webhooks"])
    expect(await project.run(command)).toMatchObject({ code: 0, err: expect.stringContaining(warning) as string });
  project.write("outreach.yaml", `${WEBHOOK}data:\n  webhooks:\n    all: {}\n`);
  expect((await project.run("plan")).err.split(warning)).toHaveLength(2);
});

test("a read that is refused because no request is left waits, and is no missing permission", async () => {
  const project = await openProject();
  const refused = { kind: "answer", status: 403, headers: { "x-ratelimit-remaining": "0" } } as const;
  project.sandbox.addFault({ action: { ...refused, body: "Slow down" }, operation: "listWebhooks", times: 2 });
  expect(await project.run("get webhooks")).toMatchObject({
    code: 0,
    sent: ["GET /hooks 403", "GET /hooks 403", "GET /hooks 200"],
  });
  project.sandbox.addFault({
    action: { ...refused, body: "User linked to this API key is blocked" },
    operation: "listWebhooks",
    times: 1,
  });
  expect(await project.run("get webhooks")).toMatchObject({ code: 1, sent: ["GET /hooks 403"] });
  project.sandbox.addFault({
    action: { kind: "answer", status: 403, body: "Forbidden" },
    operation: "listWebhooks",
    times: 1,
  });
  expect(await project.run("get webhooks")).toMatchObject({ code: 1, sent: ["GET /hooks 403"] });
});
