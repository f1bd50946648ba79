import type { Sandbox } from "../../src/sandbox/server.ts";

/** The same declarations for terraform and for the command. */
export interface Declared {
  readonly hcl: string;
  readonly yaml: string;
}

/** One of the two programs, on a sandbox of its own. */
export interface Planner {
  readonly sandbox: Sandbox;
  declare(declared: Declared): void;
  /** Plans, and returns the plan as `show -json` prints it. */
  plan(name: string, options?: PlanningOptions): Promise<void>;
  apply(): Promise<void>;
}

export interface PlanningOptions {
  readonly target?: string;
  readonly destroy?: true;
  /** For the command alone. */
  readonly withoutSecrets?: true;
}

export const SECRET = "known-to-nobody";
const FOUND = { targetUrl: "https://found.example.com/", type: null, campaignId: null };

const HEAD: Declared = {
  hcl: `terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
variable "stage" {
  default = "prod"
}
variable "region" {
  default = "eu"
}
variable "secret" {
  sensitive = true
}
`,
  yaml: `version: 1
variables:
  stage: { default: prod }
  region: { default: eu }
  secret: { sensitive: true }
`,
};

const OUTPUTS: Declared = {
  hcl: `output "crm_id" {
  value = outreach_webhook.crm.id
}
output "hush" {
  value     = var.secret
  sensitive = true
}
data "outreach_campaign" "q3" {
  name = "Q3 launch"
}
`,
  yaml: `outputs:
  crm_id: \${outreach_webhook.crm.id}
  hush: { value: "\${var.secret}", sensitive: true }
data:
  campaign:
    q3: { name: Q3 launch }
`,
};

const CRM: Declared = {
  hcl: `resource "outreach_webhook" "crm" {
  target_url  = "https://crm.example.com/\${var.stage}"
  campaign_id = data.outreach_campaign.q3.id
  secret      = SECRET_OF_CRM
}
`,
  yaml: `  crm: { target_url: "https://crm.example.com/\${var.stage}", campaign: q3, secret: { env: CRM_SECRET } }\n`,
};

function plain(name: string): Declared {
  return {
    hcl: `resource "outreach_webhook" "${name}" {\n  target_url = "https://plain.example.com/"\n}\n`,
    yaml: `  ${name}: { target_url: "https://plain.example.com/" }\n`,
  };
}

const FOUND_AS: { readonly [name in "it is" | "another"]: Declared } = {
  "it is": {
    hcl: `resource "outreach_webhook" "found" {\n  target_url      = "https://found.example.com/"\n  secret          = SECRET_OF_CRM\n  allow_duplicate = true\n}\n`,
    yaml: `  found: { target_url: "https://found.example.com/", secret: { env: CRM_SECRET }, allow_duplicate: true }\n`,
  },
  another: {
    hcl: `resource "outreach_webhook" "found" {\n  target_url = "https://found.example.com/other"\n  secret     = SECRET_OF_CRM\n}\n`,
    yaml: `  found: { target_url: "https://found.example.com/other", secret: { env: CRM_SECRET } }\n`,
  },
};

interface More {
  readonly webhooks: readonly Declared[];
  readonly statements?: Declared;
  readonly rest?: Declared;
  /** Makes the secret one that terraform knows only after the apply. */
  readonly hasLateSecret?: true;
}

function declared({ webhooks, statements, rest = OUTPUTS, hasLateSecret }: More): Declared {
  const hcl = [HEAD, ...webhooks, rest, ...(statements ? [statements] : [])].map((one) => one.hcl).join("");
  return {
    hcl: hcl.replaceAll("SECRET_OF_CRM", hasLateSecret ? "outreach_webhook.plain.id" : "var.secret"),
    yaml: [
      HEAD.yaml,
      rest.yaml,
      statements?.yaml ?? "",
      webhooks.length > 0 ? "webhooks:\n" : "",
      ...webhooks.map((one) => one.yaml),
    ].join(""),
  };
}

const NOTHING: Declared = { hcl: "", yaml: "" };
const MOVED: Declared = {
  hcl: "moved {\n  from = outreach_webhook.plain\n  to   = outreach_webhook.renamed\n}\n",
  yaml: "moved:\n  - { from: outreach_webhook.plain, to: outreach_webhook.renamed }\n",
};

function importing(id: string): Declared {
  return {
    hcl: `import {\n  to = outreach_webhook.found\n  id = "${id}"\n}\n`,
    yaml: `imports:\n  - { to: outreach_webhook.found, id: ${id} }\n`,
  };
}

/** The plans of one story, in its order. */
export async function planAll({ sandbox, declare, plan, apply }: Planner): Promise<void> {
  const hookOf = (name: string): string =>
    sandbox.webhooks().find(({ targetUrl }) => targetUrl.startsWith(`https://${name}.`))?._id ?? "";
  declare(declared({ webhooks: [CRM, plain("plain")], hasLateSecret: true }));
  await plan("a secret that is unknown", { withoutSecrets: true });
  declare(declared({ webhooks: [CRM, plain("plain")] }));
  await plan("a target", { target: "outreach_webhook.plain" });
  await plan("a create");
  await apply();
  await plan("nothing to do");
  declare(declared({ webhooks: [CRM, plain("renamed")], statements: MOVED }));
  await plan("a move");
  await plan("a destroy of what moves", { destroy: true });
  sandbox.remove("webhooks", hookOf("crm"));
  sandbox.change("webhooks", hookOf("plain"), { targetUrl: "https://changed.example.com/" });
  await plan("a destroy of what is gone or has changed", { destroy: true });
  sandbox.change("webhooks", hookOf("changed"), { targetUrl: "https://plain.example.com/" });
  declare(declared({ webhooks: [plain("plain")], rest: NOTHING }));
  await plan("what is gone and not declared");
  const { _id: id } = sandbox.add("webhooks", FOUND);
  declare(declared({ webhooks: [plain("plain"), FOUND_AS["another"]], statements: importing(id), rest: NOTHING }));
  await plan("an import that is replaced");
  declare(declared({ webhooks: [plain("plain"), FOUND_AS["it is"]], statements: importing(id), rest: NOTHING }));
  await plan("an import with values that the service does not show");
  await apply();
  await plan("what was imported");
}
