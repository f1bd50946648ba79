import { describe, expect } from "vitest";
import { live, story, webhook, writes } from "./story.ts";

describe.concurrent("saved plans", { timeout: 300_000 }, () => {
  story("are applied as they are, and only once", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['secret = "in-the-plan"']));
    expect((await terraform.plan("-out=saved.plan")).status).toBe(2);
    expect(writes(sandbox)).toEqual([]);
    const { environment } = terraform;
    terraform.environment = { ...environment, TF_LOG: "debug" };
    // Terraform reads the log from the process.
    terraform.hasProcesses = true;
    const applied = await terraform.run("apply", "-no-color", "-input=false", "saved.plan");
    terraform.environment = environment;
    terraform.hasProcesses = false;
    expect(applied.output).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
    // Terraform prints the fields of a provider's line in any order.
    const sent = applied.output
      .split("\n")
      .filter((line) => /\[DEBUG\] provider\.terraform-provider-outreach.*: request: .*method=POST/.test(line));
    expect(sent).toEqual([expect.stringMatching(/^(?=.* path=\/api\/hooks( |$))(?=.* status=200( |$))/)]);
    expect(applied.output).not.toContain(sandbox.keys.good);
    expect(applied.output).not.toContain("in-the-plan");
    expect(live(sandbox, "crm")?.secret).toBe("in-the-plan");
    const stale = await terraform.run("apply", "-no-color", "-input=false", "saved.plan");
    expect(stale.status).toBe(1);
    expect(stale.output).toContain("Saved plan is stale");
    expect(sandbox.webhooks()).toHaveLength(1);
  });

  story("that replace find the old one as it was, with either order", async ({ sandbox, terraform }) => {
    const both = (secret: string) =>
      webhook("first", [`secret = "${secret}"`]) +
      webhook("second", [`secret = "${secret}"`, "lifecycle {\n    create_before_destroy = true\n  }"]);
    terraform.write("main.tf", both("one"));
    await terraform.apply();
    terraform.write("main.tf", both("two"));
    await terraform.plan("-out=saved.plan");
    sandbox.clearRequests();
    expect((await terraform.run("apply", "-no-color", "-input=false", "saved.plan")).output).toContain(
      "Resources: 2 added, 0 changed, 2 destroyed.",
    );
    expect(sandbox.webhooks().map(({ secret }) => secret)).toEqual(["two", "two"]);
    expect(writes(sandbox)).toHaveLength(4);
  });

  story("of a destroy delete what was planned", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    await terraform.apply();
    await terraform.plan("-destroy", "-out=saved.plan");
    expect((await terraform.run("apply", "-no-color", "-input=false", "saved.plan")).output).toContain("1 destroyed");
    expect(sandbox.webhooks()).toEqual([]);
  });
});

describe.concurrent("workspaces", { timeout: 300_000 }, () => {
  story("keep their own webhooks", async ({ sandbox, terraform }) => {
    terraform.write(
      "main.tf",
      'resource "outreach_webhook" "crm" {\n  target_url = "https://${terraform.workspace}.example.com/"\n}\n',
    );
    expect((await terraform.apply()).status).toBe(0);
    expect((await terraform.run("workspace", "new", "staging")).status).toBe(0);
    expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
    expect(live(sandbox, "default")).toBeDefined();
    expect(live(sandbox, "staging")).toBeDefined();
    expect((await terraform.destroy()).output).toContain("1 destroyed");
    expect(live(sandbox, "staging")).toBeUndefined();
    expect((await terraform.run("workspace", "select", "default")).status).toBe(0);
    expect((await terraform.plan()).status).toBe(0);
  });

  story(
    "another workspace's identical webhook is not taken over, but stops the create",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("crm"));
      await terraform.apply();
      await terraform.run("workspace", "new", "staging");
      const stopped = await terraform.apply();
      expect(stopped.status).toBe(1);
      expect(stopped.words).toContain(live(sandbox, "crm")?._id);
      expect(sandbox.webhooks()).toHaveLength(1);
      expect(await terraform.addresses()).toEqual([]);
    },
  );
});
