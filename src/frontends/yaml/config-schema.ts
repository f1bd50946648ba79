import { type Attribute, attributesOf } from "../../core/model/attribute.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../../core/model/definition.ts";
import type { BackendSetting } from "../../core/model/backend-definition.ts";
import { STATE_BACKENDS } from "../../core/model/state-backends.ts";
import type { JsonSchema } from "./schema-check.ts";
import { DEFAULT_STATE } from "./default-state.ts";
import { ENCRYPTION } from "./encryption-schema.ts";
import { FAN_OUT_SETTINGS, type FanOutKey, SECTIONS, type Section } from "./sections.ts";

const NAME = "^[\\p{L}_][\\p{L}\\p{N}_-]*$";
const TEMPLATE = { type: "string", pattern: "\\$\\{", description: "Expression." };

/** The JSON Schema of the YAML configuration, made from the definitions. Editors complete from it; the command checks with it. */
export function configSchema(catalog: Catalog): JsonSchema {
  const data = SECTIONS.filter(({ path }) => path[0] === "data");
  const top = SECTIONS.filter(({ path }) => path.length === 1);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://outreach-as-code.example/schemas/config.schema.json",
    title: "outreach configuration",
    type: "object",
    additionalProperties: false,
    required: ["version"],
    properties: {
      version: { const: 1, description: "Version of this format: 1." },
      service: SERVICE,
      state: STATE,
      variables: named(VARIABLE, "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME."),
      data: {
        type: "object",
        additionalProperties: false,
        description: "Objects of the service to look up. outreach only reads them.",
        properties: Object.fromEntries(data.map((section) => [section.path[1], blocks(section, catalog)])),
      },
      ...Object.fromEntries(top.map((section) => [section.path[0], blocks(section, catalog)])),
      imports: listed(IMPORT, "Existing objects of the service to manage. An object that is already in the state stays as it is."),
      moved: listed(MOVED, "Blocks and instances with a new address. The state keeps their objects, at the new address."),
      removed: listed(REMOVED, "Blocks that you no longer declare, and whether to delete their objects."),
      outputs: named(OUTPUT, "Values to show after an apply. The state stores them for outreach output."),
      checks: named(CHECK, "Conditions that must hold. Every plan evaluates them, and every apply again at its end."),
      limits: LIMITS,
    },
    $defs: { secret: SECRET },
  };
}

const SECRET = {
  description: "Source of a secret. The configuration never contains the secret.",
  type: "object",
  additionalProperties: false,
  minProperties: 1,
  // Not maxProperties: editors would offer no key where one is about to be typed.
  not: {
    anyOf: [
      ["env", "file"],
      ["env", "command"],
      ["file", "command"],
    ].map((required) => ({ required })),
  },
  properties: {
    env: {
      type: "string",
      minLength: 1,
      description: "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged.",
    },
    file: {
      type: "string",
      minLength: 1,
      description: "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped.",
    },
    command: {
      type: "array",
      minItems: 1,
      items: { type: "string" },
      description: "Program and its arguments. One final newline of its output is stripped.",
    },
  },
};

const SERVICE = {
  type: "object",
  additionalProperties: false,
  description: "The service to manage.",
  properties: {
    base_url: {
      type: "string",
      description: "Base address of the service's API. OUTREACH_BASE_URL takes precedence over it.",
      examples: ["https://api.example.com/api"],
    },
    rate_share: {
      type: "string",
      pattern: "^(100|[1-9][0-9]?)%$",
      description: "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.",
      default: "100%",
      examples: ["50%"],
    },
    api_key: {
      $ref: "#/$defs/secret",
      description: "Source of the API key.",
      default: { env: "OUTREACH_API_KEY" },
    },
  },
};

/** Where a configuration keeps its state if it does not say so. */
const LOCAL_PATH = { default: DEFAULT_STATE, examples: ["outreach.${var.stage}.state.json"] };

/** The settings of all backends: which one a setting belongs to is checked when the backend is known. */
const STATE = {
  type: "object",
  additionalProperties: false,
  description: "Where to store the state.",
  properties: {
    backend: {
      enum: STATE_BACKENDS.map(({ name }) => name),
      description: STATE_BACKENDS.map(({ name, description }) => `${name}: ${description}`).join(" "),
      default: "local",
    },
    encryption: ENCRYPTION,
    ...Object.fromEntries(STATE_BACKENDS.flatMap(({ name: backend, settings }) => settings.map((setting) => [setting.name, stateSetting(backend, setting)]))),
  },
};

function stateSetting(backend: string, setting: BackendSetting): object {
  const { kind, description, default: fallback, environment = [], examples } = { ...setting, ...(backend === "local" ? LOCAL_PATH : {}) };
  const variables = environment.length === 0 ? "" : ` Without it, ${environment.join(" or ")} sets it.`;
  const more = {
    description: `${backend === "local" ? "" : `Of the backend ${backend}. `}${description}${variables}`,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(examples ? { examples } : {}),
  };
  switch (kind) {
    case "text":
      return { type: "string", minLength: 1, ...more };
    case "flag":
      return { type: "boolean", ...more };
    case "count":
      return { type: "integer", minimum: 0, ...more };
    case "secret":
      return { $ref: "#/$defs/secret", ...more };
    case "texts":
      return { type: "object", additionalProperties: { anyOf: [{ type: "string" }, { $ref: "#/$defs/secret" }] }, ...more };
  }
}

const VARIABLE = {
  type: ["object", "null"],
  additionalProperties: false,
  properties: {
    default: { type: ["string", "number", "boolean"], description: "Value if none is set. Without a default, the variable is required." },
    allowed: {
      type: "array",
      minItems: 1,
      items: { type: ["string", "number", "boolean"] },
      description: "The only values that it may have, whether from its default or from outside.",
      examples: [["staging", "production"]],
    },
    sensitive: { type: "boolean", default: false, description: "Whether to mask values that contain it in output. The state still stores them." },
    description: { type: "string", description: "Purpose, for readers." },
  },
};

const SCALARS = ["string", "number", "boolean"];

const OUTPUT = {
  type: [...SCALARS, "array", "object"],
  description: "Expression, or a map with value, sensitive and description.",
  items: { type: SCALARS },
  additionalProperties: false,
  properties: {
    value: { type: [...SCALARS, "array"], items: { type: SCALARS }, description: "Value to show.", examples: ["${data.outreach_campaign.q3.id}"] },
    sensitive: {
      type: "boolean",
      default: false,
      description: "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked.",
    },
    description: { type: "string", description: "Purpose, for readers." },
  },
  examples: ["${data.outreach_campaign.q3.id}"],
};

const IMPORT = {
  type: "object",
  additionalProperties: false,
  required: ["to", "id"],
  properties: {
    to: { type: "string", minLength: 1, description: "Address that declares the object.", examples: ["outreach_webhook.crm-replies"] },
    id: {
      type: "string",
      minLength: 1,
      description: "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.",
      examples: ["hoo_000001"],
    },
  },
};

const MOVED = {
  type: "object",
  additionalProperties: false,
  required: ["from", "to"],
  properties: {
    from: { type: "string", minLength: 1, description: "Old address of a block or an instance.", examples: ["outreach_webhook.crm"] },
    to: { type: "string", minLength: 1, description: "New address.", examples: ["outreach_webhook.crm-replies"] },
  },
};

const REMOVED = {
  type: "object",
  additionalProperties: false,
  required: ["from"],
  properties: {
    from: { type: "string", minLength: 1, description: "Address of the block. It includes all instances.", examples: ["outreach_webhook.audit"] },
    destroy: { type: "boolean", default: true, description: "Whether to delete the objects in the service. If false, outreach only forgets them." },
  },
};

const CHECK = {
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
    message: { type: "string", minLength: 1, description: "Text to show if it is not true. It may contain expressions.", examples: ["Too many webhooks."] },
    severity: {
      enum: ["warning", "error"],
      default: "warning",
      description: "What a failure means: a warning is shown, an error stops the apply.",
    },
  },
};

const LIMITS = {
  type: "object",
  additionalProperties: false,
  description: "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it.",
  properties: {
    delete: limit(
      "Maximum deletes, as a number or a percentage of the managed webhooks. Default: a plan fails if it deletes more than 3 and more than 30%.",
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
      ...limit("Maximum unsubscriptions of a plan that nobody approves by typing yes: with --auto-approve, and of a saved plan.", 50),
      default: 100,
    },
  },
};

function limit(description: string, example: string | number): JsonSchema {
  return { type: ["integer", "string"], minimum: 0, pattern: "^(100|[1-9]?[0-9])%$", description, examples: [example] };
}

function listed(item: JsonSchema, description: string): JsonSchema {
  return { type: "array", description, items: item };
}

function named(item: JsonSchema, description: string): JsonSchema {
  return { type: "object", description, propertyNames: { pattern: NAME }, additionalProperties: item };
}

function blocks(section: Section, catalog: Catalog): JsonSchema {
  const definitions: readonly (AnyResource | AnyDataSource)[] = section.mode === "data" ? catalog.dataSources : catalog.resources;
  const definition = definitions.find(({ type }) => type === section.type);
  if (!definition) throw new Error(`the section ${section.path.join(".")} names the unknown type ${section.type}`);
  const attributes = attributesOf(definition.schema, "yaml").filter(([, { mode }]) => mode !== "computed");
  const fanOut = section.fanOut ?? [];
  // What can be given in another way is left to the check of the definitions.
  const isOnly = (name: string, { refersTo }: Attribute): boolean => !refersTo && fanOut.every(({ attribute }) => attribute !== name);
  return named(
    {
      type: "object",
      additionalProperties: false,
      description: definition.docs,
      required: attributes.flatMap(([name, attribute]) => (attribute.mode === "required" && isOnly(name, attribute) ? [name] : [])),
      properties: {
        ...Object.fromEntries(
          attributes.flatMap(([name, attribute]) => [
            [name, argument(attribute)],
            ...shortForm(attribute),
            ...fanOut.filter((key) => key.attribute === name).flatMap((key) => listForm(key, attribute)),
          ]),
        ),
        ...(fanOut.length > 0 ? FAN_OUT_SETTINGS : {}),
      },
    },
    section.docs,
  );
}

function argument({ type, mode, docs, sensitive, oneOf, examples, default: recorded, canonical }: Attribute): JsonSchema {
  // What an absent value means.
  const absent = mode === "required" ? null : (recorded ?? canonical?.(null) ?? null);
  const described = { description: docs, ...(absent === null ? {} : { default: absent }), ...(examples ? { examples } : {}) };
  if (sensitive) return { $ref: "#/$defs/secret", description: docs };
  if (oneOf) return { ...described, anyOf: [{ enum: oneOf }, { type: "string" }] };
  if (type === "string") return { ...described, type: "string" };
  if (type === "bool") return { ...described, anyOf: [{ type: "boolean" }, TEMPLATE] };
  if (type === "number") return { ...described, anyOf: [{ type: "number" }, TEMPLATE] };
  if ("list" in type && type.list === "string") return { ...described, type: "array", items: { type: "string" } };
  throw new Error("only plain attributes and lists of text can be configured so far");
}

function shortForm({ refersTo }: Attribute): readonly (readonly [string, JsonSchema])[] {
  if (!refersTo) return [];
  return [[refersTo.yaml, { type: "string", description: `Name of a block under data.${refersTo.yaml}, instead of the id.` }]];
}

function listForm({ key, docs, filter, file }: FanOutKey, { oneOf, examples = [] }: Attribute): readonly (readonly [string, JsonSchema])[] {
  const item = oneOf ? { anyOf: [{ enum: oneOf }, { type: "string" }] } : { type: "string" };
  const list = { type: filter ? ["string", "array"] : "array", description: docs, items: item, ...(filter ? {} : { examples: [examples] }) };
  return [[key, list], ...(file ? [[file.key, { type: "string", minLength: 1, description: file.docs, examples: [file.example] }] as const] : [])];
}
