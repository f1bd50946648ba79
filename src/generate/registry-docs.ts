import { readFileSync } from "node:fs";
import type {
  AnyDataSource,
  AnyResource,
  Catalog,
  FunctionDefinition,
  SearchDefinition,
} from "../core/model/definition.ts";
import { identitySchema } from "../core/plan/identity.ts";
import { PROVIDER_SCHEMA, allowedWords, describedAttribute } from "../frontends/terraform/wire/wire-schema.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/event-catalog.ts";
import { type Parts, code, fillTemplate, sentence } from "./markdown.ts";
import { compareText } from "../core/model/value.ts";
import { type Attribute, type Schema, type Type, attributesOf } from "../core/model/attribute.ts";

/** The folders that the Terraform registry publishes, in addition to `docs/index.md` and the guides. */
export const REGISTRY_FOLDERS = ["resources", "data-sources", "functions", "actions", "list-resources"].map(
  (folder) => `docs/${folder}`,
);

const PREFIX = "outreach_";

type Page = readonly [file: string, text: string];

/** The provider's pages in the layout of the Terraform registry, by path. */
export function registryDocs({
  resources,
  dataSources,
  functions = [],
  actions = [],
}: Catalog): ReadonlyMap<string, string> {
  return new Map([
    indexPage(),
    ...resources.map(resourcePage),
    ...dataSources.map((definition) => typePage(definition, { kind: "Data Source", example: "data-source.tf" })),
    ...functions.map(functionPage),
    ...actions.map((definition) =>
      typePage(since(definition, "1.14"), { kind: "Action", example: "action.tf", below: {} }),
    ),
    ...resources.flatMap(({ type, search }) => (search ? [listPage(type, search)] : [])),
  ]);
}

function indexPage(): Page {
  const docs = prose("index", { schema: schemaSection(PROVIDER_SCHEMA) });
  return page("docs/index.md", { title: "outreach Provider", heading: "outreach Provider", docs, sections: [] });
}

function resourcePage(definition: AnyResource): Page {
  const below = { identity: attributeItems(identitySchema(definition)), "event types": eventTypes() };
  return typePage(definition, { kind: "Resource", example: "resource.tf", below, noun: definition.noun });
}

function listPage(type: string, search: SearchDefinition): Page {
  return typePage(
    { ...since(search, "1.14"), type, schema: search.filters },
    { kind: "List Resource", example: "list-resource.tfquery.hcl", below: {} },
  );
}

interface PageOfType {
  readonly kind: "Resource" | "Data Source" | "Action" | "List Resource";
  /** The file of the first example. */
  readonly example: string;
  /** The parts of the template that the page has below its schema; absent: there is none. */
  readonly below?: Parts;
  /** What one of them is called, if it is managed. */
  readonly noun?: string;
}

function typePage(
  { type, docs, schema }: Pick<AnyDataSource, "type" | "docs" | "schema">,
  { kind, example, below, noun }: PageOfType,
): Page {
  const folder = `${kind.toLowerCase().replace(" ", "-")}s`;
  return page(`docs/${folder}/${shortName(type)}.md`, {
    title: `${type} ${kind} - outreach`,
    heading: `${type} (${kind})`,
    docs,
    sections: [
      ...firstExample(`${folder}/${type}/${example}`),
      ...schemaSection(schema, noun),
      below ? prose(`${folder}/${type}`, below) : "",
    ],
  });
}

function eventTypes(): readonly string[] {
  const names = EVENT_TYPES.map(({ name }) => code(name)).join(", ");
  const removed = REMOVED_EVENT_TYPES.map(({ name, note }) => `${code(name)} (${note})`);
  return [`${names}.`, "", `Removed: ${removed.join(", ")}.`];
}

function functionPage(definition: FunctionDefinition): Page {
  const { name, summary, parameters, returns } = definition;
  const signature = `${name}(${parameters.map((one) => `${one.name} ${typeName(one.type).toLowerCase()}`).join(", ")}) ${typeName(returns).toLowerCase()}`;
  const args = parameters.map(
    (one, index) => `${String(index + 1)}. ${code(one.name)} (${typeName(one.type)}) ${one.docs}`,
  );
  return page(`docs/functions/${name}.md`, {
    title: `${name} Function - outreach`,
    heading: `function: ${name}`,
    summary,
    docs: since(definition, "1.8").docs,
    sections: [
      ...firstExample(`functions/${name}/function.tf`),
      "## Signature",
      "",
      ...fence("text", signature),
      "",
      ...(args.length === 0 ? [] : ["## Arguments", "", ...args, ""]),
    ],
  });
}

function since<T extends { readonly docs: string }>(definition: T, version: string): T {
  return { ...definition, docs: `${definition.docs} Terraform ${version} and later.` };
}

/** A template, whose other places are examples. */
function prose(template: string, parts: Parts): string {
  return fillTemplate(`registry/${template}`, parts, exampleOf);
}

function firstExample(file: string): readonly string[] {
  return ["## Example Usage", "", ...exampleOf(file), ""];
}

/** A file of `examples/terraform`. */
function exampleOf(file: string): readonly string[] {
  return fence(
    file.endsWith(".sh") ? "shell" : "terraform",
    readFileSync(new URL(`../../examples/terraform/${file}`, import.meta.url), "utf8").trimEnd(),
  );
}

function fence(language: string, text: string): readonly string[] {
  return [`\`\`\`${language}`, text, "```"];
}

interface Contents {
  readonly title: string;
  readonly heading: string;
  readonly docs: string;
  /** The first line of `docs` when absent. */
  readonly summary?: string;
  readonly sections: readonly string[];
}

function page(file: string, { title, heading, docs, summary = docs.split("\n")[0] ?? "", sections }: Contents): Page {
  const lines = [
    "---",
    `page_title: ${JSON.stringify(title)}`,
    'subcategory: ""',
    "description: |-",
    `  ${sentence(summary)}`,
    "---",
    "",
    "<!-- Generated by npm run generate: change the definitions, the examples or src/generate/templates. -->",
    "",
    `# ${heading}`,
    "",
    docs,
    "",
    ...sections,
  ];
  return [file, `${lines.join("\n").trimEnd()}\n`];
}

function shortName(type: string): string {
  return type.startsWith(PREFIX) ? type.slice(PREFIX.length) : type;
}

const WRITE_ONLY =
  "[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)";

/** The section Schema of a registry page: required, optional and read-only attributes, and nested schemas. */
function schemaSection(schema: Schema, noun?: string): readonly string[] {
  return ["## Schema", "", ...attributeLists(schema, { above: [], noun })];
}

/** One line per attribute, as in the section Schema. */
function attributeItems(schema: Schema): readonly string[] {
  return Object.entries(schema).map(([name, attribute]) => item(name, attribute, { above: [], noun: undefined }));
}

interface Inside {
  /** The attributes that lead to this schema. */
  readonly above: readonly string[];
  /** What one managed object is called, if the page tells what changes do to it. */
  readonly noun: string | undefined;
}

function attributeLists(schema: Schema, inside: Inside): readonly string[] {
  const attributes = attributesOf(schema, "terraform").toSorted(([a], [b]) => compareText(a, b));
  const heading = inside.above.length === 0 ? (title: string) => `### ${title}` : (title: string) => `${title}:`;
  const ofModes = (title: string, modes: readonly Attribute["mode"][]): readonly string[] => {
    const of = attributes.filter(([, { mode }]) => modes.includes(mode));
    return of.length === 0
      ? []
      : [heading(title), "", ...of.map(([name, attribute]) => item(name, attribute, inside)), ""];
  };
  return [
    ...ofModes("Required", ["required"]),
    ...ofModes("Optional", ["optional", "optional-computed"]),
    ...ofModes("Read-Only", ["computed"]),
    ...attributes.flatMap(([name, { type }]) => nestedSection(name, type, inside)),
  ];
}

/** Longer lists of words have a section of their own on the page. */
const MANY = 8;

function item(name: string, attribute: Attribute, { above, noun }: Inside): string {
  const { type, sensitive, writeOnly, oneOf = [] } = attribute;
  const kind = [typeName(type), ...(sensitive ? ["Sensitive"] : []), ...(writeOnly ? [WRITE_ONLY] : [])].join(", ");
  const words = [
    describedAttribute(
      attribute,
      oneOf.length > MANY ? "One of the [event types](#event-types)." : allowedWords(attribute),
      noun,
    ),
    ...(nestedSchema(type) ? [`(see [below for nested schema](#${anchor([...above, name])}))`] : []),
  ];
  return `- ${code(name)} (${kind}) ${words.filter((word) => word !== "").join(" ")}`;
}

function nestedSection(name: string, type: Type, inside: Inside): readonly string[] {
  const nested = nestedSchema(type);
  if (!nested) return [];
  const above = [...inside.above, name];
  return [
    `<a id="${anchor(above)}"></a>`,
    `### Nested Schema for ${code(above.join("."))}`,
    "",
    ...attributeLists(nested, { ...inside, above }),
  ];
}

function anchor(path: readonly string[]): string {
  return `nestedatt--${path.join("--")}`;
}

function nestedSchema(type: Type): Schema | null {
  if (typeof type === "string") return null;
  return "object" in type ? type.object : nestedSchema(type.list);
}

/** The registry's name of a type. */
function typeName(type: Type): string {
  if (type === "bool") return "Boolean";
  if (type === "string") return "String";
  if (type === "number") return "Number";
  if ("object" in type) return "Attributes";
  return nestedSchema(type) ? "Attributes List" : `List of ${typeName(type.list)}`;
}
