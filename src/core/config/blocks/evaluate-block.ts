import { numberIn, numberText } from "../../expression/values/decimal.ts";
import { referencesOf } from "../../expression/syntax/template.ts";
import type { Attribute, Schema, Type } from "../../model/attribute.ts";
import type { SecretSource } from "../../model/declaration.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Path } from "../../model/path.ts";
import { type Attributes, UNKNOWN, type Value, hasUnknown, isUnknown } from "../../model/value.ts";
import type { Argument, Block } from "../block.ts";
import type { DataSources } from "./data-references.ts";
import { type ArgumentProblem, type Evaluated, type Scope as ReferenceScope, evaluateArgument } from "./evaluate-argument.ts";
import { templateOf } from "./parsed.ts";

/** What a block's arguments can see. */
export interface Scope extends ReferenceScope {
  readonly dataSources: DataSources;
  /** What each data source asks the service, where it asks by something else than an id. */
  readonly lookupTexts: ReadonlyMap<string, string>;
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
  /** What went into the attributes that are not, or not wholly, known. */
  readonly waiting: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The arguments that all instances of a block share. */
export function evaluateBlock(block: Block, schema: Schema, scope: Scope): EvaluatedBlock {
  const attributes: Record<string, Value> = {};
  const secrets: Record<string, SecretSource> = {};
  const lookups: Record<string, string> = {};
  const masked: string[] = [];
  const mistyped: string[] = [];
  const waiting = new Map<string, readonly string[]>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, argument] of Object.entries(block.arguments)) {
    const attribute = schema[name];
    if (!attribute) throw new Error(`a door let the unknown attribute ${name} pass`);
    if (argument.kind === "secret") {
      secrets[name] = argument.source;
      continue;
    }
    const { value, sensitive, fromSensitive, references, problems } = evaluateValue(argument, [name], scope, attribute);
    diagnostics.push(...problems);
    if (hasUnknown(value)) waiting.set(name, references);
    const converted = convert(value, attribute.type);
    if (converted === undefined) {
      diagnostics.push(wrongType(name, attribute));
      mistyped.push(name);
    } else if (attribute.sensitive) {
      if (converted === null) continue;
      if (!mentionsReference(argument)) diagnostics.push(literalSecret(name));
      else if (problems.length === 0 && !fromSensitive && !isUnknown(value)) diagnostics.push(openSecret(name));
      else if (typeof converted === "string") secrets[name] = { kind: "value", value: converted };
    } else {
      attributes[name] = converted;
      if (sensitive) masked.push(name);
      const lookup = lookupOf(references, scope);
      if (lookup !== null) lookups[name] = lookup;
    }
  }
  const unseen = Object.fromEntries([...Object.keys(secrets), ...mistyped].map((name) => [name, UNKNOWN]));
  return { attributes, complete: { ...attributes, ...unseen }, secrets, masked, lookups, waiting, diagnostics };
}

export interface EvaluatedValue extends Omit<Evaluated, "problems"> {
  readonly problems: readonly Diagnostic[];
}

/** A value of any kind but a secret, with its problems at `path`. The text of what is sensitive is not told on. */
export function evaluateValue(
  argument: Argument,
  path: Path,
  scope: ReferenceScope,
  { sensitive: isHidden }: Pick<Attribute, "sensitive"> = {},
): EvaluatedValue {
  const { problems, ...evaluated } = evaluateArgument(argument, scope);
  return { ...evaluated, problems: problems.map((one) => problemDiagnostic(one, path, isHidden === true)) };
}

function problemDiagnostic({ offset = 0, text, path = [], ...said }: ArgumentProblem, at: Path, isHidden: boolean): Diagnostic {
  return { severity: "error", path: [...at, ...path], ...said, ...(text === undefined || isHidden ? {} : { written: { text, offset } }) };
}

/** What a value was looked up by, where it comes from these data sources. */
export function lookupOf(references: readonly string[], { lookupTexts }: Pick<Scope, "lookupTexts">): string | null {
  const asked = references.flatMap((address) => lookupTexts.get(address) ?? []);
  return asked.length === 0 ? null : asked.join(", ");
}

/** What cannot be parsed may. */
function mentionsReference(argument: Argument): boolean {
  if (argument.kind !== "template") return false;
  const template = templateOf(argument);
  return "detail" in template || referencesOf(template).length > 0;
}

/** Converts as Terraform does: numbers and booleans to text and back. Undefined when the type does not fit. */
export function convert(value: Value, type: Type): Value | undefined {
  if (value === null || isUnknown(value)) return value;
  if (type === "string") return typeof value === "object" ? undefined : typeof value === "number" ? numberText(value) : String(value);
  if (type === "bool") {
    if (typeof value === "boolean") return value;
    return value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : undefined;
  }
  if (type === "number") {
    if (typeof value === "number") return value;
    return typeof value === "string" ? (numberIn(value) ?? undefined) : undefined;
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

function openSecret(name: string): Diagnostic {
  return {
    code: "secret_literal",
    severity: "error",
    summary: "A secret in plain text",
    detail: `${name} is made of what is not sensitive, so it would be shown wherever that is.`,
    hint: "Declare the variable that it refers to as sensitive.",
    ways: [{ kind: "set-variable", name: null, sensitive: true }],
    path: [name],
  };
}

function literalSecret(name: string): Diagnostic {
  return {
    code: "secret_literal",
    severity: "error",
    summary: "A secret in plain text",
    detail: `${name} is written out, so everybody who can read the configuration can read it.`,
    hint: "Declare a sensitive variable and refer to it.",
    ways: [{ kind: "set-variable", name: null, sensitive: true }],
    path: [name],
  };
}

/** What was found in attributes, without the values of those that were made from something sensitive. */
export function hiding({ attributes, masked }: Pick<EvaluatedBlock, "attributes" | "masked">, found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.map((one) => {
    const name = String(one.path?.[0]);
    const value = masked.includes(name) ? attributes[name] : undefined;
    return typeof value === "string" && value !== "" ? { ...one, detail: one.detail.replaceAll(value, "(sensitive value)") } : one;
  });
}
