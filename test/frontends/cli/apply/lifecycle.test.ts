import { expect, test } from "vitest";
import { type Project, modeOf, oneWebhook, timeless, useProjects } from "../project.ts";
import { NO_CHANGES, NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();
const CAMPAIGN = "data:\n  campaign:\n    q3: { name: Q3 launch }\n";
const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied";

function only(project: Project) {
  const [webhook, ...others] = project.sandbox.webhooks();
  if (!webhook || others.length > 0) throw new Error(`there are ${String(project.sandbox.webhooks().length)} webhooks`);
  return webhook;
}

test("a webhook lives: created, unchanged, rotated, repaired, destroyed", async () => {
  const project = await openProject();
  project.environment["S"] = "first-secret-value";
  project.write("outreach.yaml", oneWebhook(`${BODY}\ncampaign: q3\nsecret: { env: S }`, CAMPAIGN));

  const created = await project.run("apply --auto-approve");
  expect(created).toMatchObject({
    code: 0,
    err: NO_STATE_YET,
    sent: [
      "GET /campaigns?version=v2 200",
      "GET /hooks 200",
      "POST /hooks?campaignId=cam_000001 200",
      "GET /hooks 200",
    ],
  });
  expect(timeless(created.out)).toContain(`
Plan: 1 to add, 0 to change, 0 to destroy.
Requests: 4, at least 0 s at 20 per 2 s
outreach_webhook.crm: Creating...
outreach_webhook.crm: Creation complete after 0s [id=hoo_000001]

Apply complete! Resources: 1 added, 0 changed, 0 destroyed.
`);
  expect(only(project)).toMatchObject({
    targetUrl: "https://crm.example.com/hooks",
    type: "emailsReplied",
    campaignId: "cam_000001",
    secret: "first-secret-value",
  });
  expect(Object.keys(project.files())).toEqual(["outreach.state.json", "outreach.state.json.backup", "outreach.yaml"]);
  expect(modeOf(project, "outreach.state.json")).toBe("600");
  expect(modeOf(project, "outreach.state.json.backup")).toBe("600");

  const unchanged = {
    code: 0,
    out: "No changes. Your webhooks match the configuration.\nRequests: 2, at least 0 s at 20 per 2 s\n\nApply complete! Resources: 0 added, 0 changed, 0 destroyed.\n",
    err: "",
    sent: ["GET /campaigns?version=v2 200", "GET /hooks 200"],
  };
  expect(await project.run("apply --auto-approve")).toEqual(unchanged);
  // The answer to the create has no campaign: the first list has confirmed it.
  expect(JSON.parse(project.read("outreach.state.json"))).toMatchObject({
    instances: [{ returned: { campaign_id: "cam_000001" } }],
  });
  const afterFirstList = project.files();
  expect(await project.run("apply --auto-approve")).toEqual(unchanged);
  expect(project.files()).toEqual(afterFirstList);

  project.environment["S"] = "second-secret-value";
  const rotated = await project.run("apply --auto-approve");
  expect(rotated).toMatchObject({
    code: 0,
    sent: [
      "GET /campaigns?version=v2 200",
      "GET /hooks 200",
      "DELETE /hooks/hoo_000001 200",
      "POST /hooks?campaignId=cam_000001 200",
      "GET /hooks 200",
    ],
  });
  expect(rotated.out).toContain(
    "-/+ outreach_webhook.crm\n      ~ secret     = (sensitive value) # forces replacement\n        (the secret cannot be changed in place: events are not delivered between the delete and the create)",
  );
  expect(rotated.out).toMatch(
    /outreach_webhook\.crm: Creation complete after \d+s \(gap \d+\.\d\d s\) \[id=hoo_000002\]\n/,
  );
  expect(rotated.out).toContain("Apply complete! Resources: 1 added, 0 changed, 1 destroyed.");
  expect(only(project)).toMatchObject({ _id: "hoo_000002", secret: "second-secret-value" });

  project.sandbox.change("webhooks", "hoo_000002", { type: "emailsSent" });
  const changed = await project.run("apply --auto-approve");
  expect(changed).toMatchObject({
    code: 0,
    sent: [
      "GET /campaigns?version=v2 200",
      "GET /hooks 200",
      "DELETE /hooks/hoo_000002 200",
      "POST /hooks?campaignId=cam_000001 200",
      "GET /hooks 200",
    ],
  });
  expect(changed.out).toContain(
    'Note: Webhooks have changed outside of outreach\n\n  # outreach_webhook.crm has changed\n  ~ outreach_webhook.crm\n      ~ type = "emailsReplied" -> "emailsSent"\n',
  );
  expect(only(project)).toMatchObject({ _id: "hoo_000003", type: "emailsReplied", secret: "second-secret-value" });

  project.sandbox.remove("webhooks", "hoo_000003");
  const missing = await project.run("plan --detailed-exitcode");
  expect(missing).toMatchObject({
    code: 2,
    sent: ["GET /campaigns?version=v2 200", "GET /hooks 200", "GET /hooks?offset=0 200"],
  });
  expect(missing.out).toContain(
    '  # outreach_webhook.crm has been deleted\n  - outreach_webhook.crm (id "hoo_000003")\n',
  );
  const repaired = await project.run("apply --auto-approve");
  expect(repaired).toMatchObject({
    code: 0,
    sent: [
      "GET /campaigns?version=v2 200",
      "GET /hooks 200",
      "GET /hooks?offset=0 200",
      "POST /hooks?campaignId=cam_000001 200",
      "GET /hooks 200",
    ],
  });
  expect(only(project)).toMatchObject({ _id: "hoo_000004", secret: "second-secret-value" });

  const destroyed = await project.run("destroy --auto-approve");
  expect(destroyed).toMatchObject({ code: 0, sent: ["GET /hooks 200", "DELETE /hooks/hoo_000004 200"] });
  expect(timeless(destroyed.out)).toContain(
    "outreach_webhook.crm: Destroying... [id=hoo_000004]\noutreach_webhook.crm: Destruction complete after 0s\n\nDestroy complete! Resources: 1 destroyed.\n",
  );
  expect(project.sandbox.webhooks()).toEqual([]);
  // The one that was repaired may appear again.
  expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0, sent: ["GET /hooks 200"] });
});

test("a rotation sends its delete and its create back to back, though others are under way", async () => {
  const project = await openProject();
  const names = ["a", "b", "c", "d", "e", "f"];
  project.write(
    "outreach.yaml",
    `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: 'https://${name}.example.com', secret: { env: S } }\n`).join("")}`,
  );
  await project.run("apply --auto-approve", { S: "first-secret-value" });
  const { sent, code } = await project.run("apply --auto-approve", { S: "second-secret-value" });
  expect(code).toBe(0);
  expect(sent.filter((line) => line.startsWith("DELETE"))).toHaveLength(6);
  const log = project.sandbox.requests().slice(-12);
  const urlOf = new Map(
    project.sandbox
      .requests()
      .flatMap(({ body, response }) =>
        body === null || response === null
          ? []
          : [[(JSON.parse(response) as { _id: string })._id, (body as { targetUrl: string }).targetUrl]],
      ),
  );
  for (const [index, { method, path }] of log.entries()) {
    if (method !== "DELETE") continue;
    const created = log.findIndex(
      ({ body }) => (body as { targetUrl?: string } | null)?.targetUrl === urlOf.get(path.split("/").at(-1) ?? ""),
    );
    expect(created).toBeGreaterThan(index);
    expect(created - index).toBeLessThan(8);
  }
  expect(project.sandbox.webhooks().map(({ secret }) => secret)).toEqual(names.map(() => "second-secret-value"));
});

test("what is taken out of the configuration is deleted", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  project.write("outreach.yaml", "version: 1\n");
  const { code, out, sent } = await project.run("apply --auto-approve");
  expect({ code, sent }).toEqual({ code: 0, sent: ["GET /hooks 200", "DELETE /hooks/hoo_000001 200"] });
  expect(out).toContain("  # outreach_webhook.crm will be destroyed\n  - outreach_webhook.crm\n");
  expect(out).toContain("Plan: 0 to add, 0 to change, 1 to destroy.");
  expect(out).toContain("Apply complete! Resources: 0 added, 0 changed, 1 destroyed.");
  expect(project.sandbox.webhooks()).toEqual([]);
});

test("what is taken out of the configuration and gone already is forgotten without a request that writes", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  project.sandbox.remove("webhooks", "hoo_000001");
  project.write("outreach.yaml", "version: 1\n");
  const { code, out, sent } = await project.run("apply --auto-approve");
  expect({ code, sent }).toEqual({ code: 0, sent: ["GET /hooks 200", "GET /hooks?offset=0 200"] });
  expect(out).toContain("Plan: 0 to add, 0 to change, 0 to destroy.");
  expect(await project.run("plan")).toMatchObject({ out: NO_CHANGES, sent: ["GET /hooks 200"] });
});

test("a webhook that somebody deletes between the plan and its delete counts as gone", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  project.sandbox.addFault({
    action: { kind: "late", delayMs: 0 },
    when: "before",
    method: "DELETE",
    where: () => (project.sandbox.remove("webhooks", "hoo_000001"), true),
  });
  const { code, sent } = await project.run("destroy --auto-approve");
  expect({ code, sent }).toEqual({
    code: 0,
    sent: ["GET /hooks 200", "DELETE /hooks/hoo_000001 404", "GET /hooks 200", "GET /hooks?offset=0 200"],
  });
});

test("webhooks of others are never touched", async () => {
  const project = await openProject();
  project.sandbox.add("webhooks", { _id: "hoo_900001", targetUrl: "https://other.example.com/hooks" });
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  await project.run("destroy --auto-approve");
  expect(project.sandbox.webhooks().map(({ _id }) => _id)).toEqual(["hoo_900001"]);
});

test("an identical unmanaged webhook stops the plan with the command that imports it; after that nothing changes", async () => {
  const project = await openProject();
  project.sandbox.add("webhooks", {
    _id: "hoo_900001",
    targetUrl: "https://crm.example.com/hooks/",
    type: "emailsReplied",
    secret: "unknown-to-us",
  });
  project.environment["S"] = "first-secret-value";
  project.write(
    "outreach.yaml",
    oneWebhook("target_url: HTTPS://CRM.example.com:443/hooks/\ntype: emailsReplied\nsecret: { env: S }"),
  );
  for (const command of ["plan", "apply --auto-approve"]) {
    const stopped = await project.run(command);
    expect(stopped).toMatchObject({ code: 1, out: "", sent: ["GET /hooks 200"] });
    expect(stopped.err).toContain(
      "Error: An identical unmanaged webhook exists [unmanaged_duplicate]\n\n  on outreach.yaml:3:3, in outreach_webhook.crm\n",
    );
    expect(stopped.err).toContain(
      "\nImport it: outreach import outreach_webhook.crm hoo_900001\nTo create another one, set allow_duplicate: true.\n",
    );
  }
  const imported = await project.run("import 'outreach_webhook.crm' hoo_900001");
  expect(imported).toEqual({
    code: 0,
    err: "",
    out: "outreach_webhook.crm: Import complete [id=hoo_900001]\n\nImport successful! The webhook is now managed by this configuration.\n",
    sent: ["GET /hooks 200"],
  });
  const plan = await project.run("plan --detailed-exitcode");
  expect(plan).toMatchObject({ code: 0, out: NO_CHANGES });
  expect(plan.err).toContain("Note: Secret assumed, not verified [secret_assumed]\n\n  with outreach_webhook.crm\n");
  expect(await project.run("import outreach_webhook.crm hoo_900001")).toMatchObject({
    code: 1,
    err: expect.stringContaining("outreach_webhook.crm is already managed, with the id hoo_900001.") as string,
  });

  const rotated = await project.run("apply --auto-approve", { S: "second-secret-value" });
  expect(rotated).toMatchObject({
    code: 0,
    sent: ["GET /hooks 200", "DELETE /hooks/hoo_900001 200", "POST /hooks 200", "GET /hooks 200"],
  });
  expect(await project.run("plan", { S: "second-secret-value" })).toMatchObject({ out: NO_CHANGES, err: "" });
});

test("an imported webhook that is no longer declared is deleted, without a message about its secret", async () => {
  const project = await openProject();
  project.sandbox.add("webhooks", {
    _id: "hoo_900001",
    targetUrl: "https://crm.example.com/hooks",
    type: "emailsReplied",
  });
  project.write("outreach.yaml", oneWebhook(`${BODY}\nsecret: { env: S }`));
  expect(await project.run("import outreach_webhook.crm hoo_900001", { S: "first-secret-value" })).toMatchObject({
    code: 0,
  });
  project.write("outreach.yaml", "version: 1\n");
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    err: "",
    sent: ["GET /hooks 200", "DELETE /hooks/hoo_900001 200"],
  });
});

test("an import of what differs from its declaration is planned as a replace", async () => {
  const project = await openProject();
  project.sandbox.add("webhooks", {
    _id: "hoo_900001",
    targetUrl: "https://old.example.com/hooks",
    type: "emailsSent",
  });
  project.write("outreach.yaml", oneWebhook(BODY));
  expect(await project.run("import outreach_webhook.crm hoo_900001")).toMatchObject({ code: 0 });
  const { code, out } = await project.run("plan --detailed-exitcode");
  expect(code).toBe(2);
  expect(out).toContain(
    '~ target_url = "https://old.example.com/hooks" -> "https://crm.example.com/hooks" # forces replacement',
  );
});

test.each([
  ["what is not there", "outreach_webhook.crm hoo_77", "The service's list holds no webhook with the id hoo_77."],
  ["by an id that is none", "outreach_webhook.crm ../x", '"../x" is not the id of a webhook.'],
  [
    "to what is not declared",
    "outreach_webhook.nope hoo_900001",
    "The configuration does not declare outreach_webhook.nope.",
  ],
  ["to what is not an address", "nope hoo_900001", '"nope" is not the address of a resource.'],
  ["to an unknown type", "outreach_hook.crm hoo_900001", "The resource type outreach_hook does not exist."],
  [
    "to a data source",
    "data.outreach_campaign.crm hoo_900001",
    "data.outreach_campaign.crm is a data source, which is read but never recorded.",
  ],
])("an import of %s is an error that records nothing", async (_name, args, words) => {
  const project = await openProject();
  project.sandbox.add("webhooks", {
    _id: "hoo_900001",
    targetUrl: "https://crm.example.com/hooks",
    type: "emailsReplied",
  });
  project.write("outreach.yaml", oneWebhook(BODY));
  const before = project.files();
  expect(await project.run(`import ${args}`)).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining(words) as string,
  });
  expect(project.files()).toEqual(before);
});

test("one webhook cannot be imported to two addresses", async () => {
  const project = await openProject();
  project.sandbox.add("webhooks", {
    _id: "hoo_900001",
    targetUrl: "https://crm.example.com/hooks",
    type: "emailsReplied",
  });
  project.write("outreach.yaml", `${oneWebhook(BODY)}  other: { target_url: https://other.example.com }\n`);
  await project.run("import outreach_webhook.crm hoo_900001");
  const { code, err } = await project.run("import outreach_webhook.other hoo_900001");
  expect(code).toBe(1);
  expect(err).toContain("hoo_900001 is already managed, as outreach_webhook.crm.");
  expect(err).toContain(
    "outreach state mv outreach_webhook.crm outreach_webhook.other\nOr add to the configuration: moved: [{",
  );
});

test("allow_duplicate creates next to a duplicate, and removing it again changes only the record", async () => {
  const project = await openProject();
  project.sandbox.add("webhooks", {
    _id: "hoo_900001",
    targetUrl: "https://crm.example.com/hooks",
    type: "emailsReplied",
  });
  project.write("outreach.yaml", oneWebhook(`${BODY}\nallow_duplicate: true`));
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    sent: ["GET /hooks 200", "POST /hooks 200", "GET /hooks 200"],
  });
  project.sandbox.remove("webhooks", "hoo_900001");
  project.write("outreach.yaml", oneWebhook(BODY));
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({
    code: 2,
    out: expect.stringContaining("Plan: 0 to add, 1 to change, 0 to destroy.") as string,
  });
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    sent: ["GET /hooks 200"],
    out: expect.stringContaining("Resources: 0 added, 1 changed, 0 destroyed.") as string,
  });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
});

test("a URL that is written differently is recorded without a request", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com"));
  await project.run("apply --auto-approve");
  project.write("outreach.yaml", oneWebhook("target_url: https://CRM.example.com:443/"));
  const { code, out, sent } = await project.run("apply --auto-approve");
  expect({ code, sent }).toEqual({ code: 0, sent: ["GET /hooks 200"] });
  expect(out).toContain(
    '  # outreach_webhook.crm will be updated in the state only; nothing is sent\n  ~ outreach_webhook.crm\n      ~ target_url = "https://crm.example.com" -> "https://CRM.example.com:443/"\n',
  );
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
});

test("a service that normalises URLs changes nothing", async () => {
  const project = await openProject({ profile: { normalizeUrls: true } });
  project.write("outreach.yaml", oneWebhook("target_url: https://CRM.example.com:443"));
  await project.run("apply --auto-approve");
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
});

test("what the list does not carry is no drift", async () => {
  const project = await openProject({
    profile: { fields: { type: "omitted", campaignId: "omitted", createdAt: "omitted" } },
  });
  project.write("outreach.yaml", oneWebhook(`${BODY}\ncampaign_id: cam_000001\nis_first: true\nautomation_id: mine`));
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    sent: ["GET /hooks 200", "POST /hooks?campaignId=cam_000001&isFirst=true&automationId=mine 200", "GET /hooks 200"],
  });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
});

test("a campaign name that finds another campaign replaces the webhook", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(`${BODY}\ncampaign: q3`, CAMPAIGN));
  await project.run("apply --auto-approve");
  project.sandbox.change("campaigns", "cam_000001", { name: "Old Q3 launch" });
  project.sandbox.change("campaigns", "cam_000002", { name: "Q3 launch" });
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    out: expect.stringContaining('~ campaign_id = "cam_000001" -> "cam_000002" # forces replacement') as string,
  });
  expect(only(project).campaignId).toBe("cam_000002");
});

test("a refused create says why, and the next apply makes up for it", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `${oneWebhook(`${BODY}\ncampaign_id: cam_999999`)}  other: { target_url: https://other.example.com }\n`,
  );
  const refused = await project.run("apply --auto-approve");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("POST /hooks: 404 Webhook not found.");
  expect(refused.err).toContain("Check the campaign: there may be none with this id");
  expect(refused.out).toContain("Apply incomplete. Resources: 1 added, 0 changed, 0 destroyed.");
  project.write(
    "outreach.yaml",
    `${oneWebhook(`${BODY}\ncampaign_id: cam_000001`)}  other: { target_url: https://other.example.com }\n`,
  );
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Resources: 1 added, 0 changed, 0 destroyed.") as string,
  });
});

test("a replace whose create is refused says that the webhook is gone, and the next apply creates it", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(`${BODY}\ncampaign_id: cam_000001`));
  await project.run("apply --auto-approve");
  project.write("outreach.yaml", oneWebhook(`${BODY}\ncampaign_id: cam_000002`));
  project.sandbox.addFault({ action: { kind: "answer", status: 400, body: "Bad team" }, method: "POST" });
  const refused = await project.run("apply --auto-approve");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("Error: The old webhook is deleted and the new one does not exist");
  expect(refused.out).toContain("Apply incomplete. Resources: 0 added, 0 changed, 1 destroyed.");
  project.write("outreach.yaml", oneWebhook(`${BODY}\ncampaign_id: cam_000001`));
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    sent: ["GET /hooks 200", "POST /hooks?campaignId=cam_000001 200", "GET /hooks 200"],
  });
});
