import { describe, expect } from "vitest";
import { story, webhook, writes } from "./story.ts";

describe.concurrent("create", { timeout: 300_000 }, () => {
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
