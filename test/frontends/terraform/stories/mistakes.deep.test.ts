import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { story, webhook, writes } from "./story.ts";

describe.concurrent("mistakes", { timeout: 300_000 }, () => {
  story("are shown at the attribute, with file and line, before anything is sent", async ({ sandbox, terraform }) => {
    terraform.write(
      "main.tf",
      'resource "outreach_webhook" "wrong" {\n  target_url  = "http://crm.example.com/"\n  type        = "emailReplied"\n  campaign_id = "q3"\n}\n',
    );
    terraform.write(
      "more.tf",
      'resource "outreach_webhook" "removed" {\n  target_url = "https://crm.example.com/"\n  type       = "emailsSendFailed"\n}\nresource "outreach_lead_unsubscription" "x" {\n  campaign_id = "cam_000001"\n  email       = "nobody"\n}\n',
    );
    for (const { status, output, words } of [await terraform.run("validate", "-no-color"), await terraform.plan()]) {
      expect(status).toBe(1);
      expect(output).toMatch(/Error: Invalid target URL[^]*on main\.tf line 2, in resource "outreach_webhook" "wrong"/);
      expect(output).toMatch(/Error: Unknown event type[^]*on main\.tf line 3/);
      expect(words).toContain("Did you mean emailsReplied");
      expect(output).toMatch(/on main\.tf line 4/);
      expect(output).toMatch(/on more\.tf line 3/);
      expect(words).toContain("emailsFailed");
      expect(output).toMatch(/Error: Invalid email address[^]*on more\.tf line 7/);
    }
    expect(sandbox.requests()).toEqual([]);
  });

  story("in a value that is only known at apply stop that one there", async ({ sandbox, terraform }) => {
    terraform.write(
      "main.tf",
      `resource "terraform_data" "type" {\n  input = "emailReplied"\n}\n${webhook("wrong", ["type = terraform_data.type.output"])}${webhook("right")}`,
    );
    expect((await terraform.plan()).status).toBe(2);
    const { status, output } = await terraform.apply();
    expect(status).toBe(1);
    expect(output).toMatch(/Error: Unknown event type[^]*with outreach_webhook\.wrong/);
    expect(writes(sandbox)).toEqual(["POST /hooks"]);
    expect(await terraform.addresses()).toEqual(["outreach_webhook.right", "terraform_data.type"]);
  });

  story("values that are only known at apply are sent when they are", async ({ sandbox, terraform }) => {
    terraform.write(
      "main.tf",
      `resource "terraform_data" "known" {\n  input = ["emailsSent", "cam_000001", "s3cret"]\n}\n` +
        webhook("crm", [
          "type = terraform_data.known.output[0]",
          "campaign_id = terraform_data.known.output[1]",
          "secret = terraform_data.known.output[2]",
        ]),
    );
    expect((await terraform.apply()).status).toBe(0);
    expect(sandbox.webhooks()).toMatchObject([{ type: "emailsSent", campaignId: "cam_000001", secret: "s3cret" }]);
    expect((await terraform.plan()).status).toBe(0);
  });
});

describe.concurrent("the provider in Terraform's hands", { timeout: 300_000 }, () => {
  story("starts where TMPDIR is longer than a socket's path may be", async ({ terraform }) => {
    const long = path.join(terraform.folder, "a-very-long-path-for-temporary-files".repeat(3));
    mkdirSync(long);
    terraform.environment = { ...terraform.environment, TMPDIR: long };
    terraform.hasProcesses = true;
    terraform.write("main.tf", webhook("crm"));
    expect((await terraform.apply()).status).toBe(0);
    expect((await terraform.plan()).status).toBe(0);
  });
});
