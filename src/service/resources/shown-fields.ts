import type { Attribute, Infer, Model, Type } from "../../core/model/attribute.ts";
import { isRecord } from "../../core/model/shape.ts";
import { camelCase } from "../../core/model/words.ts";
import { type WireReader, absent, readFlag, readId, readNumber, readText } from "../api/answer-values.ts";

/** Null without a value. A field with one that cannot be read is added to `unreadable`. */
type Read<T> = (value: unknown, field: string, unreadable: Set<string>) => T | null;

/** A computed attribute, and how it is read of an answer. */
export interface Shown<T extends Type = Type, V = unknown> extends Attribute {
  readonly type: T;
  readonly mode: "computed";
  readonly read: Read<V>;
}

function shown<const T extends Type>(type: T, read: Read<Infer<T>>) {
  return (docs: string): Shown<T, Infer<T>> => ({ type, mode: "computed", docs, read });
}

function noting<T>(reader: WireReader<T>): Read<T> {
  return (given, field, unreadable) => {
    const value = reader(given);
    if (value === undefined) unreadable.add(field);
    return value ?? null;
  };
}

/** The members that can be read. */
function listOf<T>(reader: WireReader<T>): Read<readonly T[]> {
  const readList = noting<readonly unknown[]>((value) => (Array.isArray(value) ? value : absent(value)));
  return (given, field, unreadable) =>
    (readList(given, field, unreadable) ?? []).flatMap((member) => {
      const value = reader(member) ?? null;
      if (value === null) unreadable.add(field);
      return value === null ? [] : [value];
    });
}

export const text = shown("string", noting(readText));
export const id = shown("string", noting(readId));
export const number = shown("number", noting(readNumber));
export const flag = shown("bool", noting(readFlag));
export const texts = shown({ list: "string" }, listOf(readText));
export const ids = shown({ list: "string" }, listOf(readId));
export const numbers = shown({ list: "number" }, listOf(readNumber));
/** A value without a documented shape. */
export const json = shown("string", (value) => ((value ?? null) === null ? null : JSON.stringify(value)));

interface ShownSchema {
  readonly [name: string]: Shown;
}

export function nested<const S extends ShownSchema>(docs: string, schema: S) {
  const readObject = noting<object>((value) => (isRecord(value) ? value : absent(value)));
  return shown({ object: schema }, (given, field, unreadable) => {
    const inner = readObject(given, field, unreadable);
    return inner && readShown(schema, inner, unreadable);
  })(docs);
}

/** The values of the attributes: `created_at` of the field `createdAt`, and `creator_json` of `creator`. */
export function readShown<const S extends ShownSchema>(schema: S, wire: object, unreadable: Set<string>): Model<S> {
  const fields = wire as { readonly [field: string]: unknown };
  const values = Object.entries(schema).map(([name, { read }]) => {
    const field = camelCase(name.replace(/_json$/, ""));
    return [name, read(fields[field], field, unreadable)] as const;
  });
  return Object.fromEntries(values) as Model<S>;
}
