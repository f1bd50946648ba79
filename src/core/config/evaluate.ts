import { hasReferences } from "../expression/template.ts";
import { formatAddress } from "../model/address.ts";
import type { Attribute, Schema, Type } from "../model/attribute.ts";
import { checkAttributes } from "../model/check.ts";
import type { Declaration, Evaluate, PendingRead, SecretSource } from "../model/declaration.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Attributes, UNKNOWN, type Value, isUnknown } from "../model/value.ts";
import type { Argument, Block, Configuration } from "./block.ts";
import { type Scope, evaluateArgument } from "./evaluate-argument.ts";
import type { VariableValue } from "./variables.ts";

/** Makes the pure function that turns the blocks and what was read so far into declarations, and reads that are still to do. */
export function evaluator(configuration: Configuration, variables: ReadonlyMap<string, VariableValue>, catalog: Catalog): Evaluate {
  const dataAddresses = new Set(configuration.blocks.filter(({ mode }) => mode === "data").map(addressOf));
  return (known) => {
    const scope: Scope = { variables, dataAddresses, known, managed: null };
    const declarations: Declaration[] = [];
    const reads: PendingRead[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const block of configuration.blocks) {
      const address = addressOf(block);
      const definition = definitionOf(block, catalog);
      const evaluated = evaluateBlock(block, definition.schema, scope);
      diagnostics.push(...[...evaluated.diagnostics, ...checkAttributes(definition, evaluated.complete)].map((one) => placed(one, block, address)));
      const { attributes, secrets, masked } = evaluated;
      const { locate } = block;
      if (block.mode === "managed") declarations.push({ address, type: block.type, provider: block.provider, attributes, secrets, masked, locate });
      else if (!known.has(address)) reads.push({ address, type: block.type, config: attributes, locate });
    }
    return { declarations, reads, diagnostics };
  };
}

/** Adds the address, and the place in the user's file, to what deeper code has found. */
export function placed(diagnostic: Diagnostic, { locate }: Pick<Block, "locate">, address: string): Diagnostic {
  const place = diagnostic.place ?? locate(diagnostic.path ?? []) ?? locate([]);
  return { ...diagnostic, address, ...(place ? { place } : {}) };
}

function addressOf({ mode, type, name }: Block): string {
  return formatAddress({ mode, type, name, key: null });
}

function definitionOf({ mode, type }: Block, catalog: Catalog): AnyResource | AnyDataSource {
  const definitions: readonly (AnyResource | AnyDataSource)[] = mode === "data" ? catalog.dataSources : catalog.resources;
  const found = definitions.find((definition) => definition.type === type);
  if (!found) throw new Error(`a door let the unknown type ${type} pass`);
  return found;
}

interface EvaluatedBlock {
  readonly attributes: Attributes;
  /** With unknown values in place of the secrets and of what has the wrong type, for checks. */
  readonly complete: Attributes;
  readonly secrets: { readonly [attribute: string]: SecretSource };
  readonly masked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

function evaluateBlock(block: Block, schema: Schema, scope: Scope): EvaluatedBlock {
  const attributes: Record<string, Value> = {};
  const secrets: Record<string, SecretSource> = {};
  const masked: string[] = [];
  const mistyped: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, argument] of Object.entries(block.arguments)) {
    const attribute = schema[name];
    if (!attribute) throw new Error(`a door let the unknown attribute ${name} pass`);
    if (argument.kind === "secret") {
      secrets[name] = argument.source;
      continue;
    }
    const { value, sensitive, problems } = evaluateArgument(argument, scope);
    diagnostics.push(...problems.map(({ offset: _, ...said }): Diagnostic => ({ severity: "error", path: [name], ...said })));
    const converted = convert(value, attribute.type);
    if (converted === undefined) {
      diagnostics.push(wrongType(name, attribute));
      mistyped.push(name);
    } else if (attribute.sensitive) {
      if (!mentionsReference(argument) || (problems.length === 0 && !sensitive && !isUnknown(value))) diagnostics.push(literalSecret(name));
      else if (typeof converted === "string") secrets[name] = { kind: "value", value: converted };
    } else {
      attributes[name] = converted;
      if (sensitive) masked.push(name);
    }
  }
  const unseen = Object.fromEntries([...Object.keys(secrets), ...mistyped].map((name) => [name, UNKNOWN]));
  return { attributes, complete: { ...attributes, ...unseen }, secrets, masked, diagnostics };
}

function mentionsReference(argument: Argument): boolean {
  return argument.kind === "template" && hasReferences(argument.text);
}

/** Converts as Terraform does: numbers and booleans to text and back. Undefined when the type does not fit. */
function convert(value: Value, type: Type): Value | undefined {
  if (value === null || isUnknown(value)) return value;
  if (type === "string") return typeof value === "object" ? undefined : String(value);
  if (type === "bool") {
    if (typeof value === "boolean") return value;
    return value === "true" ? true : value === "false" ? false : undefined;
  }
  if (type === "number") {
    if (typeof value === "number") return value;
    return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
  }
  return value;
}

function wrongType(name: string, { type }: Attribute): Diagnostic {
  return {
    code: "wrong_type",
    severity: "error",
    summary: "Incorrect attribute value type",
    detail: `${name} must be a ${typeof type === "string" ? type : "list"}.`,
    path: [name],
  };
}

function literalSecret(name: string): Diagnostic {
  return {
    code: "secret_literal",
    severity: "error",
    summary: "A secret in plain text",
    detail: `${name} is written out, so everybody who can read the configuration can read it.`,
    hint: "Declare a sensitive variable and refer to it; give its value with TF_VAR_name or OUTREACH_VAR_name.",
    path: [name],
  };
}
