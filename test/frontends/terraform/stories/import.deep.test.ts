import { describe, expect } from "vitest";
import { attributesOf } from "../../../../src/core/model/attribute.ts";
import type { Value } from "../../../../src/core/model/value.ts";
import { camelCase } from "../../../../src/core/model/words.ts";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { webhook as definition } from "../../../../src/service/resources/webhook.ts";
import { exampleValue } from "../../../catalog/catalog-requests.ts";
import { faulty, lacks } from "../engine.ts";
import type { TerraformUnderTest } from "../terraform-under-test.ts";
import { story, webhook, writes } from "./story.ts";

const LINES = ['type = "emailsSent"', "is_first = false", 'automation_id = "auto"', 'secret = "known-before"'];

describe.concurrent("import", { timeout: 300_000 }, () => {
  story(
    "the command takes a webhook over: what the list does not show is recorded in place, once",
    async ({ sandbox, terraform }) => {
      const { _id: id } = sandbox.add("webhooks", {
        targetUrl: "https://crm.example.com",
        type: "emailsSent",
        secret: "known-before",
      });
      terraform.write("main.tf", webhook("crm", LINES));
      const imported = await terraform.run("import", "-no-color", "-input=false", "outreach_webhook.crm", id);
      expect(imported.output).toContain("Import successful!");
      const recorded = await terraform.apply();
      expect(recorded.output).toContain("Resources: 0 added, 1 changed, 0 destroyed.");
      expect((await terraform.plan()).status).toBe(0);
      expect(writes(sandbox)).toEqual([]);
    },
  );

  story("a block takes a webhook over within an apply", async ({ sandbox, terraform }) => {
    const { _id: id } = sandbox.add("webhooks", {
      targetUrl: "https://crm.example.com/",
      type: "emailsSent",
      campaignId: "cam_000001",
    });
    terraform.write(
      "main.tf",
      `${webhook("crm", ['type = "emailsSent"', 'campaign_id = "cam_000001"'])}import {\n  to = outreach_webhook.crm\n  id = "${id}"\n}\n`,
    );
    const imported = await terraform.apply();
    expect(imported.output).toMatch(/Resources: 1 imported, 0 added, [01] changed, 0 destroyed\./);
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });

  story(
    "an id can say what the list does not show, and then there is nothing left to record",
    async ({ sandbox, terraform }) => {
      sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
      const { _id: id } = sandbox.add("webhooks", {
        targetUrl: "https://crm.example.com/",
        campaignId: "cam_000001",
        isFirst: true,
      });
      terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000001"', "is_first = true"]));
      const imported = await terraform.run(
        "import",
        "-no-color",
        "-input=false",
        "outreach_webhook.crm",
        `${id},campaign_id=cam_000001,is_first=true`,
      );
      expect([imported.status, imported.output]).toEqual([0, expect.stringContaining("Import successful!")]);
      expect(await terraform.attributes("outreach_webhook.crm")).toMatchObject({
        id,
        campaign_id: "cam_000001",
        is_first: true,
      });
      expect((await terraform.plan()).status).toBe(0);
      terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000002"', "is_first = true"]));
      expect((await terraform.plan()).output).toMatch(
        /~ campaign_id .*"cam_000001" -> "cam_000002" # forces replacement/,
      );
      expect(writes(sandbox)).toEqual([]);
    },
  );

  story("an unsubscription that was made elsewhere is recorded without sending it", async ({ sandbox, terraform }) => {
    terraform.write(
      "main.tf",
      'resource "outreach_lead_unsubscription" "gone" {\n  campaign_id = "cam_000001"\n  email       = "ada@example.com"\n}\n',
    );
    const imported = await terraform.run(
      "import",
      "-no-color",
      "-input=false",
      "outreach_lead_unsubscription.gone",
      "cam_000001/ada@example.com",
    );
    expect([imported.status, imported.output]).toEqual([0, expect.stringContaining("Import successful!")]);
    expect((await terraform.apply()).output).toMatch(/Resources: 0 added, [01] changed, 0 destroyed\./);
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });

  story("an attribute that differs from what is live replaces what was imported", async ({ sandbox, terraform }) => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", type: "emailsReplied" });
    terraform.write(
      "main.tf",
      `${webhook("crm", ['type = "emailsSent"'])}import {\n  to = outreach_webhook.crm\n  id = "${id}"\n}\n`,
    );
    const plan = await terraform.plan();
    expect(plan.output).toMatch(/~ type .*"emailsReplied" -> "emailsSent" # forces replacement/);
  });

  story("what is not there, is another team's, or is no id, is an error", async ({ sandbox, terraform }) => {
    const { _id: foreign } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", teamId: "tea_000002" });
    terraform.write("main.tf", webhook("crm"));
    for (const [id, words] of [
      ["hoo_999999", "Cannot import non-existent remote object"],
      [foreign, "Cannot import non-existent remote object"],
      ["cam_000001", "Invalid webhook id"],
    ] as const) {
      const refused = await terraform.run("import", "-no-color", "-input=false", "outreach_webhook.crm", id);
      expect([id, refused.status]).toEqual([id, 1]);
      expect(refused.words).toContain(words);
    }
    expect(await terraform.addresses()).toEqual([]);
  });

  story("-generate-config-out writes a declaration that plans no replace", async ({ sandbox, terraform, skip }) => {
    skip(...faulty("hashicorp/terraform#39144: an import block without a resource block fails"));
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com/", type: "emailsSent" });
    const block = (more: string): string => `import {\n${more}  to = outreach_webhook.crm\n  id = "${id}"\n}\n`;
    // Terraform 1.16.0 looks for another provider if the block names none, and refuses the name beside a resource.
    terraform.write("import.tf", block("  provider = outreach\n"));
    const generated = await terraform.plan("-generate-config-out=generated.tf");
    expect(generated.output).toMatch(/Plan: 1 to import, 0 to add, [01] to change, 0 to destroy\./);
    expect(terraform.read("generated.tf").toString()).toMatch(/target_url\s+= "https:\/\/crm.example.com\/"/);
    // Before, Terraform asks the provider for nothing, and reads the values from the state.
    const warning = "The service does not show campaign_id, is_first, automation_id, secret of every webhook.";
    expect(generated.words.includes(warning)).toBe(lacks("generated configurations") === null);
    terraform.write("import.tf", block(""));
    expect((await terraform.apply()).status).toBe(0);
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });

  story(
    "a query finds webhooks and writes what imports them, without a request that writes",
    async ({ sandbox, terraform, skip }) => {
      const missing = lacks("list resources");
      skip(missing !== null, missing ?? "");
      for (const [type, name] of ["emailsSent", "emailsSent", "emailsReplied"].entries())
        sandbox.add("webhooks", { targetUrl: `https://q${String(type)}.example.com/`, type: name });
      terraform.write(
        "find.tfquery.hcl",
        'list "outreach_webhook" "sent" {\n  provider = outreach\n  config {\n    type = "emailsSent"\n  }\n}\n',
      );
      const found = await terraform.run("query", "-no-color", "-generate-config-out=found.tf");
      expect(found.words).toContain("https://q0.example.com/ (emailsSent");
      expect(found.words).toContain(
        "The service does not show campaign_id, is_first, automation_id, secret of every webhook.",
      );
      expect(found.output).not.toContain("q2.example.com");
      expect((await terraform.plan()).output).toContain("Plan: 2 to import, 0 to add, 0 to change, 0 to destroy.");
      expect((await terraform.apply()).status).toBe(0);
      expect((await terraform.plan()).status).toBe(0);
      expect(writes(sandbox)).toEqual([]);
    },
  );
});

/** The attributes that the list shows of no webhook here, as they are declared late, each on a webhook of its own. */
const LATE = new Map<string, Value>(
  attributesOf(definition.schema, "terraform").flatMap(([name, attribute]) =>
    attribute.observed !== undefined && attribute.onChange !== "record" && name !== "secret_wo_version"
      ? [[name, exampleValue(name, attribute)] as const]
      : [],
  ),
);
const NAMES = [...LATE.keys()];
const COUNT = String(NAMES.length);

function lateLines(name: string): readonly string[] {
  const line = `${name} = ${JSON.stringify(LATE.get(name))}`;
  // Write-only: the version is what is recorded.
  return name === "secret_wo" ? [line, "secret_wo_version = 1"] : [line];
}

function addWebhooks(sandbox: Sandbox): void {
  for (const name of NAMES) sandbox.add("webhooks", { _id: `hoo_${name}`, targetUrl: urlOf(name) });
}

function urlOf(name: string): string {
  return `https://${name.replaceAll("_", "-")}.example.com/`;
}

function declare(terraform: TerraformUnderTest, isLate: boolean): void {
  terraform.write("main.tf", NAMES.map((name) => webhook(name, isLate ? lateLines(name) : [], urlOf(name))).join(""));
}

function declareImports(terraform: TerraformUnderTest): void {
  terraform.write(
    "imports.tf",
    NAMES.map((name) => `import {\n  to = outreach_webhook.${name}\n  id = "hoo_${name}"\n}\n`).join(""),
  );
}

async function importEach(terraform: TerraformUnderTest): Promise<void> {
  for (const name of NAMES) {
    const { status, output } = await terraform.run(
      "import",
      "-no-color",
      "-input=false",
      `outreach_webhook.${name}`,
      `hoo_${name}`,
    );
    expect(status, output).toBe(0);
  }
}

async function unchanged(terraform: TerraformUnderTest, ...options: readonly string[]): Promise<void> {
  const { output } = await terraform.apply(...options);
  expect(output).toContain("0 added, 0 changed, 0 destroyed.");
}

const REASON = "Warning: A value was not declared when the webhook was imported";
const ASSUMED = "Warning: Imported values assumed, not verified";

/** Declares what the webhooks were managed without, and looks for it in the service. */
async function declareLate(sandbox: Sandbox, terraform: TerraformUnderTest): Promise<void> {
  expect(writes(sandbox)).toEqual([]);
  declare(terraform, true);
  const planned = await terraform.plan();
  expect(planned.output).toContain(`Plan: ${COUNT} to add, 0 to change, ${COUNT} to destroy.`);
  expect(planned.output).toContain(REASON);
  expect(planned.words).toContain("Only a replace sends the configured one.");
  expect(planned.words).toContain(
    `the next apply records it without a request. (and ${String(NAMES.length - 1)} more similar warnings elsewhere)`,
  );
  expect(planned.output).not.toContain(ASSUMED);
  const applied = await terraform.apply();
  expect(applied.output).toContain(`Apply complete! Resources: ${COUNT} added, 0 changed, ${COUNT} destroyed.`);
  const live = sandbox.webhooks();
  expect(live).toHaveLength(NAMES.length);
  for (const [name, value] of LATE) {
    const field = camelCase(name === "secret_wo" ? "secret" : name);
    expect(live.find(({ targetUrl }) => targetUrl === urlOf(name))).toMatchObject({ [field]: value });
  }
  expect((await terraform.plan()).status).toBe(0);
}

describe.concurrent("what an import does not know", { timeout: 300_000 }, () => {
  story("is sent when it is declared after the apply of an import block", async ({ sandbox, terraform }) => {
    addWebhooks(sandbox);
    declare(terraform, false);
    declareImports(terraform);
    expect((await terraform.apply()).output).toContain(
      `Resources: ${COUNT} imported, 0 added, 0 changed, 0 destroyed.`,
    );
    await declareLate(sandbox, terraform);
  });

  story(
    "is not recorded by a plan that reads nothing: it cannot know whether a configuration was applied",
    async ({ sandbox, terraform }) => {
      addWebhooks(sandbox);
      declare(terraform, false);
      declareImports(terraform);
      await terraform.apply();
      declare(terraform, true);
      const refused = await terraform.apply("-refresh=false");
      expect([refused.status, refused.words]).toEqual([
        1,
        expect.stringContaining("Run Terraform without -refresh=false."),
      ]);
      expect((await terraform.plan()).output).toContain(`Plan: ${COUNT} to add, 0 to change, ${COUNT} to destroy.`);
    },
  );

  story(
    "is sent when it is declared after the first apply that follows terraform import, also if that was a saved plan",
    async ({ sandbox, terraform }) => {
      addWebhooks(sandbox);
      declare(terraform, false);
      await importEach(terraform);
      expect((await terraform.plan("-out=saved.plan")).status).toBe(0);
      expect((await terraform.run("apply", "-no-color", "saved.plan")).output).toContain(
        "0 added, 0 changed, 0 destroyed.",
      );
      await declareLate(sandbox, terraform);
    },
  );

  story("is sent after a hand-over between two states, and under other addresses", async ({ sandbox, terraform }) => {
    addWebhooks(sandbox);
    declare(terraform, true);
    declareImports(terraform);
    expect((await terraform.apply()).output).toContain(`${COUNT} imported, 0 added, ${COUNT} changed`);
    for (const name of NAMES) await terraform.run("state", "rm", `outreach_webhook.${name}`);
    terraform.write("main.tf", NAMES.map((name) => webhook(`old_${name}`, [], urlOf(name))).join(""));
    terraform.write(
      "imports.tf",
      NAMES.map((name) => `import {\n  to = outreach_webhook.old_${name}\n  id = "hoo_${name}"\n}\n`).join(""),
    );
    expect((await terraform.apply()).output).toContain(`${COUNT} imported, 0 added, 0 changed`);
    declare(terraform, false);
    terraform.write(
      "imports.tf",
      NAMES.map((name) => `moved {\n  from = outreach_webhook.old_${name}\n  to = outreach_webhook.${name}\n}\n`).join(
        "",
      ),
    );
    await unchanged(terraform);
    await declareLate(sandbox, terraform);
  });

  story(
    "is recorded with a warning when it is declared with an import block, by a saved plan too",
    async ({ sandbox, terraform }) => {
      addWebhooks(sandbox);
      declare(terraform, true);
      declareImports(terraform);
      const planned = await terraform.plan("-out=saved.plan");
      expect(planned.output).toContain(`Plan: ${COUNT} to import, 0 to add, ${COUNT} to change, 0 to destroy.`);
      expect(planned.output).toContain(ASSUMED);
      expect((await terraform.run("apply", "-no-color", "saved.plan")).output).toContain(
        `Resources: ${COUNT} imported, 0 added, ${COUNT} changed, 0 destroyed.`,
      );
      expect((await terraform.plan()).status).toBe(0);
      expect(writes(sandbox)).toEqual([]);
      declare(terraform, false);
      expect((await terraform.plan()).output).toContain(`Plan: ${COUNT} to add, 0 to change, ${COUNT} to destroy.`);
    },
  );

  story(
    "is recorded with a warning when it is declared after terraform import, though plans came first",
    async ({ sandbox, terraform }) => {
      addWebhooks(sandbox);
      declare(terraform, false);
      await importEach(terraform);
      // Neither applies a configuration.
      await terraform.run("refresh", "-no-color");
      await terraform.apply("-refresh-only");
      for (const isLate of [false, true]) {
        declare(terraform, isLate);
        expect((await terraform.plan()).status).toBe(isLate ? 2 : 0);
      }
      const applied = await terraform.apply();
      expect(applied.output).toContain(`Resources: 0 added, ${COUNT} changed, 0 destroyed.`);
      expect(applied.output).toContain(ASSUMED);
      expect((await terraform.plan()).status).toBe(0);
      expect(writes(sandbox)).toEqual([]);
    },
  );
});
