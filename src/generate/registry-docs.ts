import type { AnyAction, AnyDataSource, AnyResource, Catalog, FunctionDefinition, SearchDefinition } from "../core/model/definition.ts";
import { identitySchema } from "../frontends/terraform/rpc/resource-identity.ts";
import { PROVIDER_SCHEMA, describedAttribute } from "../frontends/terraform/wire/wire-schema.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/event-catalog.ts";
import { code, markdownTable, sentence } from "./markdown-table.ts";
import { compareText } from "../core/model/value.ts";
import { type Attribute, type Schema, type Type, attributesOf } from "../core/model/attribute.ts";

/** The folders that the Terraform registry publishes, in addition to `docs/index.md` and the guides. */
export const REGISTRY_FOLDERS = ["resources", "data-sources", "functions", "actions", "list-resources"].map((folder) => `docs/${folder}`);

/** The text of a file, by its path in the repository. */
type Read = (file: string) => Promise<string>;

const PREFIX = "outreach_";

/** The provider's pages in the layout of the Terraform registry, by path. */
export async function registryDocs(catalog: Catalog, read: Read): Promise<ReadonlyMap<string, string>> {
  const pages = [
    indexPage(read),
    ...catalog.resources.map((definition) => resourcePage(definition, read)),
    ...catalog.dataSources.map((definition) => dataSourcePage(definition, read)),
    ...(catalog.functions ?? []).map((definition) => functionPage(definition, read)),
    ...(catalog.actions ?? []).map((definition) => actionPage(definition, read)),
    ...catalog.resources.flatMap(({ type, search }) => (search ? [listPage(type, search, read)] : [])),
  ];
  return new Map(await Promise.all(pages));
}

type Page = readonly [file: string, text: string];

async function indexPage(read: Read): Promise<Page> {
  const docs = await prose("index", { schema: schemaSection(PROVIDER_SCHEMA) }, read);
  return page("docs/index.md", { title: "outreach Provider", heading: "outreach Provider", docs, sections: [] });
}

async function resourcePage(definition: AnyResource, read: Read): Promise<Page> {
  const { type, docs, schema, irreversible } = definition;
  const folder = `resources/${type}`;
  const onChange: OnChange = (name, { mode, writeOnly, onChange: meaning }) => {
    if (mode === "computed" || writeOnly) return "";
    if (meaning !== "record") return "Forces replacement.";
    const { attribute, value } = irreversible?.retry ?? {};
    const retried = attribute === name ? `, but ${code(JSON.stringify(value))} sends again what was not found` : "";
    return `Changes in place, without a request${retried}.`;
  };
  return page(`docs/resources/${shortName(type)}.md`, {
    title: `${type} Resource - outreach`,
    heading: `${type} (Resource)`,
    docs,
    sections: [
      ...(await example(read, `${folder}/resource.tf`)),
      ...schemaSection(schema, onChange),
      await prose(folder, { identity: attributeItems(identitySchema(definition)), "event types": eventTypes() }, read),
    ],
  });
}

function eventTypes(): readonly string[] {
  const rows = EVENT_TYPES.map(({ name, description }) => [code(name), description]);
  const removed = REMOVED_EVENT_TYPES.map(({ name, note }) => `${code(name)} (${note})`);
  return [...markdownTable(["type", "sent when"], rows), "", `Removed: ${removed.join(", ")}.`];
}

async function dataSourcePage({ type, docs, schema }: AnyDataSource, read: Read): Promise<Page> {
  return page(`docs/data-sources/${shortName(type)}.md`, {
    title: `${type} Data Source - outreach`,
    heading: `${type} (Data Source)`,
    docs,
    sections: [...(await example(read, `data-sources/${type}/data-source.tf`)), ...schemaSection(schema)],
  });
}

async function functionPage({ name, summary, docs, parameters, returns }: FunctionDefinition, read: Read): Promise<Page> {
  const signature = `${name}(${parameters.map((one) => `${one.name} ${typeName(one.type).toLowerCase()}`).join(", ")}) ${typeName(returns).toLowerCase()}`;
  const args = parameters.map((one, index) => `${String(index + 1)}. ${code(one.name)} (${typeName(one.type)}) ${one.docs}`);
  return page(`docs/functions/${name}.md`, {
    title: `${name} Function - outreach`,
    heading: `function: ${name}`,
    summary,
    docs: `${docs} Terraform 1.8 and later.`,
    sections: [
      ...(await example(read, `functions/${name}/function.tf`)),
      "## Signature",
      "",
      ...fence("text", signature),
      "",
      ...(args.length === 0 ? [] : ["## Arguments", "", ...args, ""]),
    ],
  });
}

async function actionPage({ type, docs, schema }: AnyAction, read: Read): Promise<Page> {
  const folder = `actions/${type}`;
  return page(`docs/actions/${shortName(type)}.md`, {
    title: `${type} Action - outreach`,
    heading: `${type} (Action)`,
    docs: `${docs} Terraform 1.14 and later.`,
    sections: [...(await example(read, `${folder}/action.tf`)), ...schemaSection(schema), await prose(folder, {}, read)],
  });
}

async function listPage(type: string, { docs, filters }: SearchDefinition, read: Read): Promise<Page> {
  const folder = `list-resources/${type}`;
  return page(`docs/list-resources/${shortName(type)}.md`, {
    title: `${type} List Resource - outreach`,
    heading: `${type} (List Resource)`,
    docs: `${docs} Terraform 1.14 and later.`,
    sections: [...(await example(read, `${folder}/list-resource.tfquery.hcl`)), ...schemaSection(filters), await prose(folder, {}, read)],
  });
}

const PLACE = /^\{\{ (.*) \}\}$/gm;

/** A template, with the parts that are made from the definitions, or else with an example, in each place `{{ NAME }}`. */
async function prose(template: string, parts: { readonly [name: string]: readonly string[] }, read: Read): Promise<string> {
  const text = await read(`src/generate/registry/${template}.md.tmpl`);
  const names = [...text.matchAll(PLACE)].map(([, name = ""]) => name);
  const all = new Map(await Promise.all(names.map(async (name) => [name, (parts[name] ?? (await exampleLines(read, name))).join("\n").trimEnd()] as const)));
  return text.replaceAll(PLACE, (_, name: string) => all.get(name) ?? "");
}

async function example(read: Read, file: string): Promise<readonly string[]> {
  return ["## Example Usage", "", ...(await exampleLines(read, file)), ""];
}

async function exampleLines(read: Read, file: string): Promise<readonly string[]> {
  return fence(file.endsWith(".sh") ? "shell" : "terraform", (await read(`examples/terraform/${file}`)).trimEnd());
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
    "<!-- Generated by npm run generate: change the definitions, the examples or src/generate/registry. -->",
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

const WRITE_ONLY = "[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)";

/** The effect of a changed attribute, if the page mentions it. */
type OnChange = (name: string, attribute: Attribute) => string;

/** The section Schema of a registry page: required, optional and read-only attributes, and nested schemas. */
function schemaSection(schema: Schema, onChange: OnChange = () => ""): readonly string[] {
  return ["## Schema", "", ...attributeLists(schema, { above: [], onChange })];
}

/** One line per attribute, as in the section Schema. */
function attributeItems(schema: Schema): readonly string[] {
  return Object.entries(schema).map(([name, attribute]) => item(name, attribute, { above: [], onChange: () => "" }));
}

interface Inside {
  /** The attributes that lead to this schema. */
  readonly above: readonly string[];
  readonly onChange: OnChange;
}

function attributeLists(schema: Schema, inside: Inside): readonly string[] {
  const attributes = attributesOf(schema, "terraform").toSorted(([a], [b]) => compareText(a, b));
  const heading = inside.above.length === 0 ? (title: string) => `### ${title}` : (title: string) => `${title}:`;
  const ofModes = (title: string, modes: readonly Attribute["mode"][]): readonly string[] => {
    const of = attributes.filter(([, { mode }]) => modes.includes(mode));
    return of.length === 0 ? [] : [heading(title), "", ...of.map(([name, attribute]) => item(name, attribute, inside)), ""];
  };
  return [
    ...ofModes("Required", ["required"]),
    ...ofModes("Optional", ["optional", "optional-computed"]),
    ...ofModes("Read-Only", ["computed"]),
    ...attributes.flatMap(([name, { type }]) => nestedSection(name, type, inside)),
  ];
}

function item(name: string, attribute: Attribute, { above, onChange }: Inside): string {
  const { type, sensitive, writeOnly } = attribute;
  const kind = [typeName(type), ...(sensitive ? ["Sensitive"] : []), ...(writeOnly ? [WRITE_ONLY] : [])].join(", ");
  const words = [
    describedAttribute(attribute),
    onChange(name, attribute),
    ...(nestedSchema(type) ? [`(see [below for nested schema](#${anchor([...above, name])}))`] : []),
  ];
  return `- ${code(name)} (${kind}) ${words.filter((word) => word !== "").join(" ")}`;
}

function nestedSection(name: string, type: Type, inside: Inside): readonly string[] {
  const nested = nestedSchema(type);
  if (!nested) return [];
  const above = [...inside.above, name];
  return [`<a id="${anchor(above)}"></a>`, `### Nested Schema for ${code(above.join("."))}`, "", ...attributeLists(nested, { ...inside, above })];
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
