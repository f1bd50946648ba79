import type { Argument } from "../../core/config/block.ts";
import type { Diagnostic, Place, Written } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import { type Tree, isTree } from "./plain-values.ts";
import { argumentOf, secretArgument, textArgument } from "./yaml-arguments.ts";

export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * What one place of a configuration may hold, declared once: editors and the validator have its `schema`, the product what it
 * `read`s, the reference what it `takes`. The rest is what messages say of a value that the schema refuses.
 */
export interface Form<T = unknown> {
  readonly schema: JsonSchema;
  readonly takes: string;
  /** The same, of a list of them; absent: text. */
  readonly several?: string;
  /** Only for what the schema accepts; of a map, for its sound parts. */
  readonly read: (value: unknown, part: Part) => T;
  /** The keys of a map. */
  readonly keys?: Keys;
  /** The values of a map of names, or the items of a list. */
  readonly item?: Form;
  /** Sound parts are read even if others are refused. Absent: all of it, or nothing. */
  readonly isReadInParts?: true;
  /** What the names in a map of names are like. */
  readonly names?: string;
  /** Several files of a configuration may have it. A setting is in one, and so is each name. */
  readonly isShared?: true;
  /** What to write where a required key is missing. Absent: another check says so, which knows why it is needed. */
  readonly whole?: string;
  /** Keys of which there must be one. */
  readonly choices?: readonly string[];
  readonly isSecret?: true;
  /** What to do about every mistake in it. */
  readonly hint?: string;
  /** What was probably meant by a value of another type. */
  readonly meant?: (value: unknown, key: string) => string | null;
  /** The keys to suggest, if they depend on the others. Undefined: all. */
  readonly keysFor?: (value: Tree) => readonly string[] | undefined;
  /** What to say of a refused value in place of the common words. `shown`: what it is, in words. Undefined: there is nothing else to say. */
  readonly refusal?: (
    shown: string,
    key: string,
    given: unknown,
  ) => Pick<Diagnostic, "code" | "summary" | "detail" | "hint"> | undefined;
}

export interface Keys {
  readonly [key: string]: Form;
}

/** A file that was parsed, and checked with the schema. */
export interface CheckedFile {
  readonly parsed: ParsedYaml;
  /** Whether the schema refused the value at a path, or any part of it. */
  readonly isRefused: (path: Path) => boolean;
}

/** A place of a file. */
export interface Part {
  readonly file: CheckedFile;
  readonly path: Path;
}

type ReadAs<F> = F extends Form<infer T> ? T : never;

/** What a map is read as, without what is absent or refused; required keys `R` are there. */
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

/** The form of a place, by the keys and indexes that lead to it. */
export function formAt(form: Form, path: Path): Form | undefined {
  return path.reduce<Form | undefined>(
    (at, step) => (at?.keys && Object.hasOwn(at.keys, step) ? at.keys[step] : at?.item),
    form,
  );
}

/** What a form says to people who write. */
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

/** A text as it is written, which may be empty. */
export function anyText(docs: Docs): Form<string> {
  return { schema: described({ type: "string" }, docs), takes: "text", read: String };
}

/** A text as it is written. */
export function text(docs: Docs): Form<string> {
  return { schema: described({ type: "string", minLength: 1 }, docs), takes: "text", read: String };
}

/** A text that may have expressions. */
export function template(form: Form<string>): Form<Argument> {
  return { ...form, read: (value) => textArgument(String(value)) };
}

/** A text of its own notation, as the reference names it. */
export function notation<T>(
  takes: string,
  { pattern, parse, ...docs }: Docs & { readonly pattern: string; readonly parse: (text: string) => T },
): Form<T> {
  return { schema: described({ type: "string", pattern }, docs), takes, read: (value) => parse(String(value)) };
}

export function flag(docs: Docs): Form<boolean> {
  return { schema: described({ type: "boolean" }, docs), takes: "`true` or `false`", read: (value) => value === true };
}

export function number(docs: Docs): Form<number> {
  return { schema: described({ type: "number" }, docs), takes: "a number", read: Number };
}

/** A whole number from 0. */
export function count(docs: Docs): Form<number> {
  return { schema: described({ type: "integer", minimum: 0 }, docs), takes: "a number", read: Number };
}

export const SCALARS = ["string", "number", "boolean"] as const;

/** A text, a number, or true or false. */
export function scalar(docs: Docs): Form<string | number | boolean> {
  return {
    schema: described({ type: SCALARS }, docs),
    takes: "text, or a number, or `true` or `false`",
    read: (value) => value as string | number | boolean,
  };
}

/** One of these words. */
export function choice<const W extends string>(words: readonly W[], docs: Docs): Form<W> {
  const several = words.map((word) => `\`${word}\``).join(", ");
  return { schema: described({ enum: words }, docs), takes: `one of ${several}`, several, read: (value) => value as W };
}

/** A form, or text with an expression for it; `pattern` is how one is told from another text. */
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

/** What the form of every secret refers to. */
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
    ...whole(SECRET),
    schema: described({ $ref: "#/$defs/secret" }, docs),
    takes: "[a secret](#secrets)",
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
    takes: `${plain.takes}, or ${reference.takes}`,
  };
}

interface MapOptions<R> extends Docs {
  /** Keys of a map that is read as a `whole`. */
  readonly required?: readonly R[];
  readonly whole?: string;
  /** Also nothing at all. */
  readonly isNullable?: true;
}

/** A map with these keys. */
export function map<const K extends Keys, R extends keyof K & string = never>(
  keys: K,
  { required, whole: complete, isNullable, ...docs }: MapOptions<R> = {},
): Form<ReadKeys<K, R>> {
  const schema = {
    type: isNullable ? ["object", "null"] : "object",
    additionalProperties: false,
    ...(required ? { required } : {}),
    properties: Object.fromEntries(Object.entries(keys).map(([key, form]) => [key, form.schema])),
  };
  return {
    schema: described(schema, docs),
    takes: "a map",
    keys,
    isReadInParts: true,
    ...(complete === undefined ? {} : { whole: complete }),
    read: (value, part) => readKeys(keys, value, part),
  };
}

/** The same with exactly one of these keys. Editors would offer no key where one is about to be typed, if the schema allowed only one. */
export function oneKeyOf<T>(form: Form<T>, choices: readonly string[]): Form<T> {
  const pairs = choices.flatMap((one, index) => choices.slice(index + 1).map((other) => ({ required: [one, other] })));
  return {
    ...form,
    choices,
    schema: { ...form.schema, minProperties: 1, not: pairs.length === 1 ? pairs[0] : { anyOf: pairs } },
  };
}

/** The sound values of these keys. */
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

/** A map of names that users choose. */
export function named<T>(
  item: Form<T>,
  { pattern, names, ...docs }: Docs & { readonly pattern: string; readonly names: string },
): Form<readonly Entry<T>[]> {
  const schema = { type: "object", propertyNames: { pattern }, additionalProperties: item.schema };
  return {
    schema: described(schema, docs),
    takes: "a map",
    item,
    names,
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
    takes: `a list of ${item.several ?? "text"}`,
    item,
    isReadInParts: true,
    read: (value, part) => entries(item, Array.isArray(value) ? Object.entries(value as readonly unknown[]) : [], part),
  };
}

/** A list that is one value, with expressions in its texts. */
export function listOfText(item: Form, docs: Docs): Form<Argument> {
  return { ...whole(list(item, docs)), read: argumentOf };
}

/** A list, or one value in its place. */
export function orOne(form: Form<Argument>, { schema, takes }: Form): Form<Argument> {
  return {
    ...form,
    schema: { ...form.schema, type: [schema["type"], "array"].flat() },
    takes: `${takes}, or ${form.takes}`,
  };
}

/** A program and its arguments. */
export function program(docs: Docs): Form<readonly Argument[]> {
  return {
    ...whole(list(anyText({}), { minItems: 1, ...docs })),
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

/** The same, read as a whole or not at all. */
export function whole<T>({ isReadInParts: _, ...form }: Form<T>): Form<T> {
  return form;
}

/** A part of a configuration that several of its files may have. */
export function shared<T>(form: Form<T>): Form<T> {
  return { ...form, isShared: true };
}
