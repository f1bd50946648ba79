import { FUNCTIONS } from "../core/expression/functions/functions.ts";
import { definitionOf } from "../core/config/round.ts";
import { type Type, attributesOf } from "../core/model/attribute.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../core/model/definition.ts";
import { configSchema } from "../frontends/yaml/config-schema.ts";
import { SECTIONS, type Section } from "../frontends/yaml/sections.ts";
import { readFileSync } from "node:fs";
import { code, fillTemplate, markdownTable } from "./markdown.ts";

/** The parts of a JSON Schema that the page shows. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly anyOf?: readonly Shape[];
  readonly $ref?: string;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly properties?: { readonly [key: string]: Shape };
  readonly additionalProperties?: Shape | false;
}

interface Root extends Shape {
  readonly $defs?: { readonly secret?: Shape };
}

type Definition = AnyResource | AnyDataSource;

const HEADS = ["key", "value", "default", "meaning", "example"];
/** The page links to a longer list of words. */
const MANY = 8;

/** The reference page of the YAML file. */
export function configurationReference(catalog: Catalog): string {
  const { properties = {}, $defs } = configSchema(catalog) as Root;
  const sections = Object.entries(properties).filter(([name]) => name !== "version");
  return fillTemplate("configuration", {
    sections: sections.flatMap(([name, shape]) =>
      name === "data" ? dataSections(shape, catalog) : sectionOf(name, shape, catalog),
    ),
    secrets: markdownTable(
      ["key", "value", "meaning"],
      Object.entries($defs?.secret?.properties ?? {}).map(([key, shape]) => [
        code(key),
        kindOf(shape),
        shape.description ?? "",
      ]),
    ),
    functions: functionNames().map(code).join(", "),
  });
}

function dataSections({ description = "", properties = {} }: Shape, catalog: Catalog): readonly string[] {
  return [
    "## data",
    "",
    description,
    "",
    ...Object.entries(properties).flatMap(([name, shape]) => sectionOf(`data.${name}`, shape, catalog)),
  ];
}

function sectionOf(name: string, shape: Shape, catalog: Catalog): readonly string[] {
  const section = SECTIONS.find(({ path }) => path.join(".") === name);
  const definition = section && definitionOf(section, catalog);
  // The items of a map or a list, or else the section's own keys.
  const item = (shape.additionalProperties || undefined) ?? shape.items;
  const keys = shape.properties ?? item?.properties ?? {};
  const required = item?.required ?? [];
  const rows = Object.entries(keys).map(([key, one]) =>
    rowOf(key, one, {
      isRequired: required.includes(key),
      others: section && definition ? otherWays(key, section, definition) : [],
    }),
  );
  return [
    `${name.startsWith("data.") ? "###" : "##"} ${name}`,
    "",
    shape.description ?? "",
    "",
    ...(definition ? [`Type: ${code(definition.type)}. ${definition.docs}`, ""] : []),
    ...(rows.length > 0 ? [...markdownTable(HEADS, rows), ""] : []),
    ...(name === "ignore" ? codes(catalog) : []),
    ...(definition ? computed(definition) : []),
    "```yaml",
    readFileSync(new URL(`examples/${name}.yaml`, import.meta.url), "utf8").trimEnd(),
    "```",
    "",
  ];
}

/** The codes that `ignore` takes, and the sections whose blocks take them too. */
function codes({ ignorable = [] }: Catalog): readonly string[] {
  const rows = ignorable.map((one) => {
    const sections = SECTIONS.filter(({ mode, type }) => mode === "managed" && one.types?.includes(type));
    return [code(one.code), one.docs, sections.map(({ path }) => code(path.join("."))).join(", ")];
  });
  return [...markdownTable(["code", "meaning", "also on a block of"], rows), ""];
}

/** The other keys that set the same required value. */
function otherWays(key: string, { fanOut = [] }: Section, { schema }: Definition): readonly string[] {
  const wanted = attributesOf(schema, "yaml").filter(([, { mode }]) => mode === "required");
  const ways = wanted.map(([name, { refersTo }]) => [
    name,
    ...(refersTo ? [refersTo.yaml] : []),
    ...fanOut
      .filter(({ attribute }) => attribute === name)
      .flatMap((fan) => [fan.key, ...(fan.from ? [fan.from.key] : [])]),
  ]);
  return ways.find((keys) => keys.includes(key))?.filter((other) => other !== key) ?? [];
}

function rowOf(
  key: string,
  shape: Shape,
  { isRequired, others }: { readonly isRequired: boolean; readonly others: readonly string[] },
): readonly string[] {
  const fallback = shape.default === undefined ? "" : code(inYaml(shape.default));
  const [example] = shape.examples ?? [];
  const needed = isRequired
    ? "required"
    : others.length > 0
      ? `required: this or ${others.map(code).join(" or ")}`
      : fallback;
  return [
    code(key),
    kindOf(shape),
    needed,
    shape.description ?? "",
    example === undefined ? "" : code(inYaml(example)),
  ];
}

function kindOf({ type, anyOf = [], $ref, items, const: only, enum: words, pattern = "" }: Shape): string {
  if ($ref !== undefined) return "[a secret](#secrets)";
  if (only !== undefined) return code(inYaml(only));
  if (words) return words.length > MANY ? "[an event type](events.md)" : `one of ${words.map(code).join(", ")}`;
  const [first, second] = anyOf;
  if (first) return second?.$ref === undefined ? kindOf(first) : `${kindOf(first)}, or ${kindOf(second)}`;
  if (pattern.startsWith("^(off|")) return "`off`, or a duration";
  if (pattern.endsWith("(ms|s|m|h|d)$")) return "a duration";
  if (pattern.endsWith("%$")) return type === "string" ? "a percentage" : "a number, or a percentage";
  const kinds = typeof type === "string" ? [type] : (type ?? []);
  return kinds
    .map((kind) =>
      kind === "array"
        ? `a list${Array.isArray(items?.type) && items.type.includes("object") ? " of these" : items?.enum ? ` of ${items.enum.length > MANY ? "[codes](#ignore)" : items.enum.map(code).join(", ")}` : items?.anyOf ? ` of ${kindOf(items).replace(/^\[an (.*)\]/, "[$1s]")}` : " of text"}`
        : (KINDS[kind] ?? kind),
    )
    .join(", or ");
}

const KINDS: { readonly [kind: string]: string } = {
  string: "text",
  number: "a number",
  integer: "a number",
  boolean: "`true` or `false`",
  object: "a map",
};

/** The value on one line of YAML. */
function inYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inYaml).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${key}: ${inYaml(inner)}`)
      .join(", ")} }`;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The computed attributes, which expressions can use. */
function computed({ schema }: Definition): readonly string[] {
  const rows = attributesOf(schema, "yaml").flatMap(([name, { mode, type, docs }]) =>
    mode === "computed" ? [[code(name), typeName(type), docs]] : [],
  );
  return rows.length === 0
    ? []
    : ["Computed attributes, for expressions:", "", ...markdownTable(["attribute", "type", "meaning"], rows), ""];
}

function typeName(type: Type): string {
  if (typeof type === "string") return type;
  return "list" in type ? `list(${typeName(type.list)})` : `object(${Object.keys(type.object).join(", ")})`;
}

function functionNames(): readonly string[] {
  return [
    ...[...FUNCTIONS].map(
      ([name, { parameters, rest }]) =>
        `${name}(${[...parameters.map((one) => one.name), ...(rest ? [`${rest.name}...`] : [])].join(", ")})`,
    ),
    "try(expression...)",
  ].toSorted();
}
