import { DRIFT_CLASSES } from "../content/drift-format.ts";
import { COUNT, type JsonSchema, TEXT, TEXT_OR_NULL, record, recordsOf } from "./json-schema.ts";

const TYPE: JsonSchema = { type: "string", description: "Resource type, as in outreach_webhook." };
const ADDRESS: JsonSchema = { type: "string", description: "Address in the configuration." };
const ID: JsonSchema = { ...TEXT_OR_NULL, description: "Id in the service." };

/** The JSON Schema of what `outreach drift --json` prints. */
export const DRIFT_SCHEMA: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://outreach-as-code.example/schemas/drift.schema.json",
  title: "outreach drift report",
  ...record({
    format_version: {
      type: "string",
      pattern: "^1\\.\\d+$",
      description: "Version of this format. New members increase its second number.",
    },
    outreach_version: { type: "string", description: "Version of outreach." },
    configuration: { type: "string", description: "Name of the configuration." },
    status: {
      enum: ["none", "drift", "unknown", "error", "undecided"],
      description:
        "none: exit code 0. drift: exit code 2. unknown: the service's list may be truncated (exit code 1). error: see diagnostics (exit code 1). undecided: the outcome of an earlier write is not known (exit code 3).",
    },
    complete: {
      type: "boolean",
      description: "Whether the report can lack nothing: every recorded object was compared, and every list is whole.",
    },
    summary: {
      ...record(Object.fromEntries(DRIFT_CLASSES.map((name) => [name, COUNT]))),
      description: "Number of findings of each class.",
    },
    missing: {
      ...recordsOf({ address: ADDRESS, type: TYPE, id: ID, values: values("Recorded attributes.") }),
      description: "Recorded objects that are no longer live.",
    },
    changed: {
      ...recordsOf({
        address: ADDRESS,
        type: TYPE,
        id: ID,
        attributes: {
          type: "object",
          minProperties: 1,
          additionalProperties: record({
            before: { description: "Recorded value." },
            after: { description: "Live value." },
          }),
          description: "Changed attributes by name.",
        },
      }),
      description: "Objects that are live with another value than the recorded one.",
    },
    unmanaged: {
      ...recordsOf({
        type: TYPE,
        id: TEXT,
        values: values("Live attributes. An absent one is not shown by the service, which differs from null."),
      }),
      description: "Live objects that are not in the state.",
    },
    unobservable: {
      ...recordsOf({
        type: TYPE,
        attribute: { type: ["string", "null"], description: "Null: the service shows no attribute of this type." },
        count: COUNT,
      }),
      description: "Recorded values that the service does not return, so that their drift cannot be seen.",
    },
    unchecked: {
      ...recordsOf({ address: ADDRESS, type: TYPE, id: ID }),
      description: "Recorded objects that are not in the service's list, which may be truncated.",
    },
    undecided: {
      ...recordsOf({
        address: { ...ADDRESS, type: ["string", "null"] },
        type: TYPE,
        candidates: { type: "array", items: TEXT },
      }),
      description: "Writes whose outcome is not known, with the ids of the live objects that they may have created.",
    },
    names: {
      type: "object",
      additionalProperties: TEXT,
      description: "Names of campaigns by their ids, as far as recorded webhooks were declared by them.",
    },
    advice: {
      ...record(Object.fromEntries(DRIFT_CLASSES.map((name) => [name, TEXT]))),
      description: "What to do about each class.",
    },
    diagnostics: {
      type: "array",
      description: "Errors, warnings and notes, as Terraform prints them, with their codes.",
      items: {
        type: "object",
        required: ["severity", "code", "summary", "detail"],
        properties: {
          severity: { enum: ["error", "warning", "note"] },
          code: TEXT,
          summary: TEXT,
          detail: TEXT,
          address: TEXT,
        },
      },
    },
  }),
};

function values(description: string): JsonSchema {
  return { type: "object", description };
}
