import type { Argument } from "../../core/config/block.ts";
import type { Diagnostic, Place, Written } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import { type Tree, isTree } from "./plain-values.ts";
import { argumentOf, secretArgument, textArgument } from "./yaml-arguments.ts";

export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The value that one place of a configuration accepts, declared once. Editors and the validator use `schema`, the command uses `read`,
 * and the reference page shows `kind`. The other fields are for messages about values that the schema rejects.
 */
export interface Form<T = unknown> {
  readonly schema: JsonSchema;
  readonly kind: string;
  /** The kind of several values, for lists; `text` by default. */
  readonly plural?: string;
  /** Reads a value that the schema accepts; of a map, the valid parts. */
  readonly read: (value: unknown, part: Part) => T;
  /** The keys of a map. */
  readonly keys?: Keys;
  /** The values of a map of names, or the items of a list. */
  readonly item?: Form;
  /** Whether the valid parts are read even if others are invalid. Absent: the value is read only if all of it is valid. */
  readonly isReadInParts?: true;
  /** The rule for the names in a map of names, as a hint. */
  readonly namesHint?: string;
  /** Whether several files of a configuration may set it. Absent: one file sets it, and declares each name. */
  readonly isShared?: true;
  /** The hint for a missing required key. Absent: another check reports it, and says why the key is needed. */
  readonly missingHint?: string;
  /** Keys that exclude each other; one is required. */
  readonly choices?: readonly string[];
  readonly isSecret?: true;
  /** The hint for every mistake in the value. */
  readonly hint?: string;
  /** The hint for a value of the wrong type. Null: the type alone decides. */
  readonly typeHint?: (value: unknown, key: string) => string | null;
  /** The keys to suggest, if they depend on the others. Undefined: all. */
  readonly suggestedKeys?: (value: Tree) => readonly string[] | undefined;
  /** A message for an invalid value that replaces the common one. `shown` describes the value. Undefined: the common one. */
  readonly problem?: (
    shown: string,
    key: string,
    given: unknown,
  ) => Pick<Diagnostic, "code" | "summary" | "detail" | "hint"> | undefined;
}

export interface Keys {
  readonly [key: string]: Form;
}

/** A parsed file, checked against the schema. */
export interface CheckedFile {
  readonly parsed: ParsedYaml;
  /** Whether the schema rejects the value at a path, or any part of it. */
  readonly isRefused: (path: Path) => boolean;
}

/** A place of a file. */
export interface Part {
  readonly file: CheckedFile;
  readonly path: Path;
}

type ReadAs<F> = F extends Form<infer T> ? T : never;

/** The values of a map's valid keys. The required keys `R` are always present. */
export type ReadKeys<K extends Keys, R extends keyof K = never> = {
  readonly [key in Exclude<keyof K, R>]?: ReadAs<K[key]>;
} & { readonly [key in R]: ReadAs<K[key]> };

/** An entry of a map of names, or of a list. */
export interface Entry<T> {
  readonly name: string;
  readonly value: T;
  /** Whether the schema accepts all of it. */
  readonly isSound: boolean;
  readonly locate: (path: Path, written?: Written) => Place;
}

/** Finds the form at a path of keys and indexes. */
export function formAt(form: Form, path: Path): Form | undefined {
  return path.reduce<Form | undefined>(
    (at, step) => (at?.keys && Object.hasOwn(at.keys, step) ? at.keys[step] : at?.item),
    form,
  );
}

/** The description, default and examples of a value. */
export interface Docs {
  readonly docs?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[] | undefined;
}

function described(schema: JsonSchema, { docs, default: fallback, examples }: Docs): JsonSchema {
  return {
    ...schema,
    ...(docs === undefined ? {} : { description: docs }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** A literal text, possibly empty. */
export function anyText(docs: Docs): Form<string> {
  return { schema: described({ type: "string" }, docs), kind: "text", read: String };
}

/** A literal, non-empty text. */
export function text(docs: Docs): Form<string> {
  return { schema: described({ type: "string", minLength: 1 }, docs), kind: "text", read: String };
}

/** The text of `form`, with expressions allowed. */
export function template(form: Form<string>): Form<Argument> {
  return { ...form, read: (value) => textArgument(String(value)) };
}

/** A text in a notation such as a percentage, parsed by `parse`. */
export function notation<T>(
  kind: string,
  { pattern, parse, ...docs }: Docs & { readonly pattern: string; readonly parse: (text: string) => T },
): Form<T> {
  return { schema: described({ type: "string", pattern }, docs), kind, read: (value) => parse(String(value)) };
}

export function flag(docs: Docs): Form<boolean> {
  return { schema: described({ type: "boolean" }, docs), kind: "`true` or `false`", read: (value) => value === true };
}

export function number(docs: Docs): Form<number> {
  return { schema: described({ type: "number" }, docs), kind: "a number", read: Number };
}

/** A whole number from 0. */
export function count(docs: Docs): Form<number> {
  return { schema: described({ type: "integer", minimum: 0 }, docs), kind: "a number", read: Number };
}

export const SCALARS = ["string", "number", "boolean"] as const;

/** A text, a number, or true or false. */
export function scalar(docs: Docs): Form<string | number | boolean> {
  return {
    schema: described({ type: SCALARS }, docs),
    kind: "text, or a number, or `true` or `false`",
    read: (value) => value as string | number | boolean,
  };
}

/** One of these words. */
export function choice<const W extends string>(words: readonly W[], docs: Docs): Form<W> {
  const plural = words.map((word) => `\`${word}\``).join(", ");
  return { schema: described({ enum: words }, docs), kind: `one of ${plural}`, plural, read: (value) => value as W };
}

/** A value of the form, or a text with an expression. `pattern` matches such a text; without it, any text is accepted. */
export function orExpression(
  { schema, ...form }: Form,
  { pattern, ...docs }: Docs & { readonly pattern?: string },
): Form<Argument> {
  const expression = pattern === undefined ? {} : { pattern, description: "Expression." };
  return {
    ...form,
    schema: described({ anyOf: [schema, { type: "string", ...expression }] }, docs),
    read: argumentOf,
  };
}

const SOURCES =
  "Write { env: NAME } for an environment variable, { file: path } for a file, or { command: [program, argument] } for what a program prints.";

/** The sources of a secret. */
export const SECRET_SOURCES = {
  env: text({
    docs: "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged.",
  }),
  file: text({
    docs: "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped.",
  }),
  command: program({ docs: "Program and its arguments. One final newline of its output is stripped." }),
} as const satisfies Keys;

/** The definition that the schema of every secret refers to. */
export const SECRET = oneKeyOf(
  map(withHint(SECRET_SOURCES, SOURCES), { docs: "Source of a secret. The configuration never contains the secret." }),
  Object.keys(SECRET_SOURCES),
);

function withHint(keys: Keys, hint: string): Keys {
  return Object.fromEntries(
    Object.entries(keys).map(([key, { item, ...form }]) => [
      key,
      { ...form, hint, ...(item ? { item: { ...item, hint } } : {}) },
    ]),
  );
}

/** The source of a secret: a reference, never the secret itself. */
export function secret(docs: Docs): Form<Argument> {
  return {
    ...atomic(SECRET),
    schema: described({ $ref: "#/$defs/secret" }, docs),
    kind: "[a secret](#secrets)",
    read: secretArgument,
    isSecret: true,
    hint: SOURCES,
  };
}

/** A text, or the source of a secret. */
export function textOrSecret(plain: Form<string>, docs: Docs): Form<Argument> {
  const reference = secret({});
  return {
    ...reference,
    schema: described({ anyOf: [plain.schema, reference.schema] }, docs),
    kind: `${plain.kind}, or ${reference.kind}`,
  };
}

interface MapOptions<R> extends Docs {
  /** Required keys; only for an `atomic` map. */
  readonly required?: readonly R[];
  readonly missingHint?: string;
  /** Whether the map may be empty in the file (null). */
  readonly isNullable?: true;
}

/** A map with these keys. */
export function map<const K extends Keys, R extends keyof K & string = never>(
  keys: K,
  { required, missingHint, isNullable, ...docs }: MapOptions<R> = {},
): Form<ReadKeys<K, R>> {
  const schema = {
    type: isNullable ? ["object", "null"] : "object",
    additionalProperties: false,
    ...(required ? { required } : {}),
    properties: Object.fromEntries(Object.entries(keys).map(([key, form]) => [key, form.schema])),
  };
  return {
    schema: described(schema, docs),
    kind: "a map",
    keys,
    isReadInParts: true,
    ...(missingHint === undefined ? {} : { missingHint }),
    read: (value, part) => readKeys(keys, value, part),
  };
}

/** Requires exactly one of these keys. The schema does not say `maxProperties: 1`: editors would then complete no key. */
export function oneKeyOf<T>(form: Form<T>, choices: readonly string[]): Form<T> {
  const pairs = choices.flatMap((one, index) => choices.slice(index + 1).map((other) => ({ required: [one, other] })));
  return {
    ...form,
    choices,
    schema: { ...form.schema, minProperties: 1, not: pairs.length === 1 ? pairs[0] : { anyOf: pairs } },
  };
}

/** Reads the valid values of these keys. */
export function readKeys<K extends Keys>(keys: K, value: unknown, { file, path }: Part): ReadKeys<K> {
  const tree = isTree(value) ? value : {};
  const read = Object.keys(tree).flatMap((key) => {
    const form = Object.hasOwn(keys, key) ? keys[key] : undefined;
    const at = [...path, key];
    return form && (form.isReadInParts || !file.isRefused(at))
      ? [[key, form.read(tree[key], { file, path: at })] as const]
      : [];
  });
  return Object.fromEntries(read) as ReadKeys<K>;
}

/** A map whose keys are names that users choose. */
export function named<T>(
  item: Form<T>,
  { pattern, namesHint, ...docs }: Docs & { readonly pattern: string; readonly namesHint: string },
): Form<readonly Entry<T>[]> {
  const schema = { type: "object", propertyNames: { pattern }, additionalProperties: item.schema };
  return {
    schema: described(schema, docs),
    kind: "a map",
    item,
    namesHint,
    isReadInParts: true,
    read: (value, part) => entries(item, isTree(value) ? Object.entries(value) : [], part),
  };
}

export function list<T>(
  item: Form<T>,
  { minItems, ...docs }: Docs & { readonly minItems?: 1 },
): Form<readonly Entry<T>[]> {
  return {
    schema: described({ type: "array", ...(minItems ? { minItems } : {}), items: item.schema }, docs),
    kind: `a list of ${item.plural ?? "text"}`,
    item,
    isReadInParts: true,
    read: (value, part) => entries(item, Array.isArray(value) ? Object.entries(value as readonly unknown[]) : [], part),
  };
}

/** A list read as one argument, with expressions allowed in its items. */
export function listOfText(item: Form, docs: Docs): Form<Argument> {
  return { ...atomic(list(item, docs)), read: argumentOf };
}

/** A list, or a single value instead of it. */
export function orOne(form: Form<Argument>, { schema, kind }: Form): Form<Argument> {
  return {
    ...form,
    schema: { ...form.schema, type: [schema["type"], "array"].flat() },
    kind: `${kind}, or ${form.kind}`,
  };
}

/** A program and its arguments. */
export function program(docs: Docs): Form<readonly Argument[]> {
  return {
    ...atomic(list(anyText({}), { minItems: 1, ...docs })),
    read: (value) => (value as readonly unknown[]).map(argumentOf),
  };
}

function entries<T>(
  item: Form<T>,
  given: readonly (readonly [name: string, value: unknown])[],
  { file, path }: Part,
): readonly Entry<T>[] {
  return given.flatMap(([name, value]) => {
    const at = [...path, name];
    const isSound = !file.isRefused(at);
    if (!isSound && !item.isReadInParts) return [];
    const locate: Entry<T>["locate"] = (more, written) => file.parsed.locate([...at, ...more], written);
    return [{ name, value: item.read(value, { file, path: at }), isSound, locate }];
  });
}

/** Reads the value only if all of it is valid. */
export function atomic<T>({ isReadInParts: _, ...form }: Form<T>): Form<T> {
  return form;
}

/** Allows several files of a configuration to set it. */
export function shared<T>(form: Form<T>): Form<T> {
  return { ...form, isShared: true };
}
