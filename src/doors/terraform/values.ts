import { ExtData, ExtensionCodec, decode, encode } from "@msgpack/msgpack";
import { type Attribute, type Schema, type Type, attributesOf } from "../../core/model/attribute.ts";
import { type Attributes, UNKNOWN, type Value, isUnknown } from "../../core/model/value.ts";
import type { DynamicValue } from "./generated/tfplugin6.ts";

/** The two extension types of Terraform's msgpack: an unknown value, and one of which something is known all the same. */
const UNKNOWN_TYPE = 0;
const REFINED_UNKNOWN_TYPE = 12;
const UNKNOWN_MARK = new ExtData(UNKNOWN_TYPE, new Uint8Array([0]));

const extensionCodec = new ExtensionCodec();
for (const type of [UNKNOWN_TYPE, REFINED_UNKNOWN_TYPE]) extensionCodec.register({ type, encode: () => null, decode: () => UNKNOWN });

/**
 * The attributes in a value of Terraform's, by their schema: every attribute is there, null when it has no value. Null
 * for a null object. Throws when the value does not fit the schema.
 *
 * A number that JavaScript cannot hold exactly stays as its decimal text, and goes back as that.
 */
export function decodeValue(value: DynamicValue | undefined, schema: Schema): Attributes | null {
  if (value === undefined) return null;
  if (value.msgpack.length === 0) return value.json.length === 0 ? null : decodeState(value.json, schema);
  return decodeObject(decode(value.msgpack, { extensionCodec, useBigInt64: true }), schema, "the value");
}

/** The attributes in a stored state, which is JSON. What the schema does not know is left out. */
export function decodeState(json: Uint8Array, schema: Schema): Attributes | null {
  return decodeObject(JSON.parse(quoteNumbers(new TextDecoder().decode(json))), schema, "the state");
}

/** The value for Terraform, msgpack: every attribute of the schema, absent ones as null. */
export function encodeValue(attributes: Attributes | null, schema: Schema): DynamicValue {
  const plain = attributes === null ? null : encodeObject(attributes, schema);
  return { msgpack: encode(plain, { extensionCodec }), json: new Uint8Array() };
}

/** A value of one type, such as an argument of a function. */
export function decodeTyped(value: DynamicValue | undefined, type: Type, where: string): Value {
  return value === undefined ? null : decodeAs(type, decode(value.msgpack, { extensionCodec, useBigInt64: true }), where);
}

export function encodeTyped(value: Value, type: Type): DynamicValue {
  return { msgpack: encode(encodeAs({ type }, value), { extensionCodec }), json: new Uint8Array() };
}

function decodeObject(raw: unknown, schema: Schema, where: string): Attributes | null {
  if (raw === null || raw === undefined) return null;
  if (typeof raw !== "object" || Array.isArray(raw) || raw === UNKNOWN) throw new Error(`${where} is not an object`);
  const values = raw as { readonly [name: string]: unknown };
  return Object.fromEntries(attributesOf(schema, "terraform").map(([name, { type }]) => [name, decodeAs(type, values[name], name)]));
}

function decodeAs(type: Type, raw: unknown, where: string): Value {
  if (raw === null || raw === undefined) return null;
  if (raw === UNKNOWN) return UNKNOWN;
  if (type === "number") return decodeNumber(raw, where);
  if (type === "string" && typeof raw === "string") return raw;
  if (type === "bool" && typeof raw === "boolean") return raw;
  if (typeof type === "object" && "list" in type && Array.isArray(raw)) {
    return raw.map((item, index) => decodeAs(type.list, item, `${where}[${String(index)}]`));
  }
  if (typeof type === "object" && "object" in type) return decodeObject(raw, type.object, where);
  throw new Error(`${where} has another type than its schema says`);
}

function decodeNumber(raw: unknown, where: string): Value {
  if (typeof raw === "number") return raw;
  const text = String(raw);
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new Error(`${where} is not a number`);
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  const exact = /^-?\d+$/.test(text) ? BigInt(number) === BigInt(text) : String(number) === text;
  return exact ? number : text;
}

/** Puts quotation marks around every number, so that parsing does not round it. */
function quoteNumbers(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`));
}

function encodeObject(attributes: Attributes, schema: Schema): { readonly [name: string]: unknown } {
  return Object.fromEntries(attributesOf(schema, "terraform").map(([name, attribute]) => [name, encodeAs(attribute, attributes[name] ?? null)]));
}

function encodeAs({ type }: Pick<Attribute, "type">, value: Value): unknown {
  if (value === null) return null;
  if (isUnknown(value)) return UNKNOWN_MARK;
  // A fraction as a float would be another number for Terraform, which counts in decimals.
  if (type === "number") return typeof value === "number" && !Number.isInteger(value) ? String(value) : value;
  if (typeof type === "string") return value;
  if ("list" in type) return (value as readonly Value[]).map((item) => encodeAs({ type: type.list }, item));
  return encodeObject(value as Attributes, type.object);
}
