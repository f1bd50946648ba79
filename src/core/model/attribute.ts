import type { Diagnostic } from "./diagnostic.ts";
import { hasUnknown, identical, type Value } from "./value.ts";

export type Type = "string" | "number" | "bool" | { readonly list: Type } | { readonly object: Schema };

export type Frontend = "yaml" | "terraform";

/** A problem of a value, without its place. */
export type Problem = Pick<Diagnostic, "code" | "summary" | "detail" | "hint">;

/** One attribute of a resource or data source: the source of schemas, checks, plans, masks and docs. */
export interface Attribute {
  readonly type: Type;
  readonly docs: string;
  readonly mode: "required" | "optional" | "computed" | "optional-computed";
  /** What an absent value is planned and recorded as; only with `optional-computed`. */
  readonly default?: Value;
  readonly sensitive?: true;
  /** Personal data: masked in output, unless the user asks to see it. */
  readonly personal?: true;
  /** Given by the user, never stored: `of` is the stored attribute that it stands for. */
  readonly writeOnly?: { readonly of: string };
  /** The value that stands for a secret in jobs that only plan: it is never sent. */
  readonly placeholder?: string;
  /** The frontends that offer it; both when absent. */
  readonly frontends?: readonly Frontend[];
  /** Whether the service returns it: `always` (default), only in some records, or `never`. What it does not return is unobserved, and unobserved is never drift. */
  readonly observed?: "always" | "when-present" | "never";
  /** What a changed value means: a new object (default), or a change of the record without a request. */
  readonly onChange?: "replace" | "record";
  /** Why a change of this attribute replaces, where users would not expect it: one clause, printed behind the attribute. */
  readonly replaceNote?: string;
  /** The one form of values that mean the same although they are written differently: for comparing only, never stored or sent. */
  readonly canonical?: (value: Value) => Value;
  readonly oneOf?: readonly string[];
  readonly examples?: readonly Value[];
  /** The YAML short form: `yaml` names a block under `data:` of this type, and stands for its `id`. */
  readonly refersTo?: { readonly type: string; readonly yaml: string };
  /** Whether the value is a regular expression in RE2's syntax. `loadPatterns` must be called before it is checked. */
  readonly isPattern?: true;
  /** Called with known, non-null values only. */
  readonly check?: (value: Value) => Problem | undefined;
}

export type Schema = { readonly [name: string]: Attribute };

/** The TypeScript type of the values of a type. */
export type Infer<T> = T extends "string"
  ? string
  : T extends "number"
    ? number
    : T extends "bool"
      ? boolean
      : T extends { readonly list: infer E }
        ? readonly Infer<E>[]
        : T extends { readonly object: infer S }
          ? Model<S>
          : never;

/** The TypeScript shape of a schema's values: an optional one may be null. */
export type Model<S> = {
  readonly [K in keyof S]: S[K] extends { readonly type: infer T; readonly mode: infer M }
    ? M extends "required"
      ? Infer<T>
      : Infer<T> | null
    : never;
};

/** The attributes that a frontend offers, with their names. */
export function attributesOf(schema: Schema, frontend: Frontend): readonly (readonly [string, Attribute])[] {
  return Object.entries(schema).filter(([, attribute]) => attribute.frontends?.includes(frontend) ?? true);
}

/** Whether two values of an attribute mean the same, however they are written. An unknown value means nothing yet. */
export function sameMeaning({ canonical }: Attribute, a: Value, b: Value): boolean {
  if (identical(a, b)) return true;
  return canonical !== undefined && !hasUnknown(a) && !hasUnknown(b) && identical(canonical(a), canonical(b));
}
