import { describe, expect } from "vitest";
import { live, reads, story, webhook, writes } from "./story.ts";

describe.concurrent("addresses", { timeout: 300_000 }, () => {
  story("a moved block renames without a request", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    await terraform.apply();
    sandbox.clearRequests();
    terraform.write(
      "main.tf",
      `${webhook("sales", [], "https://crm.example.com/")}moved {\n  from = outreach_webhook.crm\n  to   = outreach_webhook.sales\n}\n`,
    );
    const moved = await terraform.apply();
    expect(moved.output).toContain("outreach_webhook.crm has moved to outreach_webhook.sales");
    expect(moved.output).toContain("Resources: 0 added, 0 changed, 0 destroyed.");
    expect(await terraform.addresses()).toEqual(["outreach_webhook.sales"]);
    expect(writes(sandbox)).toEqual([]);
  });

  story(
    "a moved block from a resource that does not know the webhook stops, and shows the import",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", 'resource "terraform_data" "crm" {}\n');
      await terraform.apply();
      terraform.write(
        "main.tf",
        `${webhook("crm")}moved {\n  from = terraform_data.crm\n  to   = outreach_webhook.crm\n}\n`,
      );
      const { status, words } = await terraform.apply();
      expect([status, words]).toEqual([1, expect.stringContaining("A webhook cannot be moved from terraform_data")]);
      expect(words).toContain('import { to = outreach_webhook.NAME id = "ID" }');
      expect([await terraform.addresses(), sandbox.requests()]).toEqual([["terraform_data.crm"], []]);
    },
  );

  story("a renamed block without one is deleted and created", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    await terraform.apply();
    terraform.write("main.tf", webhook("sales", [], "https://crm.example.com/"));
    sandbox.clearRequests();
    const renamed = await terraform.apply();
    // Terraform does not order the two; created first, it is the duplicate of one that is still managed.
    expect(renamed.output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes(sandbox).toSorted()).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    expect(sandbox.webhooks()).toHaveLength(1);
    expect((await terraform.plan()).status).toBe(0);
  });

  story("a removed block and state rm forget without a request", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm") + webhook("audit"));
    await terraform.apply();
    sandbox.clearRequests();
    terraform.write(
      "main.tf",
      `${webhook("audit")}removed {\n  from = outreach_webhook.crm\n  lifecycle {\n    destroy = false\n  }\n}\n`,
    );
    expect((await terraform.apply()).status).toBe(0);
    expect((await terraform.run("state", "rm", "outreach_webhook.audit")).status).toBe(0);
    expect(await terraform.addresses()).toEqual([]);
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.webhooks()).toHaveLength(2);
  });

  story("-target plans and applies that one alone", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm") + webhook("audit"));
    expect((await terraform.plan("-target=outreach_webhook.crm")).output).toContain(
      "Plan: 1 to add, 0 to change, 0 to destroy.",
    );
    expect((await terraform.apply("-target=outreach_webhook.crm")).output).toContain(
      "Resources: 1 added, 0 changed, 0 destroyed.",
    );
    expect(sandbox.webhooks()).toMatchObject([{ targetUrl: "https://crm.example.com/" }]);
    await terraform.apply();
    sandbox.clearRequests();
    expect((await terraform.destroy("-target=outreach_webhook.audit")).output).toContain(
      "Destroy complete! Resources: 1 destroyed.",
    );
    expect(live(sandbox, "crm")).toBeDefined();
    expect(live(sandbox, "audit")).toBeUndefined();
  });

  story("count and for_each with instances that come and go touch only those", async ({ sandbox, terraform }) => {
    const each = (names: readonly string[]) =>
      `resource "outreach_webhook" "each" {\n  for_each   = toset(${JSON.stringify(names)})\n  target_url = "https://\${each.key}.example.com/"\n}\n`;
    terraform.write("main.tf", each(["a", "b", "c"]));
    await terraform.apply();
    sandbox.clearRequests();
    terraform.write("main.tf", each(["b", "c", "d"]));
    expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes(sandbox).toSorted()).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    expect(reads(sandbox).every((path) => path === "/hooks")).toBe(true);
    expect(["a", "b", "c", "d"].map((name) => live(sandbox, name) !== undefined)).toEqual([false, true, true, true]);
  });
});
