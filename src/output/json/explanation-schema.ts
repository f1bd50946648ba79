import { REASON_CODES } from "../../core/plan/decision-reasons.ts";
import { TEXT, TEXTS, TEXT_OR_NULL, orNull, record, recordsOf } from "./json-schema.ts";

const VALUES = {
  type: "object",
  description: 'Attributes by their names; a sensitive value is "(sensitive value)".',
} as const;
const MARKS = {
  type: "object",
  additionalProperties: true,
  description: "true for each attribute that it concerns.",
} as const;

const DECLARED = record({
  place: orNull(
    record({
      file: TEXT,
      line: { type: ["integer", "null"] },
      column: { type: ["integer", "null"] },
      construct: TEXT_OR_NULL,
    }),
  ),
  values: VALUES,
  unknown_values: MARKS,
  sensitive_values: MARKS,
  secrets: {
    type: "object",
    additionalProperties: record({ source: { enum: ["env", "file", "command", "variable"] }, name: TEXT_OR_NULL }),
    description: "Where each secret comes from. Never its value.",
  },
});

const RECORDED = record({
  state: TEXT,
  address: { ...TEXT, description: "Differs from the explained address if the record moves." },
  id: TEXT_OR_NULL,
  recorded_at: TEXT,
  values: VALUES,
  sensitive_values: MARKS,
  unobserved: { ...TEXTS, description: "Attributes that are neither declared nor returned by the service." },
  assumed: { ...TEXTS, description: "Attributes that an import took from the configuration." },
  deposed: { ...TEXTS, description: "Ids of older objects of the address that are still to be deleted." },
});

const LIVE = record({
  id: { ...TEXT_OR_NULL, description: "null if the list does not show the recorded object." },
  list_complete: { type: "boolean", description: "false if the service may have truncated its list." },
  values: orNull(VALUES),
  unobserved: { ...TEXTS, description: "Attributes that the service does not return." },
  identical_unmanaged: { ...TEXTS, description: "Ids of unmanaged live objects that look like what is declared." },
});

const STEP = record(
  {
    action: { enum: ["create", "replace", "update-state", "delete", "forget", "adopt", "keep"] },
    actions: { ...TEXTS, description: "As in Terraform's plan representation." },
    previous_address: TEXT,
    id: TEXT_OR_NULL,
    replace_paths: { type: "array", items: TEXTS },
  },
  ["previous_address", "id"],
);

const REASON = record(
  {
    code: { oneOf: Object.entries(REASON_CODES).map(([code, meaning]) => ({ const: code, description: meaning })) },
    attribute: TEXT,
    detail: TEXT,
  },
  ["attribute"],
);

const DECISION = record({
  steps: { type: "array", items: STEP, description: "Empty if the plan does nothing here, or is blocked here." },
  drift: { enum: ["missing", "changed", null] },
  drifted: TEXTS,
  undecided: { type: "boolean" },
  blocked: { type: "boolean", description: "Whether an error of the plan blocks the apply." },
  secrets_checked: { type: "boolean" },
  reasons: { type: "array", items: REASON },
});

/** The JSON Schema of what `explain --json` prints. */
export const EXPLANATION_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "outreach explain --json",
  description: "What is declared, recorded and live at one address, and why the plan decides as it does.",
  ...record(
    {
      format_version: { const: "1.0" },
      outreach_version: TEXT,
      address: TEXT,
      type: TEXT,
      declared: orNull(DECLARED),
      recorded: orNull(RECORDED),
      live: { ...orNull(LIVE), description: "null for a type that the service does not list." },
      decision: DECISION,
      apply: { ...TEXT, description: "What an apply would do at this address." },
      names: {
        type: "object",
        additionalProperties: TEXT,
        description: "The names of the plan's campaigns by their ids, as far as it has read them.",
      },
      diagnostics: { type: "array", items: { type: "object" }, description: "As in plan --json." },
      commands: recordsOf({ purpose: TEXT, command: TEXT }),
    },
    ["names"],
  ),
} as const;
