import { describe, expect } from "vitest";
import { story, webhook, writes } from "./story.ts";

const LINES = ['type = "emailsSent"', "is_first = false", 'automation_id = "auto"', 'secret = "known-before"'];

describe.concurrent("import", { timeout: 300_000 }, () => {
  story("the command takes a webhook over: what the list does not show is recorded in place, once", async ({ sandbox, terraform }) => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com", type: "emailsSent", secret: "known-before" });
    terraform.write("main.tf", webhook("crm", LINES));
    const imported = await terraform.run("import", "-no-color", "-input=false", "outreach_webhook.crm", id);
    expect(imported.output).toContain("Import successful!");
    const recorded = await terraform.apply();
    expect(recorded.output).toContain("Resources: 0 added, 1 changed, 0 destroyed.");
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });

  story("a block takes a webhook over within an apply", async ({ sandbox, terraform }) => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", type: "emailsSent", campaignId: "cam_000001" });
    terraform.write(
      "main.tf",
      `${webhook("crm", ['type = "emailsSent"', 'campaign_id = "cam_000001"'])}import {\n  to = outreach_webhook.crm\n  id = "${id}"\n}\n`,
    );
    const imported = await terraform.apply();
    expect(imported.output).toMatch(/Resources: 1 imported, 0 added, [01] changed, 0 destroyed\./);
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });

  story("an id can say what the list does not show, and then there is nothing left to record", async ({ sandbox, terraform }) => {
    sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", campaignId: "cam_000001", isFirst: true });
    terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000001"', "is_first = true"]));
    const imported = await terraform.run("import", "-no-color", "-input=false", "outreach_webhook.crm", `${id},campaign_id=cam_000001,is_first=true`);
    expect([imported.status, imported.output]).toEqual([0, expect.stringContaining("Import successful!")]);
    expect(await terraform.attributes("outreach_webhook.crm")).toMatchObject({ id, campaign_id: "cam_000001", is_first: true });
    expect((await terraform.plan()).status).toBe(0);
    terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000002"', "is_first = true"]));
    expect((await terraform.plan()).output).toMatch(/~ campaign_id .*"cam_000001" -> "cam_000002" # forces replacement/);
    expect(writes(sandbox)).toEqual([]);
  });

  story("an unsubscription that was made elsewhere is recorded without sending it", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", 'resource "outreach_lead_unsubscription" "gone" {\n  campaign_id = "cam_000001"\n  email       = "ada@example.com"\n}\n');
    const imported = await terraform.run("import", "-no-color", "-input=false", "outreach_lead_unsubscription.gone", "cam_000001/ada@example.com");
    expect([imported.status, imported.output]).toEqual([0, expect.stringContaining("Import successful!")]);
    expect((await terraform.apply()).output).toMatch(/Resources: 0 added, [01] changed, 0 destroyed\./);
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });

  story("an attribute that differs from what is live replaces what was imported", async ({ sandbox, terraform }) => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", type: "emailsReplied" });
    terraform.write("main.tf", `${webhook("crm", ['type = "emailsSent"'])}import {\n  to = outreach_webhook.crm\n  id = "${id}"\n}\n`);
    const plan = await terraform.plan();
    expect(plan.output).toMatch(/~ type .*"emailsReplied" -> "emailsSent" # forces replacement/);
  });

  story("what is not there, is another team's, or is no id, is an error", async ({ sandbox, terraform }) => {
    const { _id: foreign } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", teamId: "tea_000002" });
    terraform.write("main.tf", webhook("crm"));
    for (const [id, words] of [
      ["hoo_999999", "Cannot import non-existent remote object"],
      [foreign, "Cannot import non-existent remote object"],
      ["cam_000001", "Invalid webhook id"],
    ] as const) {
      const refused = await terraform.run("import", "-no-color", "-input=false", "outreach_webhook.crm", id);
      expect([id, refused.status]).toEqual([id, 1]);
      expect(refused.words).toContain(words);
    }
    expect(await terraform.addresses()).toEqual([]);
  });

  story("-generate-config-out writes a declaration that plans no replace", async ({ sandbox, terraform }) => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", type: "emailsSent" });
    terraform.write("import.tf", `import {\n  to = outreach_webhook.crm\n  id = "${id}"\n}\n`);
    const generated = await terraform.plan("-generate-config-out=generated.tf");
    expect(generated.output).toMatch(/Plan: 1 to import, 0 to add, [01] to change, 0 to destroy\./);
    expect(terraform.read("generated.tf").toString()).toMatch(/target_url\s+= "https:\/\/crm.example.com\/"/);
    expect((await terraform.apply()).status).toBe(0);
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });
});
