import { FUNCTIONS } from "../core/expression/functions/functions.ts";
import { definitionOf } from "../core/config/round.ts";
import { type Type, attributesOf } from "../core/model/attribute.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../core/model/definition.ts";
import { configSchema } from "../frontends/yaml/config-schema.ts";
import { SECTIONS, type Section } from "../frontends/yaml/sections.ts";
import { readFileSync } from "node:fs";
import { code, markdownTable } from "./markdown-table.ts";

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

const INTRODUCTION = `# Configuration

This page is generated from the definitions that validate the file. Editors complete the file from
[schemas/config.schema.json](../../schemas/config.schema.json). For a tour, see [The configuration file](../guides/configuration.md).

outreach reads \`outreach.yaml\`. \`-c\` names another file, or a folder whose \`*.yaml\` and \`*.yml\` files are one configuration.
Aliases, merge keys, tags and duplicate keys are errors. Text can contain [expressions](#expressions).

\`\`\`yaml
version: 1
\`\`\`

\`version\` is required. The only version is 1.
`;

const SECRETS = `## Secrets

The configuration never contains a secret. \`secret\` and \`api_key\` say where to read it. Set one of these keys:`;

const ADDRESSES = `## Addresses

An address is a type and a name: \`outreach_webhook.crm-replies\`. If a block fans out, each instance also has a key. The key joins the values that fan
out, in the order of the table: \`outreach_webhook.audit["emailsSent/cam_000001"]\`,
\`outreach_lead_unsubscription.gdpr-2026-11["cam_000001/ada@example.com"]\`. In a shell, put an address in single quotes.`;

const EXPRESSIONS = `## Expressions

\`\${…}\` in a text is an expression in Terraform's syntax, with Terraform's results. \`$\${\` is a literal \`\${\`.

| expression | meaning |
|---|---|
| \`\${var.stage}\` | a variable |
| \`\${team.name}\` | the name of the team, in a configuration with \`teams\` |
| \`\${data.outreach_campaign.q3.id}\` | an attribute of a data source |
| \`\${outreach_webhook.crm-replies.id}\` | an attribute of a managed object, in \`outputs\` and \`checks\` |
| \`\${data.outreach_campaigns.live.ids[0]}\`, \`\${data.outreach_campaigns.live.campaigns[*].name}\` | an element of a list; an attribute of all elements |
| \`\${var.stage == "production" ? "crm" : "staging.crm"}\` | one of two values |
| \`\${[for c in data.outreach_campaigns.live.campaigns : c.name if c.has_error]}\` | a list from another list; with \`{ }\` and \`=>\`, a map |
| \`\${var.count + 1}\`, \`\${var.count > 3 && !var.quiet}\` | arithmetic, comparison, logic |
`;

/** The reference page of the YAML file. */
export function configurationReference(catalog: Catalog): string {
  const { properties = {}, $defs } = configSchema(catalog) as Root;
  const sections = Object.entries(properties).filter(([name]) => name !== "version");
  return [
    INTRODUCTION,
    ...sections.flatMap(([name, shape]) => (name === "data" ? dataSections(shape, catalog) : sectionOf(name, shape, catalog))),
    SECRETS,
    "",
    ...markdownTable(
      ["key", "value", "meaning"],
      Object.entries($defs?.secret?.properties ?? {}).map(([key, shape]) => [code(key), kindOf(shape), shape.description ?? ""]),
    ),
    "",
    ADDRESSES,
    "",
    EXPRESSIONS,
    `Functions, as in Terraform: ${functionNames().map(code).join(", ")}.`,
    "",
  ].join("\n");
}

function dataSections({ description = "", properties = {} }: Shape, catalog: Catalog): readonly string[] {
  return ["## data", "", description, "", ...Object.entries(properties).flatMap(([name, shape]) => sectionOf(`data.${name}`, shape, catalog))];
}

function sectionOf(name: string, shape: Shape, catalog: Catalog): readonly string[] {
  const section = SECTIONS.find(({ path }) => path.join(".") === name);
  const definition = section && definitionOf(section, catalog);
  // The items of a map or a list, or else the section's own keys.
  const item = (shape.additionalProperties || undefined) ?? shape.items;
  const keys = shape.properties ?? item?.properties ?? {};
  const required = item?.required ?? [];
  const rows = Object.entries(keys).map(([key, one]) =>
    rowOf(key, one, { isRequired: required.includes(key), others: section && definition ? otherWays(key, section, definition) : [] }),
  );
  return [
    `${name.startsWith("data.") ? "###" : "##"} ${name}`,
    "",
    shape.description ?? "",
    "",
    ...(definition ? [`Type: ${code(definition.type)}. ${definition.docs}`, ""] : []),
    ...(rows.length > 0 ? [...markdownTable(HEADS, rows), ""] : []),
    ...(definition ? computed(definition) : []),
    "```yaml",
    readFileSync(new URL(`examples/${name}.yaml`, import.meta.url), "utf8").trimEnd(),
    "```",
    "",
  ];
}

/** The other keys that set the same required value. */
function otherWays(key: string, { fanOut = [] }: Section, { schema }: Definition): readonly string[] {
  const wanted = attributesOf(schema, "yaml").filter(([, { mode }]) => mode === "required");
  const ways = wanted.map(([name, { refersTo }]) => [
    name,
    ...(refersTo ? [refersTo.yaml] : []),
    ...fanOut.filter(({ attribute }) => attribute === name).flatMap((fan) => [fan.key, ...(fan.file ? [fan.file.key] : [])]),
  ]);
  return ways.find((keys) => keys.includes(key))?.filter((other) => other !== key) ?? [];
}

function rowOf(key: string, shape: Shape, { isRequired, others }: { readonly isRequired: boolean; readonly others: readonly string[] }): readonly string[] {
  const fallback = shape.default === undefined ? "" : code(inYaml(shape.default));
  const [example] = shape.examples ?? [];
  const needed = isRequired ? "required" : others.length > 0 ? `required: this or ${others.map(code).join(" or ")}` : fallback;
  return [code(key), kindOf(shape), needed, shape.description ?? "", example === undefined ? "" : code(inYaml(example))];
}

function kindOf({ type, anyOf = [], $ref, items, const: only, enum: words, pattern = "" }: Shape): string {
  if ($ref !== undefined) return "[a secret](#secrets)";
  if (only !== undefined) return code(inYaml(only));
  if (words) return words.length > MANY ? "[an event type](events.md)" : `one of ${words.map(code).join(", ")}`;
  const [first] = anyOf;
  if (first) return kindOf(first);
  if (pattern.endsWith("%$")) return type === "string" ? "a percentage" : "a number, or a percentage";
  const kinds = typeof type === "string" ? [type] : (type ?? []);
  return kinds
    .map((kind) => (kind === "array" ? `a list${items?.anyOf ? ` of ${kindOf(items).replace(/^\[an (.*)\]/, "[$1s]")}` : " of text"}` : (KINDS[kind] ?? kind)))
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
  const rows = attributesOf(schema, "yaml").flatMap(([name, { mode, type, docs }]) => (mode === "computed" ? [[code(name), typeName(type), docs]] : []));
  return rows.length === 0 ? [] : ["Computed attributes, for expressions:", "", ...markdownTable(["attribute", "type", "meaning"], rows), ""];
}

function typeName(type: Type): string {
  if (typeof type === "string") return type;
  return "list" in type ? `list(${typeName(type.list)})` : `object(${Object.keys(type.object).join(", ")})`;
}

/** Without `file`, which only stacks have. */
function functionNames(): readonly string[] {
  return [
    ...[...FUNCTIONS]
      .filter(([name]) => name !== "file")
      .map(([name, { parameters, rest }]) => `${name}(${[...parameters.map((one) => one.name), ...(rest ? [`${rest.name}...`] : [])].join(", ")})`),
    "can(expression)",
    "try(expression...)",
  ].toSorted();
}
