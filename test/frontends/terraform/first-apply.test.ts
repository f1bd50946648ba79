import { describe, expect } from "vitest";
import { live, reads, story, webhook, writes } from "./stories/story.ts";

const EVERY_ATTRIBUTE = [
  'type = "emailsReplied"',
  'campaign_id = "cam_000001"',
  "is_first = true",
  'automation_id = "auto"',
  'secret = "s3cret"',
];

describe("the first apply with Terraform", { timeout: 300_000 }, () => {
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
});
