import { describe, expect } from "vitest";
import { sandboxForTest } from "../provider-under-test.ts";
import type { TerraformUnderTest } from "../terraform-under-test.ts";
import { live, story, webhook, writes } from "./story.ts";

const UNSUBSCRIPTION =
  'resource "outreach_lead_unsubscription" "ada" {\n  campaign_id = "cam_000001"\n  email = "ada@example.com"\n}\n';

function applySaved(terraform: TerraformUnderTest) {
  return terraform.run("apply", "-no-color", "-input=false", "saved.plan");
}

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

  story("create and unsubscribe nothing at another address", async ({ sandbox, terraform }) => {
    const other = await sandboxForTest();
    terraform.write("main.tf", webhook("crm") + UNSUBSCRIPTION);
    await terraform.plan("-out=saved.plan");
    terraform.environment = { ...terraform.environment, OUTREACH_BASE_URL: other.baseUrl };
    const { status, words } = await applySaved(terraform);
    await other.close();
    expect(status).toBe(1);
    expect(words.match(/Error: The plan was made for another service/g)).toHaveLength(2);
    for (const url of [sandbox.baseUrl, other.baseUrl]) expect(words).toContain(url);
    expect([...writes(sandbox), ...writes(other)]).toEqual([]);
    expect(await terraform.addresses()).toEqual([]);
  });

  story(
    "create nothing with another key before its lists show something of the plan",
    async ({ sandbox, terraform }) => {
      const withKey = async (key: string) => {
        terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: sandbox.keys.good };
        await terraform.plan("-out=saved.plan");
        terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: key };
        return applySaved(terraform);
      };
      terraform.write("main.tf", webhook("crm"));
      for (const key of [sandbox.keys.otherTeam, sandbox.keys.sameTeam]) {
        const { status, words } = await withKey(key);
        expect(status).toBe(1);
        expect(words).toContain("Error: The plan was made with another API key");
      }
      expect(writes(sandbox)).toEqual([]);

      expect((await withKey(sandbox.keys.good)).status).toBe(0);
      terraform.write("main.tf", webhook("crm") + webhook("audit") + UNSUBSCRIPTION);
      expect((await withKey(sandbox.keys.otherTeam)).words).toContain("Error: The plan was made with another API key");
      expect(sandbox.webhooks()).toHaveLength(1);
      expect((await withKey(sandbox.keys.sameTeam)).output).toContain("Resources: 2 added");
    },
  );

  story("repeat no unsubscription at another address", async ({ sandbox, terraform }) => {
    const other = await sandboxForTest();
    const watched = UNSUBSCRIPTION.replace("ada@", "nobody@").replace("}", '  recheck = "0s"\n}');
    terraform.write("main.tf", watched);
    expect((await terraform.apply()).status).toBe(0);
    terraform.environment = { ...terraform.environment, OUTREACH_BASE_URL: other.baseUrl };
    const { status, words } = await terraform.apply();
    await other.close();
    expect([status, writes(other)]).toEqual([1, []]);
    expect(words).toContain("Error: The lead unsubscription belongs to another service");
    expect(words).not.toContain("nobody@example.com was");
    terraform.environment = { ...terraform.environment, OUTREACH_BASE_URL: sandbox.baseUrl };
    expect((await terraform.apply()).output).toContain("1 changed");
  });

  story("compare nothing where the provider was not configured", async ({ sandbox, terraform }) => {
    terraform.environment = { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_SETTLE: "500ms" };
    terraform.write(
      "main.tf",
      `resource "terraform_data" "key" {\n  input = "${sandbox.keys.good}"\n}\nprovider "outreach" {\n  api_key = terraform_data.key.output\n}\n${webhook("crm")}`,
    );
    await terraform.plan("-out=saved.plan");
    expect((await applySaved(terraform)).output).toContain("Resources: 2 added");
    expect(live(sandbox, "crm")).toBeDefined();
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
