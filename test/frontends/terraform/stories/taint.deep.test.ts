import { describe, expect } from "vitest";
import { story, webhook, writes } from "./story.ts";

describe.concurrent("taint", { timeout: 300_000 }, () => {
  story("taint replaces, untaint takes it back, and -replace does the same once", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['type = "emailsSent"']));
    await terraform.apply();
    const [first] = sandbox.webhooks();
    expect((await terraform.run("taint", "outreach_webhook.crm")).status).toBe(0);
    expect((await terraform.plan()).output).toMatch(/outreach_webhook\.crm is tainted, so (?:it )?must be replaced/);
    expect((await terraform.run("untaint", "outreach_webhook.crm")).status).toBe(0);
    expect((await terraform.plan()).status).toBe(0);

    await terraform.run("taint", "outreach_webhook.crm");
    sandbox.clearRequests();
    expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    const [second] = sandbox.webhooks();
    expect(second?._id).not.toBe(first?._id);

    sandbox.clearRequests();
    expect((await terraform.apply("-replace=outreach_webhook.crm")).output).toContain(
      "Resources: 1 added, 0 changed, 1 destroyed.",
    );
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    expect(sandbox.webhooks()).toHaveLength(1);
    expect((await terraform.plan()).status).toBe(0);
  });

  story(
    "the new one may come first, although the list cannot tell it from the old one",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("crm", ["lifecycle {\n    create_before_destroy = true\n  }"]));
      await terraform.apply();
      for (const [preparation, options] of [
        [[], ["-replace=outreach_webhook.crm"]],
        [["taint", "outreach_webhook.crm"], []],
        [["taint", "outreach_webhook.crm"], ["-refresh=false"]],
      ] as const) {
        if (preparation.length > 0) await terraform.run(...preparation);
        sandbox.clearRequests();
        expect((await terraform.apply(...options)).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
        expect(writes(sandbox)).toEqual(["POST /hooks", "DELETE /hooks/ID"]);
        expect(sandbox.webhooks()).toHaveLength(1);
      }
    },
  );

  story("an identical second declaration is still no replacement of the first", async ({ sandbox, terraform }) => {
    const duplicates = (names: readonly string[]) =>
      names.map((name) => webhook(name, [], "https://crm.example.com/")).join("");
    terraform.write("main.tf", duplicates(["one"]));
    await terraform.apply();
    terraform.write("main.tf", duplicates(["one", "two", "zero"]));
    for (const options of [[], ["-parallelism=1"]]) {
      const { status, words } = await terraform.apply(...options);
      expect(status).toBe(1);
      expect(words).toContain(sandbox.webhooks()[0]?._id);
      expect(sandbox.webhooks()).toHaveLength(1);
    }
  });

  story(
    "nor does a plan that failed between reading the first and asking for it make it one",
    async ({ sandbox, terraform }) => {
      const duplicate = (lines: readonly string[]) => webhook("two", lines, "https://crm.example.com/");
      terraform.write("main.tf", webhook("crm"));
      await terraform.apply();
      terraform.write(
        "main.tf",
        'variable "text" {}\ndata "outreach_campaign" "slow" {\n  name = "Q3 launch"\n}\n' +
          duplicate(["depends_on = [data.outreach_campaign.slow]"]) +
          webhook("crm", ['automation_id = regex("a", var.text)']),
      );
      sandbox.addFault({ action: { kind: "late", delayMs: 1000 }, operation: "listCampaigns" });
      expect((await terraform.plan("-var=text=b")).status).toBe(1);
      terraform.write("main.tf", duplicate([]) + webhook("crm"));
      expect((await terraform.apply()).status).toBe(1);
      expect(sandbox.webhooks()).toHaveLength(1);
    },
  );
});
