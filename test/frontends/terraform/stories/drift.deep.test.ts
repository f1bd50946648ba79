import { describe, expect } from "vitest";
import { live, reads, story, webhook, writes } from "./story.ts";

describe.concurrent("drift", { timeout: 300_000 }, () => {
  story("one that was deleted behind the tool's back is created again", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm") + webhook("audit"));
    await terraform.apply();
    sandbox.remove("webhooks", live(sandbox, "crm")?._id ?? "");
    sandbox.clearRequests();
    const plan = await terraform.plan();
    expect(plan.status).toBe(2);
    expect(plan.output).toContain("outreach_webhook.crm will be created");
    expect(plan.output).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
    expect(writes(sandbox)).toEqual([]);
    expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
    expect(writes(sandbox)).toEqual(["POST /hooks"]);
    expect(sandbox.webhooks()).toHaveLength(2);
  });

  story(
    "of 51, one deleted by hand is drift, and a list truncated at 50 shows none",
    async ({ sandbox, terraform }) => {
      terraform.write(
        "main.tf",
        'resource "outreach_webhook" "many" {\n  for_each   = toset([for number in range(51) : tostring(number)])\n  target_url = "https://crm.example.com/${each.key}"\n}\n',
      );
      sandbox.configure({ profile: { offset: false, cap: 50 } });
      await terraform.apply();
      const truncated = await terraform.plan();
      expect(truncated.status).toBe(0);
      expect(truncated.words).toContain("A webhook is missing from a list that may be truncated");
      sandbox.configure({ profile: { cap: null } });
      sandbox.remove("webhooks", sandbox.webhooks()[25]?._id ?? "");
      const plan = await terraform.plan();
      expect(plan.status).toBe(2);
      expect(plan.output).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
      expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
      expect(sandbox.webhooks()).toHaveLength(51);
    },
  );

  story("all that were deleted are created again", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm") + webhook("audit") + webhook("bi"));
    await terraform.apply();
    for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
    sandbox.clearRequests();
    expect((await terraform.apply()).output).toContain("Resources: 3 added, 0 changed, 0 destroyed.");
    expect(writes(sandbox)).toEqual(["POST /hooks", "POST /hooks", "POST /hooks"]);
    expect((await terraform.plan()).status).toBe(0);
  });

  story("one that others have changed is replaced", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['type = "emailsSent"']));
    await terraform.apply();
    sandbox.change("webhooks", live(sandbox, "crm")?._id ?? "", { type: "emailsReplied" });
    const plan = await terraform.plan();
    expect(plan.output).toMatch(/~ type .*"emailsReplied" -> "emailsSent" # forces replacement/);
    expect((await terraform.apply()).status).toBe(0);
    expect(sandbox.webhooks()).toMatchObject([{ type: "emailsSent" }]);
  });

  story("plan and apply with -refresh-only record what is there, and send nothing", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm") + webhook("audit"));
    await terraform.apply();
    sandbox.remove("webhooks", live(sandbox, "crm")?._id ?? "");
    sandbox.clearRequests();
    const plan = await terraform.plan("-refresh-only");
    expect(plan.status).toBe(2);
    expect(plan.output).toContain("outreach_webhook.crm has been deleted");
    expect((await terraform.apply("-refresh-only")).status).toBe(0);
    expect(await terraform.addresses()).toEqual(["outreach_webhook.audit"]);
    expect([writes(sandbox), new Set(reads(sandbox))]).toEqual([[], new Set(["/hooks"])]);
  });

  story("a list that cannot be read, or is none, is an error and never a loss", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    await terraform.apply();
    for (const action of [{ kind: "html" }, { kind: "answer", status: 200, body: "{}" }] as const) {
      sandbox.addFault({ action, operation: "listWebhooks", times: null });
      const plan = await terraform.plan();
      expect(plan.status).toBe(1);
      expect(plan.words).toContain("Error: The service could not be read");
      sandbox.clearFaults();
    }
    expect((await terraform.plan()).status).toBe(0);
  });
});
