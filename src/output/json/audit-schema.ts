import { COUNT, type JsonSchema, TEXT, TEXT_OR_NULL, record, recordsOf } from "./json-schema.ts";

const TYPE: JsonSchema = { type: "string", description: "Resource type, as in outreach_webhook." };
const FINDING: JsonSchema = {
  ...TEXT,
  description: "Id of the finding: automation, duplicate, overlap, dead_campaign, http, webhook_without_secret or old.",
};

/** The JSON Schema of what `outreach audit --json` prints. */
export const AUDIT_SCHEMA: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://outreach-as-code.example/schemas/audit.schema.json",
  title: "outreach audit",
  ...record({
    format_version: {
      type: "string",
      pattern: "^1\\.\\d+$",
      description: "Version of this format. New members increase its second number.",
    },
    outreach_version: { type: "string", description: "Version of outreach." },
    as_of: { ...TEXT, description: "When the audit was made (ISO 8601, UTC)." },
    complete: { type: "boolean", description: "Whether the service's list is whole." },
    summary: {
      type: "object",
      additionalProperties: COUNT,
      description: "Number of webhooks in each group. A webhook can be in several.",
    },
    groups: {
      type: "object",
      additionalProperties: { type: "array", items: TEXT },
      description: "Ids in each group: who holds them, and each finding.",
    },
    live: {
      ...recordsOf({
        type: TYPE,
        id: TEXT,
        held: {
          enum: ["managed", "undecided", "temporary", "unmanaged"],
          description:
            "managed: recorded in this state. undecided: a create without a known outcome may have made it. temporary: an outreach listen removes it. unmanaged: in no record of this state.",
        },
        address: { ...TEXT_OR_NULL, description: "Address in the configuration; null if it is not managed." },
        values: {
          type: "object",
          description:
            "What the service shows, and recorded values that it does not show. An absent one is not known, which differs from null.",
        },
        findings: recordsOf({
          id: FINDING,
          why: TEXT,
          others: { type: "array", items: TEXT, description: "Ids of the other webhooks that it is about." },
        }),
      }),
      description: "Every live webhook, the oldest first.",
    },
    names: {
      type: "object",
      additionalProperties: TEXT,
      description: "Names of the campaigns that webhooks name, by id, as far as they exist.",
    },
    unknown: {
      ...recordsOf({ type: TYPE, attribute: TEXT, count: COUNT }),
      description:
        "Values that the audit needs and nobody knows, with the number of webhooks. They are never a finding.",
    },
    diagnostics: {
      type: "array",
      description: "Warnings and notes, as Terraform prints them.",
      items: {
        type: "object",
        required: ["severity", "summary", "detail"],
        properties: { severity: { enum: ["warning", "note"] }, summary: TEXT, detail: TEXT },
      },
    },
  }),
};
