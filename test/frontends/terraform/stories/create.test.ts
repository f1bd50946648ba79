import { describe, expect } from "vitest";
import { live, reads, story, webhook, writes } from "./story.ts";

const EVERY_ATTRIBUTE = [
  'type = "emailsReplied"',
  'campaign_id = "cam_000001"',
  "is_first = true",
  'automation_id = "auto"',
  'secret = "s3cret"',
];

describe.concurrent("create", { timeout: 300_000 }, () => {
  story("sends every attribute in one request, and then there is nothing to do", async ({ sandbox, terraform }) => {
    terraform.write(
      "main.tf",
      webhook("full", EVERY_ATTRIBUTE) + webhook("bare") + 'output "id" {\n  value = outreach_webhook.full.id\n}\n',
    );
    const created = await terraform.apply();
    expect(created.status).toBe(0);
    expect(created.output).toContain("Apply complete! Resources: 2 added, 0 changed, 0 destroyed.");
    expect(created.output).not.toContain("s3cret");
    expect(writes(sandbox)).toEqual(["POST /hooks", "POST /hooks"]);
    expect(live(sandbox, "full")).toMatchObject({
      type: "emailsReplied",
      campaignId: "cam_000001",
      isFirst: true,
      automationId: "auto",
      secret: "s3cret",
    });
    expect(live(sandbox, "bare")).toMatchObject({
      type: null,
      campaignId: null,
      isFirst: false,
      automationId: null,
      secret: null,
    });
    expect((await terraform.run("output", "-raw", "id")).output).toBe(live(sandbox, "full")?._id);

    sandbox.clearRequests();
    const again = await terraform.plan();
    expect(again.status).toBe(0);
    expect(again.output).toContain("No changes. Your infrastructure matches the configuration.");
    expect([writes(sandbox), reads(sandbox)]).toEqual([[], ["/hooks"]]);
  });

  story(
    "a setting of ours is recorded in place, without a request that changes anything",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("crm"));
      await terraform.apply();
      sandbox.clearRequests();
      terraform.write("main.tf", webhook("crm", ["allow_duplicate = true"]));
      expect((await terraform.apply()).output).toContain("Resources: 0 added, 1 changed, 0 destroyed.");
      expect(writes(sandbox)).toEqual([]);
      expect((await terraform.plan()).status).toBe(0);
    },
  );

  story("what is written differently but means the same is no change", async ({ sandbox, terraform }) => {
    sandbox.configure({ profile: { normalizeUrls: true } });
    terraform.write("main.tf", webhook("crm", ["is_first = false"], "https://CRM.example.com"));
    expect((await terraform.apply()).status).toBe(0);
    expect((await terraform.plan()).status).toBe(0);
    terraform.write("main.tf", webhook("crm", [], "https://crm.example.com/"));
    sandbox.clearRequests();
    expect((await terraform.apply()).output).toContain("Resources: 0 added, 1 changed, 0 destroyed.");
    expect(writes(sandbox)).toEqual([]);
  });

  story("a refused create is an error, and nothing is in the state", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000101"']));
    const refused = await terraform.apply();
    expect(refused.status).toBe(1);
    expect(refused.words).toContain("Bad team");
    expect(refused.output).toContain("with outreach_webhook.crm");
    expect(await terraform.addresses()).toEqual([]);
    expect(sandbox.webhooks()).toEqual([]);
  });

  story("a definite refusal is final, and a busy service is asked again", async ({ sandbox, terraform }) => {
    sandbox.addFault({
      action: { kind: "answer", status: 429, headers: { "Retry-After": "1" } },
      operation: "addWebhook",
      times: 1,
    });
    terraform.write("main.tf", webhook("crm"));
    expect((await terraform.apply()).status).toBe(0);
    expect(writes(sandbox)).toEqual(["POST /hooks", "POST /hooks"]);
    expect(sandbox.webhooks()).toHaveLength(1);
  });
});
