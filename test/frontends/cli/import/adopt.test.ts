import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, useProjects } from "../project.ts";
import { NO_CHANGES, NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const BODY =
  "target_url: https://crm.example.com/hooks\ntype: emailsReplied\ncampaign_id: cam_000001\nsecret: { env: S }";
const DUPLICATE = {
  targetUrl: "https://crm.example.com/hooks",
  type: "emailsReplied",
  campaignId: "cam_000001",
} as const;

async function withDuplicate(): Promise<Project> {
  const project = await openProject();
  project.environment["S"] = "first-secret-value";
  project.write("outreach.yaml", oneWebhook(BODY));
  project.sandbox.add("webhooks", { _id: "hoo_duplicate", ...DUPLICATE });
  return project;
}

describe("an identical unmanaged webhook", () => {
  test("stops its address with the ways out, and nothing else is done", async () => {
    const project = await withDuplicate();
    project.write("outreach.yaml", `${oneWebhook(BODY)}  other: { target_url: 'https://other.example.com' }\n`);
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, sent]).toEqual([1, ["GET /hooks 200"]]);
    expect(err).toContain(
      "Error: An identical unmanaged webhook exists [unmanaged_duplicate]\n\n  on outreach.yaml:3:3, in outreach_webhook.crm\n",
    );
    expect(err).toContain(
      "Import it: outreach import outreach_webhook.crm hoo_duplicate\nTo import every certain match, run again with --adopt.\nTo create another one, set allow_duplicate: true.\nIf another state manages it, remove it there first (`state rm`).\n",
    );
  });

  test("is taken over by --adopt without a request, and counts as an import", async () => {
    const project = await withDuplicate();
    const plan = await project.run("plan --adopt --detailed-exitcode");
    expect(plan.code).toBe(2);
    expect(plan.out).toContain("  # outreach_webhook.crm will be imported\n  # (already exists: nothing is sent)\n");
    expect(plan.out).toContain("Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.\n");
    expect(plan.err).toContain("Note: Secret assumed, not verified [secret_assumed]\n");
    const applied = await project.run("apply --adopt --auto-approve");
    expect(applied).toMatchObject({ code: 0, sent: ["GET /hooks 200"] });
    expect(applied.out).toContain("Apply complete! Resources: 1 imported, 0 added, 0 changed, 0 destroyed.\n");
    const after = await project.run("plan --detailed-exitcode");
    expect(after).toMatchObject({ code: 0, out: NO_CHANGES });
    expect(after.err).toContain("Note: Secret assumed, not verified [secret_assumed]\n\n  with outreach_webhook.crm\n");
  });

  test("keeps its secret until the declared one changes, or a replace is asked for", async () => {
    const project = await withDuplicate();
    await project.run("apply --adopt --auto-approve");
    const changed = await project.run("plan --detailed-exitcode", { S: "second-secret-value" });
    expect([changed.code, changed.err]).toEqual([2, ""]);
    expect(changed.out).toContain("~ secret     = (sensitive value) # forces replacement");
    const replaced = await project.run("apply --auto-approve --replace outreach_webhook.crm");
    expect(replaced.sent).toEqual([
      "GET /hooks 200",
      "DELETE /hooks/hoo_duplicate 200",
      "POST /hooks?campaignId=cam_000001 200",
      "GET /hooks 200",
    ]);
    expect(replaced.out).toContain("  # outreach_webhook.crm will be replaced, as requested\n");
    expect(project.sandbox.webhooks()).toMatchObject([{ secret: "first-secret-value" }]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("whose campaign the list does not show is not taken over, and that is said", async () => {
    const project = await withDuplicate();
    project.sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
    const { code, err, sent } = await project.run("apply --adopt --auto-approve");
    expect([code, sent]).toEqual([1, ["GET /hooks 200"]]);
    expect(err).toContain(
      "The list does not show its campaign_id, so it may be a different one, and is never adopted without its id.",
    );
    expect(err).toContain(
      "Import it: outreach import outreach_webhook.crm hoo_duplicate\nTo create another one, set allow_duplicate: true.\n",
    );
  });

  test("that there are several of is not taken over: one has to be named", async () => {
    const project = await withDuplicate();
    project.sandbox.add("webhooks", { _id: "hoo_duplicate2", ...DUPLICATE });
    const { code, err, sent } = await project.run("apply --adopt --auto-approve");
    expect([code, sent]).toEqual([1, ["GET /hooks 200"]]);
    expect(err).toContain("hoo_duplicate, hoo_duplicate2 are live with the same");
    expect(err).toContain("Import one of them: outreach import outreach_webhook.crm ID\n");
    expect(await project.run("import outreach_webhook.crm hoo_duplicate2")).toMatchObject({ code: 0 });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("is no duplicate in another campaign, and is doubled on purpose with allow_duplicate", async () => {
    const project = await withDuplicate();
    project.write("outreach.yaml", oneWebhook(BODY.replace("cam_000001", "cam_000002")));
    expect(await project.run("plan")).toMatchObject({ code: 0, err: NO_STATE_YET });
    project.write("outreach.yaml", oneWebhook(`${BODY}\nallow_duplicate: true`));
    expect(await project.run("apply --auto-approve --adopt")).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added") as string,
    });
    expect(project.sandbox.webhooks()).toHaveLength(2);
    expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks().map(({ _id }) => _id)).toEqual(["hoo_duplicate"]);
  });
});

describe("import", () => {
  test("of a webhook that is not as declared says that the next apply replaces it, and how to remove its record", async () => {
    const project = await withDuplicate();
    project.write("outreach.yaml", oneWebhook(BODY.replace("/hooks", "/other")));
    const imported = await project.run("import outreach_webhook.crm hoo_duplicate");
    expect(imported.code).toBe(0);
    expect(imported.err).toContain(
      "hoo_duplicate has another target_url than outreach_webhook.crm declares: the next apply replaces it.",
    );
    expect(imported.err).toContain("Remove its record: outreach state rm outreach_webhook.crm\n");
    expect((await project.run("state rm outreach_webhook.crm")).code).toBe(0);
    expect(project.sandbox.records("webhooks")).toHaveLength(1);
  });

  test("takes over a protected webhook that is not as declared, and leaves the refusal to the next plan", async () => {
    const project = await withDuplicate();
    project.write("outreach.yaml", oneWebhook(`${BODY.replace("/hooks", "/other")}\nprotect: true`));
    expect(await project.run("import outreach_webhook.crm hoo_duplicate")).toMatchObject({
      code: 0,
      err: expect.stringContaining("the next apply replaces it.") as string,
    });
    expect((await project.run("plan")).err).toContain(
      "outreach_webhook.crm is protected, but would be replaced, because of target_url.",
    );
  });

  test("records that webhook alone: other changes and outputs wait for the next apply", async () => {
    const project = await withDuplicate();
    project.write(
      "outreach.yaml",
      `${oneWebhook(BODY)}  other: { target_url: https://other.example.com/ }\noutputs:\n  crm: \${outreach_webhook.crm.id}\n`,
    );
    expect(await project.run("import outreach_webhook.crm hoo_duplicate")).toMatchObject({
      code: 0,
      sent: ["GET /hooks 200"],
    });
    expect(JSON.parse(project.read("outreach.state.json"))).toMatchObject({
      instances: [{ address: "outreach_webhook.crm", id: "hoo_duplicate" }],
      outputs: [],
    });
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining('crm = "hoo_duplicate"') as string,
    });
  });

  test("under a mistyped address says which one may be meant", async () => {
    const project = await withDuplicate();
    const { code, err } = await project.run("import outreach_webhook.crn hoo_duplicate");
    expect(code).toBe(1);
    expect(err).toContain(
      "Declare it: an import records an object at a declared address.\nDid you mean outreach_webhook.crm?\n",
    );
  });
});

test("the same webhook declared twice is refused, unless both say that it is meant", async () => {
  const project = await openProject();
  const two = (a: string, b: string): string =>
    `version: 1\nwebhooks:\n  a: { target_url: 'https://x.example.com'${a} }\n  b: { target_url: 'https://X.example.com/'${b} }\n`;
  for (const [a, b] of [
    ["", ""],
    ["", ", allow_duplicate: true"],
  ] as const) {
    project.write("outreach.yaml", two(a, b));
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toContain(
      "Error: The same webhook is declared twice [declared_twice]\n\n  on outreach.yaml:4:3, in outreach_webhook.b\n",
    );
  }
  project.write(
    "outreach.yaml",
    `${two(", allow_duplicate: true", ", allow_duplicate: true")}ignore: [shared_target_url]\n`,
  );
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
  expect(project.sandbox.webhooks()).toHaveLength(2);
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
});
