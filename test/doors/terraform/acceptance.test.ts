import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providerSchema } from "../../../src/generate/provider-schema.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { sandboxForTest } from "./provider-under-test.ts";
import { TerraformUnderTest, hasTerraform } from "./terraform-under-test.ts";

const CONFIGURATION = `
terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}

variable "secret" {
  type      = string
  sensitive = true
}

variable "token" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "token_version" {
  type = number
}

data "outreach_campaign" "q3" {
  name = "Q3 launch"
}

resource "outreach_webhook" "replies" {
  target_url  = "https://crm.example.com/replies"
  type        = "emailsReplied"
  campaign_id = data.outreach_campaign.q3.id
  secret      = var.secret
}

resource "outreach_webhook" "audit" {
  target_url        = "https://audit.example.com"
  secret_wo         = var.token
  secret_wo_version = var.token_version

  lifecycle {
    create_before_destroy = true
  }
}

output "replies_id" {
  value = outreach_webhook.replies.id
}
`;

const IMPORTS = `
import {
  to = outreach_webhook.imported
  id = "HOOK"
}

resource "outreach_webhook" "imported" {
  target_url = "https://imported.example.com/"
  type       = "emailsSent"
  is_first   = false
  secret     = "known-before"
}
`;

describe("the real terraform", () => {
  let sandbox: Sandbox;
  let terraform: TerraformUnderTest;
  let secret = "first-secret";
  let token = "first-token";
  let tokenVersion = 1;

  beforeAll(async () => {
    if (!hasTerraform) return;
    sandbox = await sandboxForTest();
    terraform = await TerraformUnderTest.start(CONFIGURATION, { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.keys.good });
  });
  afterAll(async () => {
    terraform?.remove();
    await sandbox?.close();
  });

  const variables = (): readonly string[] => [`-var=secret=${secret}`, `-var=token=${token}`, `-var=token_version=${String(tokenVersion)}`];
  const writes = (): readonly string[] =>
    sandbox.requests().flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path.replace(/hoo_\w+/, "ID")}`]));
  const reads = (): readonly string[] => sandbox.requests().flatMap(({ method, path }) => (method === "GET" ? [path] : []));
  const hookOf = (address: string) => sandbox.webhooks().find(({ targetUrl }) => targetUrl.startsWith(`https://${address}.`));

  it("tells one story: create, no change, rotate, drift, import, destroy", async (context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");

    const created = await terraform.apply(...variables());
    expect(created.output).toContain("Apply complete! Resources: 2 added, 0 changed, 0 destroyed.");
    expect(hookOf("crm")).toMatchObject({ type: "emailsReplied", campaignId: "cam_000001", secret: "first-secret" });
    expect(hookOf("audit")).toMatchObject({ type: null, campaignId: null, secret: "first-token" });

    sandbox.clearRequests();
    expect((await terraform.plan(...variables())).status).toBe(0);
    expect(reads().toSorted()).toEqual(["/campaigns", "/hooks"]);

    sandbox.clearRequests();
    secret = "second-secret";
    const rotation = await terraform.plan(...variables());
    expect(rotation.output).toMatch(/~ secret\s+= \(sensitive value\) # forces replacement/);
    expect((await terraform.apply(...variables())).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes()).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    expect(hookOf("crm")?.secret).toBe("second-secret");

    sandbox.clearRequests();
    token = "second-token";
    expect((await terraform.plan(...variables())).status).toBe(0);
    tokenVersion = 2;
    expect((await terraform.apply(...variables())).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(writes()).toEqual(["POST /hooks", "DELETE /hooks/ID"]);
    expect(hookOf("audit")?.secret).toBe("second-token");

    sandbox.remove("webhooks", hookOf("crm")?._id ?? "");
    const drift = await terraform.plan(...variables());
    expect(drift.status).toBe(2);
    expect(drift.output).toContain("outreach_webhook.replies will be created");
    expect((await terraform.apply(...variables())).output).toContain("Resources: 1 added, 0 changed, 0 destroyed.");

    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://imported.example.com", type: "emailsSent", secret: "known-before" });
    sandbox.clearRequests();
    terraform.write("imports.tf", IMPORTS.replace("HOOK", id));
    expect((await terraform.apply(...variables())).output).toContain("Resources: 1 imported, 0 added, 1 changed, 0 destroyed.");
    expect((await terraform.plan(...variables())).status).toBe(0);
    expect(writes()).toEqual([]);

    expect(terraform.filesContaining("second-secret")).toEqual(["terraform.tfstate", "terraform.tfstate.backup"]);
    expect([...terraform.filesContaining("first-token"), ...terraform.filesContaining("second-token")]).toEqual([]);
  }, 120_000);

  it("destroys what it made", async (context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    const destroyed = await terraform.run("destroy", "-no-color", "-auto-approve", ...variables());
    expect(destroyed.output).toContain("Destroy complete! Resources: 3 destroyed.");
    expect(sandbox.webhooks()).toEqual([]);
  }, 60_000);

  it("prints the schema that is generated", async (context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    const { output } = await terraform.run("providers", "schema", "-json");
    expect(JSON.parse(output)).toEqual(providerSchema(catalog));
  });

  it("shows mistakes at the attribute", async (context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    terraform.write("imports.tf", 'resource "outreach_webhook" "wrong" {\n  target_url = "http://crm.example.com/"\n  type       = "emailReplied"\n}\n');
    const { status, output } = await terraform.run("validate", "-no-color");
    expect(status).toBe(1);
    expect(output).toMatch(/Error: Invalid target URL[^]*imports\.tf line 2[^]*Error: Unknown event type[^]*imports\.tf line 3[^]*Did you mean emailsReplied/);
  });
});
