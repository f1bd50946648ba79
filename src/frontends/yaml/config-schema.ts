import { type Attribute, attributesOf } from "../../core/model/attribute.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../../core/model/definition.ts";
import type { JsonSchema } from "./schema-check.ts";
import { FAN_OUT_SETTINGS, type FanOutKey, SECTIONS, type Section } from "./sections.ts";

const NAME = "^[\\p{L}_][\\p{L}\\p{N}_-]*$";
const TEMPLATE = { type: "string", pattern: "\\$\\{", description: "An expression." };

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
      version: { const: 1, description: "The version of this format: 1." },
      service: SERVICE,
      state: STATE,
      variables: named(VARIABLE, "Values that differ between runs. Give them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME."),
      data: {
        type: "object",
        additionalProperties: false,
        description: "Things of the service to look up. They are only read.",
        properties: Object.fromEntries(data.map((section) => [section.path[1], blocks(section, catalog)])),
      },
      ...Object.fromEntries(top.map((section) => [section.path[0], blocks(section, catalog)])),
      imports: listed(IMPORT, "Things of the service that exist already, and are to be managed from now on. What is recorded already is left as it is."),
      moved: listed(MOVED, "Blocks and instances that have another address now: what is recorded at the old one goes on at the new one."),
      removed: listed(REMOVED, "Blocks that are no longer declared, and what becomes of what they have made."),
      outputs: named(OUTPUT, "Values to show after an apply, and to keep in the state for outreach output."),
      limits: LIMITS,
    },
    $defs: { secret: SECRET },
  };
}

const SECRET = {
  description: "Where a secret comes from. It is never written into the configuration.",
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
    env: { type: "string", minLength: 1, description: "The name of an environment variable, whose value is taken as it is." },
    file: { type: "string", minLength: 1, description: "A file below the configuration's folder. One final newline is stripped." },
    command: {
      type: "array",
      minItems: 1,
      items: { type: "string" },
      description: "A program and its arguments. Of what it prints, one final newline is stripped.",
    },
  },
};

const SERVICE = {
  type: "object",
  additionalProperties: false,
  description: "The service that is managed.",
  properties: {
    base_url: {
      type: "string",
      description: "The service's API base address. OUTREACH_BASE_URL, when set, wins over it.",
      examples: ["https://api.example.com/api"],
    },
    rate_share: {
      type: "string",
      pattern: "^(100|[1-9][0-9]?)%$",
      description: "Which part of the service's rate limit to use, to leave room for other users of the key: 1% to 100%, 100% when absent.",
      default: "100%",
      examples: ["50%"],
    },
    api_key: {
      $ref: "#/$defs/secret",
      description: "Where the API key comes from: { env: OUTREACH_API_KEY } when absent.",
      default: { env: "OUTREACH_API_KEY" },
    },
  },
};

const STATE = {
  type: "object",
  additionalProperties: false,
  description: "Where the state is kept.",
  properties: {
    backend: { const: "local", description: "A file on this machine.", default: "local" },
    path: {
      type: "string",
      minLength: 1,
      description: "The file, relative to the configuration: outreach.state.json when absent.",
      default: "outreach.state.json",
      examples: ["outreach.${var.stage}.state.json"],
    },
  },
};

const VARIABLE = {
  type: ["object", "null"],
  additionalProperties: false,
  properties: {
    default: { type: ["string", "number", "boolean"], description: "The value when none is given. Without it the variable must be given." },
    sensitive: { type: "boolean", default: false, description: "Whether values made from it are masked in output. They are stored all the same." },
    description: { type: "string", description: "What it is for." },
  },
};

const SCALARS = ["string", "number", "boolean"];

const OUTPUT = {
  type: [...SCALARS, "array", "object"],
  description: "An expression, or a map with value, sensitive and description.",
  items: { type: SCALARS },
  additionalProperties: false,
  properties: {
    value: { type: [...SCALARS, "array"], items: { type: SCALARS }, description: "What it shows.", examples: ["${data.outreach_campaign.q3.id}"] },
    sensitive: {
      type: "boolean",
      default: false,
      description: "Whether it is masked where all outputs are shown. Made of a sensitive variable, it always is.",
    },
    description: { type: "string", description: "What it is for." },
  },
  examples: ["${data.outreach_campaign.q3.id}"],
};

const IMPORT = {
  type: "object",
  additionalProperties: false,
  required: ["to", "id"],
  properties: {
    to: { type: "string", minLength: 1, description: "The address of what declares it.", examples: ["outreach_webhook.crm-replies"] },
    id: {
      type: "string",
      minLength: 1,
      description: "The service's id of a webhook; CAMPAIGN_ID/EMAIL of an unsubscription that was carried out already.",
      examples: ["hoo_000001"],
    },
  },
};

const MOVED = {
  type: "object",
  additionalProperties: false,
  required: ["from", "to"],
  properties: {
    from: { type: "string", minLength: 1, description: "The address until now: of a block, or of one of its instances.", examples: ["outreach_webhook.crm"] },
    to: { type: "string", minLength: 1, description: "The address from now on.", examples: ["outreach_webhook.crm-replies"] },
  },
};

const REMOVED = {
  type: "object",
  additionalProperties: false,
  required: ["from"],
  properties: {
    from: { type: "string", minLength: 1, description: "The address of the block, which stands for all its instances.", examples: ["outreach_webhook.audit"] },
    destroy: { type: "boolean", default: true, description: "Whether the service is to delete them. Otherwise they stay there, and are only forgotten." },
  },
};

const LIMITS = {
  type: "object",
  additionalProperties: false,
  description: "How much one apply may do. What goes beyond is an error that names the flag to allow it.",
  properties: {
    delete: limit(
      "How many webhooks may be deleted, as a number or as a share of the managed ones: more than 3 and more than 30% are refused when absent.",
      "30%",
    ),
    recreate: limit(
      "How many recorded webhooks that are missing may be created again, as a number or as a share: more than 3 and more than 20% are refused when absent.",
      "20%",
    ),
    unsubscribe: { ...limit("How many leads an apply without a question may unsubscribe: 100 when absent.", 50), default: 100 },
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
  return [[refersTo.yaml, { type: "string", description: `The name of a block under data.${refersTo.yaml}, in place of its id.` }]];
}

function listForm({ key, docs, filter, file }: FanOutKey, { oneOf, examples = [] }: Attribute): readonly (readonly [string, JsonSchema])[] {
  const item = oneOf ? { anyOf: [{ enum: oneOf }, { type: "string" }] } : { type: "string" };
  const list = { type: filter ? ["string", "array"] : "array", description: docs, items: item, ...(filter ? {} : { examples: [examples] }) };
  return [[key, list], ...(file ? [[file.key, { type: "string", minLength: 1, description: file.docs, examples: [file.example] }] as const] : [])];
}
