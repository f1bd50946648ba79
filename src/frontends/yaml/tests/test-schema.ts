import { type Catalog, dataSourceOf, resourceOf } from "../../../core/model/definition.ts";
import type { JsonSchema } from "../schema-check.ts";
import { TEAM_NAME } from "../sections.ts";

/** The JSON Schema of a test file, made from the definitions. Editors complete from it; the command checks with it. */
export function testSchema(catalog: Catalog): JsonSchema {
  const types = resourceOf(catalog, "outreach_webhook").schema["type"]?.oneOf ?? [];
  const statuses = dataSourceOf(catalog, "outreach_campaign").schema["status"]?.oneOf ?? [];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://outreach-as-code.example/schemas/tests.schema.json",
    title: "outreach tests",
    type: "object",
    additionalProperties: false,
    required: ["version", "tests"],
    properties: {
      version: { const: 1, description: "Version of this format: 1." },
      team: {
        type: "string",
        pattern: TEAM_NAME.source,
        description: "Team of the configuration that the tests are about.",
        examples: ["emea"],
      },
      variables: {
        type: "object",
        description:
          "Values of the configuration's variables. They take precedence over --var, --var-file and OUTREACH_VAR_NAME.",
        additionalProperties: { type: ["string", "number", "boolean"] },
        examples: [{ stage: "production" }],
      },
      campaigns: {
        type: "array",
        description: "Campaigns that the configuration finds: the tests ask no service.",
        items: campaign(statuses),
      },
      tests: {
        type: "object",
        description: "Tests by name. Each names an event, and every receiver that the service sends it to.",
        additionalProperties: test(types),
      },
    },
    $defs: { receiver: RECEIVER, secret: SECRET },
  };
}

function campaign(statuses: readonly unknown[]): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    required: ["id", "name"],
    properties: {
      id: { type: "string", description: "Id of the campaign.", examples: ["cam_000001"] },
      name: { type: "string", minLength: 1, description: "Name of the campaign.", examples: ["Q3 launch"] },
      status: { type: "string", enum: statuses, description: "Status of the campaign.", default: "running" },
      labels: {
        type: "array",
        items: { type: "string" },
        description: "Labels of the campaign.",
        examples: [["emea"]],
      },
      created_by: { type: "string", description: "Id of the user who created it.", examples: ["usr_000001"] },
    },
  };
}

function test(types: readonly unknown[]): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    required: ["event", "receives"],
    properties: {
      event: {
        type: "object",
        additionalProperties: false,
        required: ["type"],
        description: "What happens.",
        properties: {
          type: {
            type: "string",
            anyOf: [{ enum: types }, { type: "string" }],
            description: "Event type.",
            examples: ["emailsReplied"],
          },
          campaign: {
            type: "string",
            description:
              "Campaign of the event: its name, its id, or a name under data.campaign. Without it, a campaign that no webhook names.",
            examples: ["Q3 launch"],
          },
          first: {
            type: "boolean",
            description: "Whether it is the first activity, which webhooks with is_first receive.",
            default: true,
          },
          third_party: {
            type: "boolean",
            description: "Whether it is a third-party reply: an emailsReplied event without a campaign.",
            default: false,
          },
        },
      },
      receives: {
        type: "array",
        description: "Every receiver of the event, by URL or by address. An empty list: nobody receives it.",
        items: { $ref: "#/$defs/receiver" },
      },
    },
  };
}

const RECEIVER = {
  type: ["string", "object"],
  minLength: 1,
  additionalProperties: false,
  properties: {
    url: { type: "string", minLength: 1, description: "Target URL.", examples: ["https://crm.example.com/replies"] },
    webhook: {
      type: "string",
      minLength: 1,
      description: "Address of a webhook. The address of a block stands for all of its instances.",
      examples: ["outreach_webhook.crm"],
    },
    count: { type: "integer", minimum: 1, description: "How often it gets the event.", default: 1 },
    secret: { $ref: "#/$defs/secret" },
  },
  examples: [
    "https://crm.example.com/replies",
    { webhook: "outreach_webhook.crm", secret: { env: "CRM_HOOK_SECRET" } },
  ],
};

const SECRET = {
  description: "Secret of each delivery, as the configuration refers to it; or any, or none. Tests read no secret.",
  type: ["string", "object"],
  pattern: "^(any|none)$",
  additionalProperties: false,
  not: {
    anyOf: [
      ["env", "file"],
      ["env", "command"],
      ["file", "command"],
    ].map((required) => ({ type: "object", required })),
  },
  minProperties: 1,
  properties: {
    env: { type: "string", minLength: 1, description: "Name of an environment variable." },
    file: { type: "string", minLength: 1, description: "Path of a file, as the configuration has it." },
    command: { type: "array", minItems: 1, items: { type: "string" }, description: "Program and its arguments." },
  },
  examples: ["any", "none", { env: "CRM_HOOK_SECRET" }],
};
