import { describe, expect } from "vitest";
import { story, webhook, writes } from "./story.ts";

describe("taint", () => {
  story("taint replaces, untaint takes it back, and -replace does the same once", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['type = "emailsSent"']));
    await terraform.apply();
    const [first] = sandbox.webhooks();
    expect((await terraform.run("taint", "outreach_webhook.crm")).status).toBe(0);
    expect((await terraform.plan()).output).toContain("outreach_webhook.crm is tainted, so must be replaced");
    expect((await terraform.run("untaint", "outreach_webhook.crm")).status).toBe(0);
    expect((await terraform.plan()).status).toBe(0);

    await terraform.run("taint", "outreach_webhook.crm");
    sandbox.clearRequests();
    expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    const [second] = sandbox.webhooks();
    expect(second?._id).not.toBe(first?._id);

    sandbox.clearRequests();
    expect((await terraform.apply("-replace=outreach_webhook.crm")).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    expect(sandbox.webhooks()).toHaveLength(1);
    expect((await terraform.plan()).status).toBe(0);
  });

  story("-replace works with create_before_destroy, whose new one the list cannot tell from the old one", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ["lifecycle {\n    create_before_destroy = true\n  }"]));
    await terraform.apply();
    sandbox.clearRequests();
    expect((await terraform.apply("-replace=outreach_webhook.crm")).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes(sandbox)).toEqual(["POST /hooks", "DELETE /hooks/ID"]);
    expect(sandbox.webhooks()).toHaveLength(1);
  });
});
