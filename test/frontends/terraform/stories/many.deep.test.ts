import { describe, expect } from "vitest";
import { reads, story, writes } from "./story.ts";

const COUNT = 200;
/** Those that exist before, because the service takes 20 creates in two seconds. */
const KNOWN = 140;

const many = (count: number): string => `
resource "outreach_webhook" "many" {
  for_each   = toset([for number in range(${String(count)}) : tostring(number)])
  target_url = "https://crm.example.com/hooks/\${each.key}"
}
`;
const IMPORTS = `
import {
  for_each = toset([for number in range(${String(KNOWN)}) : tostring(number)])
  to       = outreach_webhook.many[each.key]
  id       = "hoo_\${each.key}"
}
`;

describe.concurrent("two hundred webhooks by for_each", { timeout: 300_000 }, () => {
  story(
    "are imported and created without a refusal for the rate limit, and read with one list a walk",
    async ({ sandbox, terraform }) => {
      // Terraform plans in another process, whose requests the rate limit counts too: it counts those of the apply alone.
      const applied = async (...options: readonly string[]) => {
        expect((await terraform.plan("-out=saved.tfplan")).status).toBe(2);
        sandbox.configure({ rateLimit: { limit: 20, windowMs: 2000, kind: "fixed" } });
        return terraform.apply(...options, "saved.tfplan");
      };
      for (let number = 0; number < KNOWN; number++)
        sandbox.add("webhooks", {
          _id: `hoo_${String(number)}`,
          targetUrl: `https://crm.example.com/hooks/${String(number)}`,
        });
      terraform.write("main.tf", many(COUNT) + IMPORTS);
      const created = await applied();
      expect(created.output).toContain(
        `Apply complete! Resources: ${String(KNOWN)} imported, ${String(COUNT - KNOWN)} added, 0 changed, 0 destroyed.`,
      );
      expect(writes(sandbox)).toHaveLength(COUNT - KNOWN);
      expect(sandbox.webhooks()).toHaveLength(COUNT);

      sandbox.clearRequests();
      expect((await terraform.plan()).status).toBe(0);
      // 200 may be a full page, so the end of the list is confirmed.
      expect(reads(sandbox)).toEqual(["/hooks", "/hooks"]);
      expect(sandbox.requests().map(({ query }) => query["offset"] ?? "0")).toEqual(["0", String(COUNT)]);

      sandbox.clearRequests();
      for (const { _id } of sandbox.webhooks().slice(0, 11)) sandbox.remove("webhooks", _id);
      expect((await applied("-parallelism=20")).output).toContain("Resources: 11 added, 0 changed, 0 destroyed.");
      expect(writes(sandbox)).toHaveLength(11);
      expect(sandbox.requests().filter(({ status }) => status === 429)).toEqual([]);
    },
  );

  story("go one at a time with -parallelism=1", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", many(8));
    expect((await terraform.apply("-parallelism=1")).status).toBe(0);
    sandbox.clearRequests();
    expect((await terraform.plan("-parallelism=1")).status).toBe(0);
    expect(reads(sandbox)).toEqual(["/hooks"]);
    expect((await terraform.destroy("-parallelism=20")).output).toContain("Destroy complete! Resources: 8 destroyed.");
    expect(sandbox.webhooks()).toEqual([]);
  });
});
