import { FUNCTIONS } from "../core/expression/functions/functions.ts";
import { definitionOf } from "../core/config/round.ts";
import { type Type, attributesOf } from "../core/model/attribute.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../core/model/definition.ts";
import { configurationForm } from "../frontends/yaml/configuration-form.ts";
import { type Form, SECRET_SOURCES } from "../frontends/yaml/form.ts";
import { SECTIONS, type Section } from "../frontends/yaml/sections.ts";
import { readFileSync } from "node:fs";
import { code, fillTemplate, markdownTable } from "./markdown.ts";

type Definition = AnyResource | AnyDataSource;

const HEADS = ["key", "value", "default", "meaning", "example"];
/** The reference page of the YAML file. */
export function configurationReference(catalog: Catalog): string {
  const { version: _, ...keys } = configurationForm(catalog).keys ?? {};
  return fillTemplate("configuration", {
    sections: Object.entries(keys).flatMap(([name, form]) =>
      name === "data" ? dataSections(form, catalog) : sectionOf(name, form, catalog),
    ),
    secrets: markdownTable(
      ["key", "value", "meaning"],
      Object.entries<Form>(SECRET_SOURCES).map(([key, form]) => [code(key), form.kind, docsOf(form)]),
    ),
    functions: functionNames().map(code).join(", "),
  });
}

function dataSections(form: Form, catalog: Catalog): readonly string[] {
  return [
    "## data",
    "",
    docsOf(form),
    "",
    ...Object.entries(form.keys ?? {}).flatMap(([name, one]) => sectionOf(`data.${name}`, one, catalog)),
  ];
}

function docsOf({ schema }: Form): string {
  return (schema["description"] ?? "") as string;
}

function sectionOf(name: string, form: Form, catalog: Catalog): readonly string[] {
  const section = SECTIONS.find(({ path }) => path.join(".") === name);
  const definition = section && definitionOf(section, catalog);
  // The section's own keys, or those of its items.
  const keys = form.keys ?? form.item?.keys ?? {};
  const required = (form.item?.schema["required"] ?? []) as readonly string[];
  const rows = Object.entries(keys).map(([key, one]) =>
    rowOf(key, one, {
      isRequired: required.includes(key),
      others: section && definition ? otherWays(key, section, definition) : [],
    }),
  );
  return [
    `${name.startsWith("data.") ? "###" : "##"} ${name}`,
    "",
    docsOf(form),
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
  form: Form,
  { isRequired, others }: { readonly isRequired: boolean; readonly others: readonly string[] },
): readonly string[] {
  const { default: fallback, examples = [] } = form.schema;
  const [example] = examples as readonly unknown[];
  const needed = isRequired
    ? "required"
    : others.length > 0
      ? `required: this or ${others.map(code).join(" or ")}`
      : fallback === undefined
        ? ""
        : code(inYaml(fallback));
  return [code(key), form.kind, needed, docsOf(form), example === undefined ? "" : code(inYaml(example))];
}

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
