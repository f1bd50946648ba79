import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { sandboxForTest } from "./provider-under-test.ts";
import { TerraformUnderTest, hasTerraform } from "./terraform-under-test.ts";

const PROVIDER = `
terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
`;

const READS = `
data "outreach_campaigns" "running" {
  status     = "running"
  labels     = ["launch"]
  name_regex = "^Q"
}
data "outreach_campaign" "q3" {
  name = "Q3 launch"
}
data "outreach_schedules" "q3" {
  campaign_id = data.outreach_campaign.q3.id
}
data "outreach_warmup_settings" "sales" {
  user_mailbox_id = "usm_000001"
}
data "outreach_webhooks" "all" {}
output "seen" {
  value = {
    campaigns = data.outreach_campaigns.running.ids
    name      = data.outreach_campaigns.running.campaigns[0].name
    schedule  = data.outreach_schedules.q3.schedules[0].timezone
    score     = data.outreach_warmup_settings.sales.deliverability.score
    webhooks  = length(data.outreach_webhooks.all.webhooks)
  }
}
`;

const unsubscription = (lines: string): string => `
resource "outreach_lead_unsubscription" "gone" {
  campaign_id = "cam_000001"
${lines}
}
`;

describe("every type of the catalog under real terraform", () => {
  let sandbox: Sandbox;
  let terraform: TerraformUnderTest;
  beforeAll(async () => {
    if (!hasTerraform) return;
    sandbox = await sandboxForTest();
    terraform = await TerraformUnderTest.start(PROVIDER, { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.keys.good });
  }, 60_000);
  beforeEach(({ skip }) => skip(!hasTerraform, "no terraform on the PATH"));
  afterAll(async () => {
    if (!hasTerraform) return;
    terraform.remove();
    await sandbox.close();
  });

  test("the data sources read what the service shows", { timeout: 60_000 }, async () => {
    terraform.write("main.tf", PROVIDER + READS);
    const { status, output } = await terraform.apply();
    expect([status, output]).toEqual([0, expect.stringContaining("Apply complete!")]);
    const { output: seen } = await terraform.run("output", "-json", "seen");
    expect(JSON.parse(seen)).toEqual({ campaigns: ["cam_000001"], name: "Q3 launch", schedule: "Europe/Paris", score: 97, webhooks: 0 });
  });

  test("an unsubscription is sent once, kept without a read, and only forgotten", { timeout: 90_000 }, async () => {
    const [lead] = sandbox.records("leads").filter(({ campaignId }) => campaignId === "cam_000001");
    terraform.write("main.tf", PROVIDER + unsubscription(`  email = "${String(lead?.email)}"`));
    sandbox.clearRequests();
    expect((await terraform.apply()).output).toContain("1 added, 0 changed, 0 destroyed");
    expect(sandbox.requests().map(({ method, path }) => `${method} ${path}`)).toEqual([
      `DELETE /campaigns/cam_000001/leads/${encodeURIComponent(String(lead?.email))}`,
    ]);
    expect((await terraform.plan()).status).toBe(0);
    terraform.write("main.tf", PROVIDER + unsubscription(`  email        = "${String(lead?.email)}"\n  on_not_found = "retry"`));
    expect((await terraform.apply()).output).toContain("0 added, 1 changed, 0 destroyed");
    terraform.write("main.tf", PROVIDER);
    expect((await terraform.apply()).output).toContain("1 destroyed");
    expect(sandbox.requests()).toHaveLength(1);
  });

  test("a lead that is not there is a warning, or an error where it is said to be one", { timeout: 60_000 }, async () => {
    terraform.write("main.tf", PROVIDER + unsubscription('  email = "nobody@example.com"'));
    const warned = await terraform.apply();
    expect(warned.status).toBe(0);
    expect(warned.output).toContain("Warning: No such lead in the campaign");
    expect((await terraform.run("state", "show", "-no-color", "outreach_lead_unsubscription.gone")).output).toMatch(/outcome\s+= "not_found"/);
    terraform.write("main.tf", PROVIDER + unsubscription('  email        = "nobody-else@example.com"\n  on_not_found = "error"'));
    const refused = await terraform.apply();
    expect(refused.status).toBe(1);
    expect(refused.output).toContain("Error: No such lead in the campaign");
  });
});
