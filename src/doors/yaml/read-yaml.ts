import { type Attribute, attributesOf } from "../../core/model/attribute.ts";
import type { Argument, Block, Configuration, Variable } from "../../core/config/block.ts";
import { hasReferences } from "../../core/expression/template.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, type Result, nearest } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import { UNKNOWN, type Value } from "../../core/model/value.ts";
import { validate } from "./generated/validate-config.js";
import { type ParsedYaml, parseYaml } from "./parse-yaml.ts";
import { schemaComplaints } from "./schema-errors.ts";
import { SECTIONS } from "./sections.ts";

type Tree = { readonly [key: string]: unknown };

/** Reads a YAML configuration. Every mistake is a diagnostic with its place; what is sound is returned all the same. */
export function readYaml(
  bytes: Uint8Array,
  { file, folder, catalog }: { readonly file: string; readonly folder: string; readonly catalog: Catalog },
): Result<Configuration> {
  const { parsed, diagnostics } = parseYaml(bytes, file, { secretKeys: secretKeys(catalog) });
  const empty: Configuration = {
    variables: [],
    blocks: [],
    outputs: [],
    limits: {},
    service: { baseUrl: null, apiKey: null, locate: () => ({ file }) },
    statePath: { kind: "literal", value: DEFAULT_STATE },
    folder,
  };
  if (parsed.value === undefined) return { value: empty, diagnostics };
  if (parsed.value === null) return { value: empty, diagnostics: [emptyFile(file)] };
  const complaints = validate(parsed.value) ? [] : schemaComplaints(validate.errors ?? [], parsed);
  const reading: ReadingContext = { parsed, catalog, invalid: new Set(complaints.map(({ path }) => JSON.stringify(path))) };
  const root = treeAt(parsed.value, []);
  const sections = SECTIONS.map((section) => readSection(section, root, reading));
  const service = treeAt(root, ["service"]);
  const at =
    (path: Path): Configuration["service"]["locate"] =>
    (inner) =>
      parsed.locate([...path, ...inner]);
  return {
    value: {
      variables: readVariables(root, reading),
      outputs: [],
      limits: {},
      blocks: sections.flatMap(({ value }) => value),
      service: {
        baseUrl: typeof service["base_url"] === "string" ? textArgument(service["base_url"]) : null,
        ...rateShare(service["rate_share"]),
        apiKey: isTree(service["api_key"]) && !isInvalid(reading, ["service", "api_key"]) ? { kind: "secret", source: secretSource(service["api_key"]) } : null,
        locate: at(["service"]),
      },
      statePath: stateArgument(treeAt(root, ["state"])["path"]),
      locateState: at(["state"]),
      folder,
    },
    diagnostics: [...complaints, ...sections.flatMap((section) => section.diagnostics)],
  };
}

const DEFAULT_STATE = "outreach.state.json";

function secretKeys({ resources }: Catalog): readonly string[] {
  const sensitive = resources.flatMap(({ schema }) => attributesOf(schema, "yaml").flatMap(([name, attribute]) => (attribute.sensitive ? [name] : [])));
  return ["api_key", ...new Set(sensitive)];
}

interface ReadingContext {
  readonly parsed: ParsedYaml;
  readonly catalog: Catalog;
  /** The paths that the schema has refused. */
  readonly invalid: ReadonlySet<string>;
}

function readSection({ path, mode, type }: (typeof SECTIONS)[number], root: Tree, reading: ReadingContext): Result<readonly Block[]> {
  const definitions: readonly (AnyResource | AnyDataSource)[] = mode === "data" ? reading.catalog.dataSources : reading.catalog.resources;
  const definition = definitions.find((candidate) => candidate.type === type);
  if (!definition) throw new Error(`no definition of ${type}`);
  const attributes = attributesOf(definition.schema, "yaml").filter(([, attribute]) => attribute.mode !== "computed");
  const blocks = Object.entries(treeAt(root, path)).flatMap(([name, body]) => {
    const at = [...path, name];
    return isTree(body) ? [readBlock({ body, at, attributes, mode, type, name }, reading)] : [];
  });
  return { value: blocks.map(({ value }) => value), diagnostics: blocks.flatMap(({ diagnostics }) => diagnostics) };
}

interface BlockInput {
  readonly body: Tree;
  readonly at: Path;
  readonly attributes: readonly (readonly [string, Attribute])[];
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
}

function readBlock({ body, at, attributes, mode, type, name }: BlockInput, reading: ReadingContext): Result<Block> {
  const diagnostics: Diagnostic[] = [];
  const args: Record<string, Argument> = {};
  const written: Record<string, string> = {};
  for (const [attribute, { sensitive, refersTo }] of attributes) {
    const value = body[attribute];
    const short = refersTo ? body[refersTo.yaml] : undefined;
    if (isInvalid(reading, [...at, attribute])) {
      if (!sensitive) args[attribute] = { kind: "literal", value: UNKNOWN };
    } else if (value !== undefined && value !== null) args[attribute] = argumentOf(value, sensitive === true);
    if (!refersTo || typeof short !== "string") continue;
    written[attribute] = refersTo.yaml;
    if (attribute in args) diagnostics.push(twoWays(attribute, refersTo.yaml, reading.parsed.locateKey([...at, refersTo.yaml])));
    const declared = Object.keys(treeAt(reading.parsed.value, ["data", refersTo.yaml]));
    const isDeclared = declared.includes(short);
    if (!isDeclared) diagnostics.push(noSuchBlock(refersTo.yaml, short, { declared, place: reading.parsed.locate([...at, refersTo.yaml]) }));
    args[attribute] =
      isDeclared && !isInvalid(reading, ["data", refersTo.yaml, short])
        ? { kind: "template", text: `\${data.${refersTo.type}.${short}.id}` }
        : { kind: "literal", value: UNKNOWN };
  }
  const locate: Block["locate"] = ([first, ...rest]) =>
    first === undefined ? reading.parsed.locateKey(at) : reading.parsed.locate([...at, written[String(first)] ?? first, ...rest]);
  return { value: { mode, type, name, provider: "outreach", arguments: args, locate }, diagnostics };
}

function argumentOf(value: unknown, sensitive: boolean): Argument {
  if (sensitive && isTree(value)) return { kind: "secret", source: secretSource(value) };
  return typeof value === "string" ? textArgument(value) : { kind: "literal", value: value as Value };
}

/** Text without expressions stays as it is, but for the escapes that every template has. */
function textArgument(text: string): Argument {
  return text.includes("${") || text.includes("%{") || hasReferences(text) ? { kind: "template", text } : { kind: "literal", value: text };
}

function stateArgument(path: unknown): Argument {
  return typeof path === "string" && path !== "" ? textArgument(path) : { kind: "literal", value: DEFAULT_STATE };
}

/** `50%` as 0.5. */
function rateShare(text: unknown): { readonly rateShare?: number } {
  return typeof text === "string" && /^\d+%$/.test(text) ? { rateShare: Number(text.slice(0, -1)) / 100 } : {};
}

function secretSource(tree: Tree): SecretSource {
  const { env, file, command } = tree;
  if (typeof env === "string") return { kind: "env", name: env };
  if (typeof file === "string") return { kind: "file", path: file };
  return { kind: "command", command: Array.isArray(command) ? command.map(String) : [] };
}

function readVariables(root: Tree, reading: ReadingContext): readonly Variable[] {
  const { parsed } = reading;
  return Object.entries(treeAt(root, ["variables"])).map(([name, body]) => {
    const { default: given, sensitive } = isTree(body) ? body : {};
    const fallback = isInvalid(reading, ["variables", name]) ? UNKNOWN : given;
    return { name, default: fallback as Value | undefined, sensitive: sensitive === true, locate: (path: Path) => parsed.locate(["variables", name, ...path]) };
  });
}

function isInvalid({ invalid }: ReadingContext, path: Path): boolean {
  return invalid.has(JSON.stringify(path)) || [...invalid].some((other) => other.startsWith(`${JSON.stringify(path).slice(0, -1)},`));
}

function treeAt(root: unknown, path: readonly string[]): Tree {
  const found = path.reduce<unknown>((tree, key) => (isTree(tree) ? tree[key] : undefined), root);
  return isTree(found) ? found : {};
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function emptyFile(file: string): Diagnostic {
  return {
    code: "config_empty",
    severity: "error",
    summary: "Empty configuration",
    detail: `${file} is empty.`,
    hint: "Begin it with version: 1, and declare a webhook under webhooks.",
    place: { file },
  };
}

function noSuchBlock(
  section: string,
  name: string,
  { declared, place }: { readonly declared: readonly string[]; readonly place: Diagnostic["place"] & object },
): Diagnostic {
  const meant = nearest(name, declared);
  return {
    code: "reference_invalid",
    severity: "error",
    summary: "Invalid reference",
    detail: `${section} names ${JSON.stringify(name)}, but data.${section} declares no such block.`,
    hint: meant === null ? `Declare it under data.${section}.` : `Did you mean ${meant}?`,
    place,
  };
}

function twoWays(attribute: string, short: string, place: Diagnostic["place"] & object): Diagnostic {
  return {
    code: "two_ways",
    severity: "error",
    summary: "Given in two ways",
    detail: `${short} and ${attribute} both say which one is meant.`,
    hint: "Keep one of them.",
    place,
  };
}
