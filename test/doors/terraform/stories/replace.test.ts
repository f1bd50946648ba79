import { describe, expect } from "vitest";
import { live, story, webhook, writes } from "./story.ts";

const DELETE_FIRST = ["DELETE /hooks/ID", "POST /hooks"];
const CREATE_FIRST = ["POST /hooks", "DELETE /hooks/ID"];
const CREATE_BEFORE_DESTROY = "lifecycle {\n    create_before_destroy = true\n  }";

describe("replace", () => {
  story("every changed attribute replaces, the delete first, and the plan says which", async ({ sandbox, terraform }) => {
    const attributes = {
      target_url: '"https://crm.example.com/"',
      type: '"emailsSent"',
      campaign_id: '"cam_000001"',
      is_first: "false",
      automation_id: '"one"',
      secret: '"first"',
    };
    const changed = {
      target_url: '"https://crm.example.com/v2"',
      type: '"emailsReplied"',
      campaign_id: '"cam_000002"',
      is_first: "true",
      automation_id: '"two"',
      secret: '"second"',
    };
    const declaration = (of: { readonly [name: string]: string }) =>
      `resource "outreach_webhook" "crm" {\n${Object.entries(of)
        .map(([name, value]) => `  ${name} = ${value}\n`)
        .join("")}}\n`;
    terraform.write("main.tf", declaration(attributes));
    await terraform.apply();
    let declared: { readonly [name: string]: string } = attributes;
    for (const [name, value] of Object.entries(changed)) {
      declared = { ...declared, [name]: value };
      terraform.write("main.tf", declaration(declared));
      sandbox.clearRequests();
      const { output } = await terraform.apply();
      expect(output).toMatch(new RegExp(`~ ${name} .*# forces replacement`));
      expect(output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
      expect([name, ...writes(sandbox)]).toEqual([name, ...DELETE_FIRST]);
    }
    expect(sandbox.webhooks()).toMatchObject([
      { targetUrl: "https://crm.example.com/v2", type: "emailsReplied", campaignId: "cam_000002", isFirst: true, automationId: "two", secret: "second" },
    ]);
    expect((await terraform.plan()).status).toBe(0);
  });

  story("create_before_destroy has the new one live before the old one goes, also where the list cannot tell them apart", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['secret = "first"', CREATE_BEFORE_DESTROY]));
    await terraform.apply();
    sandbox.clearRequests();
    terraform.write("main.tf", webhook("crm", ['secret = "second"', CREATE_BEFORE_DESTROY]));
    const replaced = await terraform.apply();
    expect(replaced.output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(replaced.output).toContain("+/- create replacement and then destroy");
    expect(writes(sandbox)).toEqual(CREATE_FIRST);
    expect(sandbox.webhooks()).toMatchObject([{ secret: "second" }]);
    expect((await terraform.plan()).status).toBe(0);
  });

  story("where the new one is refused with create_before_destroy, the old one stays", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000001"', CREATE_BEFORE_DESTROY]));
    await terraform.apply();
    terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000101"', CREATE_BEFORE_DESTROY]));
    expect((await terraform.apply()).status).toBe(1);
    expect(live(sandbox, "crm")?.campaignId).toBe("cam_000001");
    expect(await terraform.addresses()).toEqual(["outreach_webhook.crm"]);
  });
});
