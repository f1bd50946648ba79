import type { Argument, Block, Configuration, Variable } from "../../core/config/block.ts";
import { attributesOf } from "../../core/model/attribute.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, type Result, nearest } from "../../core/model/diagnostic.ts";
import { UNKNOWN, type Value } from "../../core/model/value.ts";

type Tree = { readonly [key: string]: unknown };

const PROVIDER = "outreach";
const MAX_BYTES = 50 * 1024 * 1024;
/** What a synthesised block carries beside its attributes. */
const META = new Set(["//", "provider", "depends_on"]);

interface StackContext {
  readonly file: string;
  readonly catalog: Catalog;
}

/**
 * Reads a synthesised stack (`cdk.tf.json`) into the same blocks as YAML. What this tool does not evaluate is an error
 * that names the construct, and says to run the stack with Terraform.
 */
export function readStack(
  bytes: Uint8Array,
  { file, folder, name, catalog }: StackContext & { readonly folder: string; readonly name: string },
): Result<Configuration> {
  const context = { file, catalog };
  const configuration: Configuration = {
    variables: [],
    blocks: [],
    outputs: [],
    imports: [],
    moved: [],
    removed: [],
    limits: {},
    service: { baseUrl: null, apiKey: null, locate: () => ({ file }) },
    statePath: { kind: "literal", value: `outreach.${name}.state.json` },
    folder,
  };
  const parsed = parseStack(bytes, file);
  if ("summary" in parsed) return { value: configuration, diagnostics: [parsed] };
  const { root } = parsed;
  const managed = readBlocks(treeOf(root["resource"]), "managed", context);
  const data = readBlocks(treeOf(root["data"]), "data", context);
  const provider = readProvider(treeOf(root["provider"])[PROVIDER], context);
  return {
    value: {
      ...configuration,
      variables: readVariables(treeOf(root["variable"]), file),
      blocks: [...data.value, ...managed.value],
      service: { ...configuration.service, ...provider.value },
    },
    diagnostics: [
      ...unsupportedParts(root, file),
      ...literalDefaults(treeOf(root["variable"]), file),
      ...provider.diagnostics,
      ...data.diagnostics,
      ...managed.diagnostics,
    ],
  };
}

function parseStack(bytes: Uint8Array, file: string): { readonly root: Tree } | Diagnostic {
  const invalid = (detail: string): Diagnostic => ({
    code: "stack_invalid",
    severity: "error",
    summary: "Not a synthesised stack",
    detail,
    hint: "Run the synthesis again (cdktf synth).",
    place: { file },
  });
  if (bytes.length > MAX_BYTES) return invalid(`${file} is larger than 50 MB.`);
  try {
    const root: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isTree(root) ? { root } : invalid(`${file} does not hold a JSON object.`);
  } catch (error) {
    return invalid(`${file} is not JSON: ${(error as Error).message}.`);
  }
}

function readBlocks(types: Tree, mode: "managed" | "data", context: StackContext): Result<readonly Block[]> {
  const blocks = Object.entries(types).flatMap(([type, named]) =>
    Object.entries(treeOf(named)).map(([name, body]) => readBlock({ mode, type, name, body: treeOf(body) }, context)),
  );
  return { value: blocks.flatMap(({ value }) => (value ? [value] : [])), diagnostics: blocks.flatMap(({ diagnostics }) => diagnostics) };
}

interface RawBlock {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly body: Tree;
}

function readBlock({ mode, type, name, body }: RawBlock, { file, catalog }: StackContext): Result<Block | null> {
  const place = { file, construct: constructPath(body) ?? `${type}.${name}` };
  const definitions = mode === "data" ? catalog.dataSources : catalog.resources;
  const definition = definitions.find((candidate) => candidate.type === type);
  if (!definition) return { value: null, diagnostics: [unsupported(`${mode === "data" ? "data source" : "resource"} type ${type}`, place)] };
  const diagnostics: Diagnostic[] = [];
  const offered = Object.fromEntries(attributesOf(definition.schema, "terraform").filter(([, attribute]) => attribute.mode !== "computed"));
  const args: Record<string, Argument> = {};
  for (const [key, value] of Object.entries(body)) {
    const attribute = offered[key];
    if (META.has(key) || value === null) {
      if (key === "provider" && value !== PROVIDER) diagnostics.push(unsupported("a provider alias", place));
      continue;
    }
    if (!attribute) {
      const meta = ["count", "for_each", "lifecycle", "provisioner", "connection"].includes(key);
      diagnostics.push(meta ? unsupported(`${key} in a block`, place) : unknownArgument(key, Object.keys(offered), place));
    } else if (attribute.writeOnly) diagnostics.push(writeOnly(key, attribute.writeOnly.of, place));
    else if (typeof value === "object" && /[$%]\{/.test(JSON.stringify(value)))
      diagnostics.push(unsupported(`an expression inside a list or a map (${key})`, place));
    else args[key] = argumentOf(value);
  }
  return { value: { mode, type, name, provider: PROVIDER, arguments: args, locate: () => place }, diagnostics };
}

function argumentOf(value: unknown): Argument {
  if (typeof value === "string") return { kind: "template", text: value };
  return typeof value === "number" || typeof value === "boolean" ? { kind: "literal", value } : { kind: "literal", value: (value ?? UNKNOWN) as Value };
}

function readProvider(configured: unknown, { file }: StackContext): Result<{ readonly baseUrl: Argument | null; readonly apiKey: Argument | null }> {
  const all = Array.isArray(configured) ? configured.map(treeOf) : [];
  const [only = {}, ...others] = all;
  const place = { file, construct: `provider.${PROVIDER}` };
  const diagnostics = others.length > 0 || only["alias"] !== undefined ? [unsupported("several provider configurations", place)] : [];
  const optional = (value: unknown): Argument | null => (value === undefined || value === null ? null : argumentOf(value));
  return { value: { baseUrl: optional(only["base_url"]), apiKey: optional(only["api_key"]) }, diagnostics };
}

function readVariables(variables: Tree, file: string): readonly Variable[] {
  return Object.entries(variables).map(([name, body]) => {
    const { default: fallback, sensitive } = treeOf(body);
    return { name, default: fallback as Value | undefined, sensitive: sensitive === true, locate: () => ({ file, construct: `var.${name}` }) };
  });
}

/** A stack may hold no secret: a sensitive variable's value comes from outside. */
function literalDefaults(variables: Tree, file: string): readonly Diagnostic[] {
  return Object.entries(variables)
    .filter(([, body]) => treeOf(body)["sensitive"] === true && (treeOf(body)["default"] ?? "") !== "")
    .map(([name]) => ({
      code: "secret_literal",
      severity: "error",
      summary: "A secret in plain text",
      detail: `The sensitive variable ${name} has a default, so everybody who can read the stack can read it.`,
      hint: `Take the default out, and give the value with TF_VAR_${name} or OUTREACH_VAR_${name}.`,
      place: { file, construct: `var.${name}` },
    }));
}

const UNDERSTOOD = new Set(["//", "resource", "data", "provider", "variable", "terraform"]);

function unsupportedParts(root: Tree, file: string): readonly Diagnostic[] {
  return Object.keys(root)
    .filter((part) => !UNDERSTOOD.has(part))
    .map((part) => unsupported(`${part} in a stack`, { file }));
}

function unsupported(what: string, place: NonNullable<Diagnostic["place"]>): Diagnostic {
  return {
    code: "stack_unsupported",
    severity: "error",
    summary: "Outside of what runs without Terraform",
    detail: `This version does not evaluate: ${what}.`,
    hint: "Run this stack with Terraform and the outreach provider; it declares the same webhooks.",
    place,
  };
}

function unknownArgument(key: string, known: readonly string[], place: NonNullable<Diagnostic["place"]>): Diagnostic {
  const meant = nearest(key, known);
  return {
    code: "unknown_key",
    severity: "error",
    summary: "Unknown argument",
    detail: `${JSON.stringify(key)} is not an argument that is known here.`,
    hint: meant === null ? `Known arguments: ${known.join(", ")}.` : `Did you mean ${meant}?`,
    place,
  };
}

function writeOnly(key: string, stored: string, place: NonNullable<Diagnostic["place"]>): Diagnostic {
  return {
    code: "write_only_unsupported",
    severity: "error",
    summary: "Write-only arguments are Terraform's",
    detail: `${key} keeps a secret out of Terraform's state. The state of this tool holds fingerprints only, so it is not needed here.`,
    hint: `Use ${stored} with a sensitive variable.`,
    place,
  };
}

function constructPath(body: Tree): string | null {
  const metadata = treeOf(treeOf(body["//"])["metadata"]);
  return typeof metadata["path"] === "string" ? metadata["path"] : null;
}

function treeOf(value: unknown): Tree {
  return isTree(value) ? value : {};
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
