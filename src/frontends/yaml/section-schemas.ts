import { NAME_PATTERN } from "../../core/model/address.ts";
import { NOTICE_EVENTS } from "../../core/model/notice.ts";

export type JsonSchema = { readonly [keyword: string]: unknown };

const SECRET = { $ref: "#/$defs/secret" };

/** Editors would offer no key where one is about to be typed, if only one were allowed. */
const NOT_BOTH = { not: { required: ["passphrase", "key"] } };

/** `state.encryption`: for every backend. */
export const ENCRYPTION = {
  type: "object",
  additionalProperties: false,
  minProperties: 1,
  ...NOT_BOTH,
  description:
    "Encrypts the state, its journal and backup, and saved plans, with AES-256-GCM. With only a fallback, the next apply stores them in plain text.",
  properties: {
    passphrase: {
      ...SECRET,
      description: "Source of a passphrase of at least 16 characters. The key is derived from it by scrypt.",
    },
    key: {
      ...SECRET,
      description: "Source of a key: 32 random bytes in base64, as openssl rand -base64 32 prints them.",
    },
    fallback: {
      description:
        "The previous passphrase or key, while it changes: it only decrypts. Or plain, while a state in plain text is encrypted for the first time.",
      oneOf: [
        { const: "plain", description: "Reads a state in plain text. The next apply encrypts it." },
        {
          type: "object",
          additionalProperties: false,
          minProperties: 1,
          ...NOT_BOTH,
          properties: {
            passphrase: { ...SECRET, description: "Source of the previous passphrase." },
            key: { ...SECRET, description: "Source of the previous key." },
          },
        },
      ],
    },
  },
  examples: [{ passphrase: { env: "STATE_PASSPHRASE" } }],
};

export const VARIABLE = {
  type: ["object", "null"],
  additionalProperties: false,
  properties: {
    default: {
      type: ["string", "number", "boolean"],
      description: "Value if none is set. Without a default, the variable is required.",
    },
    allowed: {
      type: "array",
      minItems: 1,
      items: { type: ["string", "number", "boolean"] },
      description: "The only values that it may have, whether from its default or from outside.",
      examples: [["staging", "production"]],
    },
    sensitive: {
      type: "boolean",
      default: false,
      description:
        "Whether to mask values that contain it in output. The state still stores attributes with it. It has no default, and no value below teams: set OUTREACH_VAR_NAME.",
    },
    description: { type: "string", description: "Purpose, for readers." },
  },
};

export const TEAM = {
  type: ["object", "null"],
  additionalProperties: false,
  properties: {
    api_key: { $ref: "#/$defs/secret", description: "Source of the team's API key, instead of service.api_key." },
    base_url: {
      type: "string",
      description:
        "Base address of the service's API for this team, instead of service.base_url. OUTREACH_BASE_URL takes precedence over it.",
      examples: ["https://emea.api.example.com/api"],
    },
    variables: {
      type: "object",
      description:
        "Values of variables, instead of their defaults. --var, --var-file and OUTREACH_VAR_NAME take precedence over them.",
      propertyNames: { pattern: NAME_PATTERN },
      additionalProperties: { type: ["string", "number", "boolean"] },
      examples: [{ crm: "crm-emea.example.com" }],
    },
  },
};

export const NOTIFY = {
  type: "object",
  additionalProperties: false,
  properties: {
    url: {
      anyOf: [{ type: "string", minLength: 1 }, SECRET],
      description:
        "Where to POST the notice: the source of a secret, because the URLs of chat tools are secrets, or a text. https; http only to this machine.",
      examples: [{ env: "SLACK_WEBHOOK_URL" }],
    },
    command: {
      type: "array",
      minItems: 1,
      items: { type: "string" },
      description:
        "Program and its arguments, in place of url. It gets the notice as JSON on its standard input, runs without the secrets of the environment, and has 10 s.",
      examples: [["./page-on-call.sh", "${team.name}"]],
    },
    format: {
      enum: ["json", "slack", "teams"],
      default: "json",
      description: "Form of the request: json for a program, slack or teams for a channel.",
    },
    on: {
      type: "array",
      minItems: 1,
      items: { enum: NOTICE_EVENTS },
      description: "What to send. Default: everything.",
      examples: [["drift", "failed"]],
    },
    remind: {
      type: "string",
      pattern: "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$",
      default: "24h",
      description: "How long the controller waits before it sends a finding that persists again.",
      examples: ["4h"],
    },
  },
};

const SCALARS = ["string", "number", "boolean"];

export const OUTPUT = {
  type: [...SCALARS, "array", "object"],
  description: "Expression, or a map with value, sensitive and description.",
  items: { type: SCALARS },
  additionalProperties: false,
  properties: {
    value: {
      type: [...SCALARS, "array"],
      items: { type: SCALARS },
      description: "Value to show.",
      examples: ["${data.outreach_campaign.q3.id}"],
    },
    sensitive: {
      type: "boolean",
      default: false,
      description:
        "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked, and stored only if this is true.",
    },
    description: { type: "string", description: "Purpose, for readers." },
  },
  examples: ["${data.outreach_campaign.q3.id}"],
};

export const IMPORT = {
  type: "object",
  additionalProperties: false,
  required: ["to", "id"],
  properties: {
    to: {
      type: "string",
      minLength: 1,
      description: "Address that declares the object.",
      examples: ["outreach_webhook.crm-replies"],
    },
    id: {
      type: "string",
      minLength: 1,
      description: "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.",
      examples: ["hoo_000001"],
    },
  },
};

export const MOVED = {
  type: "object",
  additionalProperties: false,
  required: ["from", "to"],
  properties: {
    from: {
      type: "string",
      minLength: 1,
      description: "Old address of a block or an instance.",
      examples: ["outreach_webhook.crm"],
    },
    to: { type: "string", minLength: 1, description: "New address.", examples: ["outreach_webhook.crm-replies"] },
  },
};

export const REMOVED = {
  type: "object",
  additionalProperties: false,
  required: ["from"],
  properties: {
    from: {
      type: "string",
      minLength: 1,
      description: "Address of the block. It includes all instances.",
      examples: ["outreach_webhook.audit"],
    },
    destroy: {
      type: "boolean",
      default: true,
      description: "Whether to delete the objects in the service. If false, outreach only forgets them.",
    },
  },
};

export const REMOVAL = {
  type: "object",
  additionalProperties: false,
  required: ["id", "reason"],
  properties: {
    id: {
      type: "string",
      minLength: 1,
      description: "Id of the webhook. Once it is deleted, remove the entry.",
      examples: ["hoo_000001"],
    },
    reason: {
      type: "string",
      minLength: 1,
      description: "Why nobody needs it, for the person who approves the plan.",
      examples: ["left by an automation tool"],
    },
  },
};

export const CHECK = {
  type: "object",
  additionalProperties: false,
  required: ["condition", "message"],
  properties: {
    condition: {
      type: "string",
      minLength: 1,
      description: "Expression that must be true. It can use variables, data and attributes of managed objects.",
      examples: ["${length(data.outreach_webhooks.all.webhooks) <= 90}"],
    },
    message: {
      type: "string",
      minLength: 1,
      description: "Text to show if it is not true. It may contain expressions.",
      examples: ["Too many webhooks."],
    },
    severity: {
      enum: ["warning", "error"],
      default: "warning",
      description: "What a failure means: a warning is shown, an error stops the apply.",
    },
  },
};

export const LIMITS = {
  type: "object",
  additionalProperties: false,
  description: "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it.",
  properties: {
    delete: limit(
      "Maximum deletes, as a number or a percentage of the managed webhooks, and of those under removals. Default: a plan fails if it deletes more than 3 and more than 30%.",
      "30%",
    ),
    replace: limit(
      "Maximum webhooks to replace for another reason than a new secret, as a number or a percentage. Default: a plan fails if it replaces more than 3 and more than 30%.",
      "30%",
    ),
    recreate: limit(
      "Maximum missing webhooks to create again, as a number or a percentage. Default: a plan fails if more than 3 and more than 20% are missing.",
      "20%",
    ),
    unsubscribe: {
      ...limit(
        "Maximum people on no list before whom a plan unsubscribes although nobody types yes: with --auto-approve, and of a saved plan.",
        50,
      ),
      default: 100,
    },
    shrink: limit(
      "Maximum people that a list of unsubscriptions may lose, as a number or a percentage. Default: a plan fails if a list loses more than 3 and more than 30%.",
      "30%",
    ),
    recheck: {
      type: "integer",
      minimum: 0,
      default: 600,
      description: "Maximum requests of one run that look for watched leads, or send a done unsubscription again.",
      examples: [600],
    },
  },
};

function limit(description: string, example: string | number): JsonSchema {
  return { type: ["integer", "string"], minimum: 0, pattern: "^(100|[1-9]?[0-9])%$", description, examples: [example] };
}
