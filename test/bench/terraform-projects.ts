/**
 * Many resources of a kind as projects of Terraform's. They are declared as its users declare many of a kind: with a map and
 * `for_each`. Terraform's own time for that grows with the square of their number, and is in both sides of a comparison.
 */
export interface Project {
  /** `main.tf` */
  readonly configuration: string;
  /** `terraform.tfstate` with all of them. */
  readonly state: object;
}

/** Terraform's own resource, which asks no service and no other process, with the same values as the webhooks. */
export function terraformData(resources: number): Project {
  return {
    configuration: declared(
      "terraform_data",
      resources,
      `  input = {\n    target_url = each.value\n    type       = "${EVENT_TYPE}"\n  }\n`,
    ),
    state: recorded("terraform_data", 'provider["terraform.io/builtin/terraform"]', resources, (index) => {
      const value = {
        value: { target_url: urlOf(index), type: EVENT_TYPE },
        type: ["object", { target_url: "string", type: "string" }],
      };
      return {
        id: `0f8b9a52-6d2b-4f2e-9d5c-${String(index).padStart(12, "0")}`,
        input: value,
        output: value,
        triggers_replace: null,
      };
    }),
  };
}

/** Webhooks, recorded with what was declared and their ids; a refresh records the rest. */
export function outreachWebhooks(resources: number): Project {
  const head =
    'terraform {\n  required_providers {\n    outreach = { source = "outreach-as-code/outreach" }\n  }\n}\n\n';
  return {
    configuration: `${head}${declared("outreach_webhook", resources, `  target_url = each.value\n  type       = "${EVENT_TYPE}"\n`)}`,
    state: recorded(
      "outreach_webhook",
      'provider["registry.terraform.io/outreach-as-code/outreach"]',
      resources,
      (index) => ({
        id: idOf(index),
        target_url: urlOf(index),
        type: EVENT_TYPE,
      }),
    ),
  };
}

/** The webhooks of `outreachWebhooks` as the service has them. */
export function liveWebhooks(resources: number) {
  return Array.from({ length: resources }, (_, index) => ({
    _id: idOf(index),
    targetUrl: urlOf(index),
    type: EVENT_TYPE,
  }));
}

const EVENT_TYPE = "emailsReplied";
const numbered = (index: number): string => String(index).padStart(6, "0");
const nameOf = (index: number): string => `hook-${numbered(index)}`;
const idOf = (index: number): string => `hoo_${numbered(index)}`;
const urlOf = (index: number): string => `https://crm.example.com/hooks/${String(index)}`;

function declared(type: string, resources: number, body: string): string {
  const entries = Array.from({ length: resources }, (_, index) => `    "${nameOf(index)}" = "${urlOf(index)}"\n`);
  return `locals {\n  hooks = {\n${entries.join("")}  }\n}\n\nresource "${type}" "hook" {\n  for_each = local.hooks\n${body}}\n`;
}

function recorded(type: string, provider: string, resources: number, attributesOf: (index: number) => object): object {
  const instances = Array.from({ length: resources }, (_, index) => ({
    index_key: nameOf(index),
    schema_version: 0,
    attributes: attributesOf(index),
  }));
  return {
    version: 4,
    terraform_version: "1.0.0",
    serial: 1,
    lineage: "0f8b9a52-6d2b-4f2e-9d5c-3a1f0c5e7b11",
    outputs: {},
    resources: [{ mode: "managed", type, name: "hook", provider, instances }],
  };
}
