import { NAME_PATTERN } from "../../core/model/address.ts";
import { type Attribute, attributesOf } from "../../core/model/attribute.ts";
import { definitionOf } from "../../core/config/round.ts";
import type { Catalog } from "../../core/model/definition.ts";
import type { IgnorableWarning } from "../../core/model/ignored-warnings.ts";
import type { BackendSetting } from "../../core/state/backend.ts";
import { STATE_BACKENDS } from "../../core/state/backends.ts";
import {
  CHECK,
  IMPORT,
  type JsonSchema,
  LIMITS,
  MOVED,
  NOTIFY,
  OUTPUT,
  REMOVAL,
  REMOVED,
  TEAM,
  VARIABLE,
  ENCRYPTION,
} from "./section-schemas.ts";
import {
  DEFAULT_STATE,
  TEAM_NAME,
  FAN_OUT_SETTINGS,
  type FanOutKey,
  SECTIONS,
  type Section,
  TEAMS_FROM,
} from "./sections.ts";

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
      variables: named(
        VARIABLE,
        "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.",
      ),
      teams: {
        type: "object",
        description:
          "Teams of the service. Every plan and apply runs for each team, or for those of --team, with a state of its own. ${team.name} is the team's name.",
        propertyNames: { pattern: TEAM_NAME.source },
        additionalProperties: TEAM,
      },
      [TEAMS_FROM.key]: sourceForm(TEAMS_FROM),
      data: {
        type: "object",
        additionalProperties: false,
        description: "Objects of the service to look up. outreach only reads them.",
        properties: Object.fromEntries(data.map((section) => [section.path[1], blocks(section, catalog)])),
      },
      ...Object.fromEntries(top.map((section) => [section.path[0], blocks(section, catalog)])),
      imports: listOf(
        IMPORT,
        "Existing objects of the service to manage. An object that is already in the state stays as it is.",
      ),
      moved: listOf(
        MOVED,
        "Blocks and instances with a new address. The state keeps their objects, at the new address.",
      ),
      removed: listOf(REMOVED, "Blocks that you no longer declare, and whether to delete their objects."),
      removals: listOf(
        REMOVAL,
        "Live webhooks that nothing manages, to delete by id. Only a plan that a person approves deletes them: a typed yes, or a saved plan.",
      ),
      outputs: named(OUTPUT, "Values to show after an apply. The state stores them for outreach output."),
      checks: named(CHECK, "Conditions that must hold. Every plan evaluates them, and every apply again at its end."),
      limits: LIMITS,
      ignore: ignoreSchema(
        catalog.ignorable ?? [],
        "Codes of warnings and findings that are not shown, as they have them in brackets.",
      ),
      notify: named(
        NOTIFY,
        "Where the controller of a fleet sends notices: of drift, failed runs, undecided outcomes, plans that wait for approval, and rechecks that found people. The command sends nothing.",
      ),
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
      description:
        "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged.",
    },
    file: {
      type: "string",
      minLength: 1,
      description:
        "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped.",
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
      description:
        "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.",
      default: "100%",
      examples: ["50%"],
    },
    unique_target_url: {
      type: "boolean",
      description:
        "Whether the service allows one webhook per target URL, as users observed: plans then stop before they create a second one.",
      default: false,
      examples: [true],
    },
    mark: {
      type: "boolean",
      description:
        "Whether each create carries a mark, a random query parameter `outreach` in the target URL, by which a lost answer can be decided. Turning it on replaces nothing.",
      default: false,
      examples: [true],
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
    ...Object.fromEntries(
      STATE_BACKENDS.flatMap(({ name: backend, settings }) =>
        Object.entries(settings).map(([name, setting]) => [name, stateSetting(backend, setting)]),
      ),
    ),
  },
};

function stateSetting(backend: string, setting: BackendSetting): object {
  const {
    kind,
    description,
    default: fallback,
    environment = [],
    examples,
  } = { ...setting, ...(backend === "local" ? LOCAL_PATH : {}) };
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
      return {
        type: "object",
        additionalProperties: { anyOf: [{ type: "string" }, { $ref: "#/$defs/secret" }] },
        ...more,
      };
  }
}

function ignoreSchema(ignorable: readonly IgnorableWarning[], description: string): JsonSchema {
  return {
    type: "array",
    description,
    items: { enum: ignorable.map(({ code }) => code) },
    examples: [["webhook_without_secret"]],
  };
}

/** The warnings that a block silences for itself. */
function blockIgnore({ mode, type }: Section, { ignorable = [] }: Catalog): { readonly ignore?: JsonSchema } {
  const own = ignorable.filter(({ types = [] }) => types.includes(type));
  if (mode === "data" || own.length === 0) return {};
  return { ignore: ignoreSchema(own, "Codes of warnings and findings about this block that are not shown.") };
}

function listOf(item: JsonSchema, description: string): JsonSchema {
  return { type: "array", description, items: item };
}

function named(item: JsonSchema, description: string): JsonSchema {
  return { type: "object", description, propertyNames: { pattern: NAME_PATTERN }, additionalProperties: item };
}

function blocks(section: Section, catalog: Catalog): JsonSchema {
  const definition = definitionOf(section, catalog);
  const attributes = attributesOf(definition.schema, "yaml").filter(([, { mode }]) => mode !== "computed");
  const fanOut = section.fanOut ?? [];
  // What can be given in another way is left to the check of the definitions.
  const isOnly = (name: string, { refersTo }: Attribute): boolean =>
    !refersTo && fanOut.every(({ attribute }) => attribute !== name);
  return named(
    {
      type: "object",
      additionalProperties: false,
      description: definition.docs,
      required: attributes.flatMap(([name, attribute]) =>
        attribute.mode === "required" && isOnly(name, attribute) ? [name] : [],
      ),
      properties: {
        ...Object.fromEntries(
          attributes.flatMap(([name, attribute]) => [
            [name, argument(withEach(name, attribute, section))],
            ...shortForm(attribute),
            ...fanOut.filter((key) => key.attribute === name).flatMap((key) => listForm(key, attribute)),
          ]),
        ),
        ...(fanOut.length > 0 ? FAN_OUT_SETTINGS : {}),
        ...blockIgnore(section, catalog),
      },
    },
    section.docs,
  );
}

function withEach(name: string, attribute: Attribute, { each }: Section): Attribute {
  if (!each?.attributes.includes(name)) return attribute;
  const { docs, examples = [] } = attribute;
  const more = each.examples[name];
  return {
    ...attribute,
    docs: `${docs} ${each.docs}`,
    ...(more === undefined ? {} : { examples: [...examples, more] }),
  };
}

function argument({
  type,
  mode,
  docs,
  sensitive,
  oneOf,
  examples,
  default: recorded,
  canonical,
}: Attribute): JsonSchema {
  // What an absent value means.
  const absent = mode === "required" ? null : (recorded ?? canonical?.(null) ?? null);
  const described = {
    description: docs,
    ...(absent === null ? {} : { default: absent }),
    ...(examples ? { examples } : {}),
  };
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
  return [
    [refersTo.yaml, { type: "string", description: `Name of a block under data.${refersTo.yaml}, instead of the id.` }],
  ];
}

/** A path, or a file or a command with the column, or several of these. */
function sourceForm({ docs, example, column }: NonNullable<FanOutKey["from"]>): JsonSchema {
  const map = {
    additionalProperties: false,
    properties: {
      file: { type: "string", minLength: 1, description: "Path of the file." },
      command: {
        type: "array",
        minItems: 1,
        items: { type: "string" },
        description:
          "Program and its arguments. It prints the list. It runs in the configuration's folder, without the secrets of the environment, for at most 60 s.",
      },
      column: { type: "string", minLength: 1, description: column },
    },
  };
  const one = { type: ["string", "object"], minLength: 1, ...map };
  return {
    type: ["string", "object", "array"],
    minLength: 1,
    ...map,
    minItems: 1,
    items: one,
    description: docs,
    examples: [example],
  };
}

function listForm(
  { key, docs, filter, from }: FanOutKey,
  { oneOf, examples = [] }: Attribute,
): readonly (readonly [string, JsonSchema])[] {
  const item = oneOf ? { anyOf: [{ enum: oneOf }, { type: "string" }] } : { type: "string" };
  const list = {
    type: filter ? ["string", "array"] : "array",
    description: docs,
    items: item,
    ...(filter ? {} : { examples: [examples] }),
  };
  return [[key, list], ...(from ? [[from.key, sourceForm(from)] as const] : [])];
}
