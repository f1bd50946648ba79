import { hasReferences } from "../expression/template.ts";
import type { Attribute, Schema, Type } from "../model/attribute.ts";
import type { SecretSource } from "../model/declaration.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import { type Attributes, UNKNOWN, type Value, isUnknown } from "../model/value.ts";
import type { Argument, Block } from "./block.ts";
import { type DataSources, unknownAttributes } from "./data-references.ts";
import { type Evaluated, type Scope as ReferenceScope, evaluateArgument } from "./evaluate-argument.ts";

/** What a block's arguments can see. */
export interface Scope extends ReferenceScope {
  readonly dataSources: DataSources;
  /** What each data source asks the service, where it asks by something else than an id. */
  readonly questions: ReadonlyMap<string, string>;
  /** The attributes of all managed objects by address; null where nothing may refer to them. */
  readonly managed: ReadonlyMap<string, Attributes> | null;
  /** Which of their attributes are masked, by address. */
  readonly masked?: ReadonlyMap<string, readonly string[]>;
}

export interface EvaluatedBlock {
  readonly attributes: Attributes;
  /** With unknown values in place of the secrets and of what has the wrong type, for checks. */
  readonly complete: Attributes;
  readonly secrets: { readonly [attribute: string]: SecretSource };
  readonly masked: readonly string[];
  readonly lookups: { readonly [attribute: string]: string };
  readonly diagnostics: readonly Diagnostic[];
}

/** The arguments that all instances of a block share. */
export function evaluateBlock(block: Block, schema: Schema, scope: Scope): EvaluatedBlock {
  const attributes: Record<string, Value> = {};
  const secrets: Record<string, SecretSource> = {};
  const lookups: Record<string, string> = {};
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
    const { value, sensitive, references, problems } = evaluateValue(argument, [name], scope);
    diagnostics.push(...problems);
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
      const lookup = lookupOf(references, scope);
      if (lookup !== null) lookups[name] = lookup;
    }
  }
  const unseen = Object.fromEntries([...Object.keys(secrets), ...mistyped].map((name) => [name, UNKNOWN]));
  return { attributes, complete: { ...attributes, ...unseen }, secrets, masked, lookups, diagnostics };
}

export interface EvaluatedValue extends Pick<Evaluated, "value" | "sensitive" | "references"> {
  readonly problems: readonly Diagnostic[];
}

/** A value of any kind but a secret, with its problems at `path`. */
export function evaluateValue(argument: Exclude<Argument, { kind: "secret" }>, path: Path, scope: Omit<Scope, "questions">): EvaluatedValue {
  if (argument.kind === "list") {
    const items = argument.items.map((item, index) => {
      if (item.kind === "secret") throw new Error("a door let a secret inside a list pass");
      return evaluateValue(item, [...path, index], scope);
    });
    return {
      value: items.map(({ value }) => value),
      sensitive: items.some(({ sensitive }) => sensitive),
      references: [...new Set(items.flatMap(({ references }) => references))],
      problems: items.flatMap(({ problems }) => problems),
    };
  }
  const { value, sensitive, references, problems } = evaluateArgument(argument, scope);
  const all = [...problems, ...unknownAttributes(argument, scope.dataSources, scope.known)];
  return { value, sensitive, references, problems: all.map(({ offset: _, ...said }): Diagnostic => ({ severity: "error", path, ...said })) };
}

/** What a value was looked up by, where it comes from these data sources. */
export function lookupOf(references: readonly string[], { questions }: Pick<Scope, "questions">): string | null {
  const asked = references.flatMap((address) => questions.get(address) ?? []);
  return asked.length === 0 ? null : asked.join(", ");
}

function mentionsReference(argument: Argument): boolean {
  return argument.kind === "template" && hasReferences(argument.text);
}

/** Converts as Terraform does: numbers and booleans to text and back. Undefined when the type does not fit. */
export function convert(value: Value, type: Type): Value | undefined {
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
  if ("object" in type) return value;
  if (!Array.isArray(value)) return undefined;
  const items = (value as readonly Value[]).map((item) => (item === null ? undefined : convert(item, type.list)));
  return items.every((item) => item !== undefined) ? items : undefined;
}

export function wrongType(name: string, { type }: Pick<Attribute, "type">): Diagnostic {
  return {
    code: "wrong_type",
    severity: "error",
    summary: "Incorrect attribute value type",
    detail: `${name} must be a ${typeName(type)}.`,
    path: [name],
  };
}

function typeName(type: Type): string {
  if (typeof type === "string") return type;
  return "list" in type ? `list of ${typeof type.list === "string" ? `${type.list}s` : "objects"}` : "object";
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
