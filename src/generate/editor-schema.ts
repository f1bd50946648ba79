import { attributesOf } from "../core/model/attribute.ts";
import type { Catalog } from "../core/model/definition.ts";
import { definitionOf } from "../core/config/round.ts";
import type { BackendSettings, StateBackend } from "../core/state/backend.ts";
import { LOCAL_BACKEND, STATE_BACKENDS } from "../core/state/backends.ts";
import { configSchema } from "../frontends/yaml/config-schema.ts";
import type { JsonSchema } from "../frontends/yaml/schema-check.ts";
import { SECTIONS, type Section } from "../frontends/yaml/sections.ts";
import { type Keywords, atLeastOne, exactlyOne, excludes, forEditors, listed, pairs, when } from "./editor-keywords.ts";

/** The command's schema, by the keywords that are read here. */
interface Shape extends JsonSchema {
  readonly properties?: Shapes;
  readonly additionalProperties?: Shape;
  readonly items?: Shape;
  readonly $defs?: Shapes;
}

type Shapes = { readonly [name: string]: Shape };

/**
 * The schema of the configuration for editors: the command's own schema, and the rules that the command checks later, because it says
 * them better there. It refuses nothing that the command accepts.
 */
export function editorSchema(catalog: Catalog): JsonSchema {
  const { properties = {}, $defs = {}, ...schema } = configSchema(catalog) as Shape;
  const { data = {}, state = {}, limits = {} } = properties;
  const withRules = (path: readonly string[], blocks: Shape): Shape => {
    const section = SECTIONS.find((one) => one.path.join() === path.join());
    return section
      ? { ...blocks, additionalProperties: blockSchema(section, blocks.additionalProperties ?? {}, catalog) }
      : blocks;
  };
  return forEditors({
    ...schema,
    properties: {
      ...mapped(properties, (name, blocks) => withRules([name], blocks)),
      state: stateSchema(state),
      data: { ...data, properties: mapped(data.properties ?? {}, (name, blocks) => withRules(["data", name], blocks)) },
      limits: {
        ...limits,
        properties: mapped(limits.properties ?? {}, (_, limit) => ({ ...limit, errorMessage: LIMIT })),
      },
    },
    $defs: { ...$defs, secret: { ...$defs["secret"], errorMessage: SECRET_FORMS, defaultSnippets: SECRET_SNIPPETS } },
  });
}

const LIMIT = "A limit is a whole number from 0, or a percentage from 0% to 100%.";

const SECRET_FORMS =
  "A secret is never written in plain text. Write { env: NAME } for an environment variable, { file: path } for a file, or { command: [program, argument] } for what a program prints.";

const SECRET_SNIPPETS = [
  { label: "env: NAME", description: "An environment variable.", body: { env: "${1:NAME}" } },
  {
    label: "file: path",
    description: "A file in the configuration's folder, or below it.",
    body: { file: "${1:path}" },
  },
  {
    label: "command: [program, argument]",
    description: "What a program prints.",
    body: { command: ["${1:program}", "${2:argument}"] },
  },
];

function mapped(schemas: Shapes, change: (name: string, schema: Shape) => Shape): Shapes {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(name, schema)]));
}

/** The data sources that are looked up by exactly one of several keys, as their checks say. */
const LOOKUPS: { readonly [type: string]: { readonly keys: readonly string[]; readonly what: string } } = {
  outreach_campaign: { keys: ["id", "name"], what: "A campaign is looked up by exactly one of id and name." },
};

/** A block, with what it must have, and which of its keys exclude each other. */
function blockSchema(section: Section, block: Shape, catalog: Catalog): Shape {
  const attributes = attributesOf(definitionOf(section, catalog).schema, "yaml").filter(
    ([, { mode }]) => mode !== "computed",
  );
  const forms = attributes.map(([name, { refersTo, mode }]) => {
    const fan = section.fanOut?.find(({ attribute }) => attribute === name);
    const single = [...(refersTo ? [refersTo.yaml] : []), name];
    return {
      name,
      single,
      keys: [...single, ...(fan ? [fan.key] : []), ...(fan?.from ? [fan.from.key] : [])],
      isRequired: mode === "required",
      from: fan?.from?.key,
    };
  });
  const rules = forms.flatMap(({ name, single, keys, isRequired }) => [
    ...pairs(keys).flatMap(([one, other]) =>
      single.includes(one)
        ? [
            excludes(
              one,
              other,
              `${one} and ${other} are both given, but they are ways to say the same. Keep one of them.`,
            ),
          ]
        : [],
    ),
    ...(isRequired && keys.length > 1
      ? [atLeastOne(keys, `${name} is required, but is not set. Write ${listed(keys, "or")}.`)]
      : []),
  ]);
  const lookup = LOOKUPS[section.type];
  const all = [...rules, ...(lookup ? exactlyOne(lookup.keys, lookup.what) : [])];
  const sources = forms.flatMap(({ from }) => from ?? []);
  return {
    ...block,
    properties: { ...block.properties, ...Object.fromEntries(sources.map((key) => [key, sourceSchema(key, block)])) },
    ...(all.length === 0 ? {} : { allOf: all }),
  };
}

/** Files and commands with further values: each entry has one of both. */
function sourceSchema(key: string, { properties = {} }: Shape): Shape {
  const { items = {}, ...source } = properties[key] ?? {};
  const rules = { allOf: exactlyOne(["file", "command"], `Each entry of ${key} has a file or a command.`) };
  return { ...source, ...rules, items: { ...items, ...rules } };
}

/** The settings of the backend that the state names. Every other one is named as what it is. */
function stateSchema({ properties = {}, ...schema }: Shape): JsonSchema {
  const names = STATE_BACKENDS.flatMap(({ settings }) => Object.keys(settings));
  const backend = { type: "string", ...properties["backend"] };
  return {
    ...schema,
    // Editors offer no key whose schema is true: those of the backend are below.
    properties: {
      backend,
      encryption: properties["encryption"] ?? {},
      ...Object.fromEntries(names.map((name) => [name, true])),
    },
    allOf: STATE_BACKENDS.map((one) => when(isBackend(one), backendSchema(one, properties))),
  };
}

function isBackend({ name }: StateBackend): Keywords {
  return {
    properties: { backend: { const: name } },
    ...(name === LOCAL_BACKEND.name ? {} : { required: ["backend"] }),
  };
}

function backendSchema({ name, settings }: StateBackend, properties: Shapes): Keywords {
  const required = Object.entries<BackendSettings[string]>(settings).flatMap(
    ([setting, { isRequired, environment, default: fallback }]) =>
      isRequired && !environment && fallback === undefined && name !== LOCAL_BACKEND.name ? [setting] : [],
  );
  const foreign = STATE_BACKENDS.flatMap((other): readonly Keywords[] => {
    const others = Object.keys(other.settings).filter((setting) => !Object.hasOwn(settings, setting));
    if (others.length === 0) return [];
    const errorMessage = `The state backend ${name} has no such setting. It is a setting of ${other.name}. To use ${other.name}, write backend: ${other.name}.`;
    return [{ properties: Object.fromEntries(others.map((setting) => [setting, false])), errorMessage }];
  });
  return {
    properties: Object.fromEntries(Object.keys(settings).map((setting) => [setting, properties[setting] ?? {}])),
    allOf: [...foreign, ...(required.length === 0 ? [] : [{ required }])],
  };
}
