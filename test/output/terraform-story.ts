import { TerraformUnderTest } from "../frontends/terraform/terraform-under-test.ts";
import { sandboxForTest } from "../frontends/terraform/provider-under-test.ts";

import { likeTerraform } from "./engine-json.ts";

/* oxlint-disable typescript/no-explicit-any -- JSON as another program prints it */
/** A plan as the real terraform prints it: its messages, and the object of `show -json`. */
export interface Printed {
  readonly lines: readonly any[];
  readonly show: any;
}

/** One story, told by the real terraform: what it prints in each chapter, and the states between them. */
export interface Story {
  readonly create: Printed;
  readonly created: { readonly lines: readonly any[]; readonly state: any };
  readonly change: Printed;
  readonly changed: { readonly lines: readonly any[]; readonly state: any };
  readonly drift: Printed;
  readonly refresh: Printed;
  readonly settings: Printed;
  readonly destroy: Printed;
  readonly ids: { readonly imported: string };
}
/* oxlint-enable typescript/no-explicit-any */

/** A webhook that somebody else has made. */
export const FOUND = { targetUrl: "https://found.example.com/", type: "emailsSent", campaignId: "cam_000001" };

export const SECRET = "known-to-nobody";

const HEAD = `
terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}

variable "secret" {
  type      = string
  sensitive = true
}

output "crm_id" {
  value = outreach_webhook.crm.id
}

output "stage" {
  value = "prod"
}
`;

function crm(more: string): string {
  return `resource "outreach_webhook" "crm" {\n  target_url = "https://crm.example.com/prod"\n  secret = var.secret\n  ${more}\n}\n`;
}

function audit(...types: readonly string[]): string {
  return `resource "outreach_webhook" "audit" {\n  for_each = toset(${JSON.stringify(types)})\n  target_url = "https://audit.example.com/"\n  type = each.key\n}\n`;
}

function quick(path: string): string {
  return `resource "outreach_webhook" "quick" {\n  target_url = "https://quick.example.com/${path}"\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n`;
}

function gone(name: string): string {
  return `resource "outreach_lead_unsubscription" "${name}" {\n  for_each = toset(["ada@example.com"])\n  campaign_id = "cam_000001"\n  email = each.key\n}\n`;
}

const MOVED = `moved {\n  from = outreach_lead_unsubscription.gdpr\n  to = outreach_lead_unsubscription.gdpr-2026\n}\n`;

function imported(id: string): string {
  return `import {\n  to = outreach_webhook.found\n  id = "${id}"\n}\nresource "outreach_webhook" "found" {\n  target_url = "https://found.example.com/"\n  type = "emailsSent"\n  campaign_id = "cam_000001"\n}\n`;
}

const FORGOTTEN = "removed {\n  from = outreach_webhook.quick\n  lifecycle {\n    destroy = false\n  }\n}\n";

/** Takes some ten seconds. */
export async function tellStory(): Promise<Story> {
  const sandbox = await sandboxForTest();
  const first = [
    HEAD,
    crm('type = "emailsReplied"'),
    audit("emailsSent", "emailsBounced"),
    quick("a"),
    gone("gdpr"),
  ].join("\n");
  const terraform = await TerraformUnderTest.start({
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
  });
  terraform.write("main.tf", first);
  const secret = `-var=secret=${SECRET}`;
  const plan = async (...options: readonly string[]): Promise<Printed> => {
    const { output } = await terraform.run("plan", "-json", "-out=plan", secret, ...options);
    return { lines: linesOf(output), show: (await jsonLinesOf(terraform, "show", "-json", "plan"))[0] };
  };
  const apply = (): Promise<readonly unknown[]> => jsonLinesOf(terraform, "apply", "-json", "plan");
  const state = async (): Promise<unknown> => (await jsonLinesOf(terraform, "show", "-json"))[0];
  try {
    const create = await plan();
    const created = { lines: await apply(), state: await state() };
    const { _id: id } = sandbox.add("webhooks", FOUND);
    const second = (more: string, rest: string): string =>
      [HEAD, crm(`type = "emailsSent"${more}`), audit("emailsSent"), rest, gone("gdpr-2026"), MOVED, imported(id)].join(
        "\n",
      );
    terraform.write("main.tf", second("", quick("b")));
    const change = await plan();
    const changed = { lines: await apply(), state: await state() };
    const hookOf = (name: string): string =>
      sandbox.webhooks().find(({ targetUrl }) => targetUrl.startsWith(`https://${name}.`))?._id ?? "";
    sandbox.change("webhooks", hookOf("crm"), { targetUrl: "https://elsewhere.example.com/" });
    sandbox.remove("webhooks", hookOf("audit"));
    const [drift, refresh] = [await plan(), await plan("-refresh-only")];
    sandbox.change("webhooks", hookOf("elsewhere"), { targetUrl: "https://crm.example.com/prod" });
    terraform.write("main.tf", second("\n  allow_duplicate = true", FORGOTTEN));
    const settings = await plan("-replace=outreach_webhook.found");
    const destroy = await plan("-destroy");
    return { create, created, change, changed, drift, refresh, settings, destroy, ids: { imported: id } };
  } finally {
    await terraform.remove();
    await sandbox.close();
  }
}

async function jsonLinesOf(terraform: TerraformUnderTest, ...args: readonly string[]): Promise<readonly unknown[]> {
  return linesOf((await terraform.run(...args)).output);
}

function linesOf(output: string): readonly unknown[] {
  return output.split("\n").flatMap((line) => (line.startsWith("{") ? [likeTerraform(JSON.parse(line))] : []));
}
