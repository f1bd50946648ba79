import { numberIn, numberText } from "../../expression/values/decimal.ts";
import { referencesOf } from "../../expression/syntax/template.ts";
import type { Attribute, Schema, Type } from "../../model/attribute.ts";
import type { SecretSource } from "../../model/declaration.ts";
import { type Diagnostic, type Result, errorOf } from "../../model/diagnostic.ts";
import { leadsTo } from "../../model/parse-url.ts";
import type { Path } from "../../model/path.ts";
import { type Attributes, UNKNOWN, type Value, hasUnknown, isUnknown } from "../../model/value.ts";
import type { Argument, Block } from "../block.ts";
import type { DataSources } from "./references.ts";
import {
  type ArgumentProblem,
  type Evaluated,
  type Scope as ReferenceScope,
  evaluateArgument,
  hasSensitiveHost,
} from "./evaluate-argument.ts";
import { templateOf } from "./references.ts";

/** The scope of a block's arguments. */
export interface Scope extends ReferenceScope {
  readonly dataSources: DataSources;
  /** The lookups of data sources, by address, except lookups by id. */
  readonly lookupTexts: ReadonlyMap<string, string>;
  /** The attributes of all resources by address; null if nothing may refer to them. */
  readonly managed: ReadonlyMap<string, Attributes> | null;
  /** Their sensitive attributes, by address. */
  readonly masked?: ReadonlyMap<string, readonly string[]>;
}

export interface EvaluatedBlock {
  readonly attributes: Attributes;
  /** The attributes for checks, with unknown values for secrets and for values of the wrong type. */
  readonly complete: Attributes;
  readonly secrets: { readonly [attribute: string]: SecretSource };
  readonly masked: readonly string[];
  readonly lookups: { readonly [attribute: string]: string };
  /** The references of the attributes that are not completely known. */
  readonly waiting: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Evaluates the arguments that all instances of a block share. */
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
    if (!attribute) throw new Error(`the frontend accepted the unknown attribute ${name}`);
    if (argument.kind === "secret") {
      const { value, diagnostics: found } = evaluateSource(argument, name, scope);
      secrets[name] = value;
      diagnostics.push(...found);
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
      else if (problems.length === 0 && !fromSensitive && !isUnknown(value)) diagnostics.push(plainTextSecret(name));
      else if (typeof converted === "string") secrets[name] = { kind: "value", value: converted };
    } else {
      attributes[name] = converted;
      if (sensitive) masked.push(name);
      if (sensitive && scope.hide && typeof converted === "string" && hasSensitiveHost(argument, converted, scope))
        hideHost(converted, scope.hide);
      const lookup = lookupOf(references, scope);
      if (lookup !== null) lookups[name] = lookup;
    }
  }
  const unseen = Object.fromEntries(
    [...Object.keys(secrets), ...mistyped, ...uncheckedOf(masked, scope)].map((name) => [name, UNKNOWN]),
  );
  return { attributes, complete: { ...attributes, ...unseen }, secrets, masked, lookups, waiting, diagnostics };
}

/** Under `hide`, a check would say something about a sensitive value. */
export function uncheckedOf(masked: readonly string[], { hide }: Pick<Scope, "hide">): readonly string[] {
  return hide ? masked : [];
}

/** No text as short as some hosts is masked by itself. */
const SHORT = 4;

function hideHost(url: string, hide: NonNullable<Scope["hide"]>): void {
  const host = leadsTo(url)?.host;
  if (host === undefined) return;
  hide(url);
  for (const text of host.length < SHORT ? [`//${host}`, `host ${host}`] : [host]) hide(text, { isHost: true });
}

/** The source of a secret. With a problem, or while the values of the instance are unknown, it stays as written. */
function evaluateSource(
  { source, own }: Extract<Argument, { readonly kind: "secret" }>,
  name: string,
  scope: Scope,
): Result<SecretSource> {
  if (!own) return { value: source, diagnostics: [] };
  const { value, problems } = evaluateValue(own, [name, source.kind], scope);
  if (problems.length > 0 || isUnknown(value)) return { value: source, diagnostics: problems };
  const text = value === null ? undefined : convert(value, "string");
  if (typeof text !== "string" || text === "")
    return { value: source, diagnostics: [{ ...wrongType(name, { type: "string" }), path: [name, source.kind] }] };
  return { value: source.kind === "env" ? { ...source, name: text } : { kind: "file", path: text }, diagnostics: [] };
}

export interface EvaluatedValue extends Omit<Evaluated, "problems"> {
  readonly problems: readonly Diagnostic[];
}

/** Evaluates any argument except a secret, with problems at `path`. Problems do not repeat the text of sensitive values. */
export function evaluateValue(
  argument: Argument,
  path: Path,
  scope: ReferenceScope,
  { sensitive: isHidden }: Pick<Attribute, "sensitive"> = {},
): EvaluatedValue {
  const { problems, ...evaluated } = evaluateArgument(argument, scope);
  return { ...evaluated, problems: problems.map((one) => problemDiagnostic(one, path, isHidden === true)) };
}

function problemDiagnostic(
  { offset = 0, text, path = [], ...problem }: ArgumentProblem,
  at: Path,
  isHidden: boolean,
): Diagnostic {
  return {
    severity: "error",
    path: [...at, ...path],
    ...problem,
    ...(text === undefined || isHidden ? {} : { written: { text, offset } }),
  };
}

/** The lookup of a value from one of these data sources. */
export function lookupOf(references: readonly string[], { lookupTexts }: Pick<Scope, "lookupTexts">): string | null {
  const asked = references.flatMap((address) => lookupTexts.get(address) ?? []);
  return asked.length === 0 ? null : asked.join(", ");
}

/** An invalid template counts as one with references. */
function mentionsReference(argument: Argument): boolean {
  if (argument.kind !== "template") return false;
  const template = templateOf(argument);
  return "detail" in template || referencesOf(template).length > 0;
}

/** Converts as Terraform does: numbers and bools to strings and back. Undefined if the type does not fit. */
export function convert(value: Value, type: Type): Value | undefined {
  if (value === null || isUnknown(value)) return value;
  if (type === "string")
    return typeof value === "object" ? undefined : typeof value === "number" ? numberText(value) : String(value);
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
  return errorOf("wrong_type", "Incorrect attribute value type", {
    detail: `${name} must be a ${typeName(type)}.`,
    path: [name],
  });
}

function typeName(type: Type): string {
  if (typeof type === "string") return type;
  return "list" in type ? `list of ${typeof type.list === "string" ? `${type.list}s` : "objects"}` : "object";
}

function plainTextSecret(name: string): Diagnostic {
  return errorOf("secret_literal", "A secret in plain text", {
    detail: `The value of ${name} is not marked as sensitive, so plans and outputs would show it.`,
    hint: "Declare its variable as sensitive.",
    ways: [{ kind: "set-variable", name: null, sensitive: true }],
    path: [name],
  });
}

function literalSecret(name: string): Diagnostic {
  return errorOf("secret_literal", "A secret in plain text", {
    detail: `${name} is a literal value, so anyone who can read the configuration can read it.`,
    hint: "Declare a sensitive variable and refer to it.",
    ways: [{ kind: "set-variable", name: null, sensitive: true }],
    path: [name],
  });
}

/** Removes the values of sensitive attributes from diagnostics. */
export function hideSensitive(
  { attributes, masked }: Pick<EvaluatedBlock, "attributes" | "masked">,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  return found.map((one) => {
    const name = String(one.path?.[0]);
    const value = masked.includes(name) ? attributes[name] : undefined;
    return typeof value === "string" && value !== ""
      ? { ...one, detail: one.detail.replaceAll(value, "(sensitive value)") }
      : one;
  });
}
