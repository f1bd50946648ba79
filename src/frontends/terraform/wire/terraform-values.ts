import { Decoder, Encoder, ExtData, ExtensionCodec } from "@msgpack/msgpack";
import { type Attribute, type Schema, type Type, attributesOf } from "../../../core/model/attribute.ts";
import { type Attributes, UNKNOWN, type Value, isUnknown } from "../../../core/model/value.ts";
import type { DynamicValue } from "../generated/tfplugin6.ts";

/** The two extension types of Terraform's msgpack: an unknown value, and an unknown value with known properties. */
const UNKNOWN_TYPE = 0;
const REFINED_UNKNOWN_TYPE = 12;
const UNKNOWN_MARK = new ExtData(UNKNOWN_TYPE, new Uint8Array([0]));

const extensionCodec = new ExtensionCodec();
for (const type of [UNKNOWN_TYPE, REFINED_UNKNOWN_TYPE])
  extensionCodec.register({ type, encode: () => null, decode: () => UNKNOWN });
// Shared by all calls: creating them takes longer than coding a small value.
const decoder = new Decoder({ extensionCodec, useBigInt64: true });
const encoder = new Encoder({ extensionCodec });
const utf8 = new TextDecoder();

/**
 * The attributes of a Terraform value by their schema: every attribute is present, null when it has no value. Null for a
 * null object. Throws when the value does not fit the schema.
 *
 * A number that JavaScript cannot hold exactly stays a decimal text, and is encoded as that text.
 */
export function decodeValue(value: DynamicValue | undefined, schema: Schema): Attributes | null {
  return decodeObject(rawValue(value), schema, "the value");
}

const MSGPACK_NULL = 0xc0;

/** Whether the value is a null object, without the cost of decoding one that is not. */
export function isNullValue(value: DynamicValue | undefined): boolean {
  return (
    value === undefined || (value.msgpack.length > 0 ? value.msgpack[0] === MSGPACK_NULL : rawValue(value) === null)
  );
}

/** The attributes of a stored state (JSON). Attributes that are not in the schema are dropped. */
export function decodeState(json: Uint8Array, schema: Schema): Attributes | null {
  return decodeObject(parseExactly(json), schema, "the state");
}

/** The value for Terraform, msgpack: every attribute of the schema, absent ones as null. */
export function encodeValue(attributes: Attributes | null, schema: Schema): DynamicValue {
  const plain = attributes === null ? null : encodeObject(attributes, schema);
  const value = { msgpack: encoder.encode(plain), json: NO_BYTES };
  encoded.set(value, attributes);
  return value;
}

const NO_BYTES = new Uint8Array();
const encoded = new WeakMap<DynamicValue, Attributes | null>();

/** The attributes that `encodeValue` made this value of, without decoding it again; undefined for any other value. */
export function encodedAttributes(value: DynamicValue | undefined): Attributes | null | undefined {
  return value && encoded.get(value);
}

/** A value of one type, such as an argument of a function. */
export function decodeTyped(value: DynamicValue | undefined, type: Type, where: string): Value {
  return decodeAs(type, rawValue(value), where);
}

export function encodeTyped(value: Value, type: Type): DynamicValue {
  return { msgpack: encoder.encode(encodeAs({ type }, value)), json: NO_BYTES };
}

/** The value before any schema: msgpack as a rule, JSON if the caller chose it. */
function rawValue(value: DynamicValue | undefined): unknown {
  if (value === undefined) return null;
  if (value.msgpack.length > 0) return decoder.decode(value.msgpack);
  return value.json.length === 0 ? null : parseExactly(value.json);
}

function parseExactly(json: Uint8Array): unknown {
  return JSON.parse(quoteNumbers(utf8.decode(json)));
}

function decodeObject(raw: unknown, schema: Schema, where: string): Attributes | null {
  if (raw === null || raw === undefined) return null;
  if (!isPlainObject(raw)) throw new Error(`${where} is not an object`);
  const decoded: Record<string, Value> = {};
  for (const [name, { type }] of offered(schema)) decoded[name] = decodeAs(type, raw[name], name);
  return decoded;
}

/** Bytes, times and unknown extensions are objects too in JavaScript. */
function isPlainObject(raw: unknown): raw is { readonly [name: string]: unknown } {
  return typeof raw === "object" && raw !== null && raw !== UNKNOWN && Object.getPrototypeOf(raw) === Object.prototype;
}

/** The attributes that this frontend offers, computed once per schema: thousands of values need them. */
function offered(schema: Schema): ReturnType<typeof attributesOf> {
  const known = offeredBySchema.get(schema) ?? attributesOf(schema, "terraform");
  offeredBySchema.set(schema, known);
  return known;
}

const offeredBySchema = new WeakMap<Schema, ReturnType<typeof attributesOf>>();

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
  if (typeof raw === "number" && Number.isFinite(raw)) return raw;
  const text = String(raw);
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new Error(`${where} is not a number`);
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  const exact = /^-?\d+$/.test(text) ? BigInt(number) === BigInt(text) : String(number) === text;
  return exact ? number : text;
}

/** Puts quotation marks around every number, so that parsing does not round it. */
function quoteNumbers(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

function encodeObject(attributes: Attributes, schema: Schema): { readonly [name: string]: unknown } {
  const plain: Record<string, unknown> = {};
  for (const [name, attribute] of offered(schema)) plain[name] = encodeAs(attribute, attributes[name] ?? null);
  return plain;
}

function decimal(number: number): string {
  return Number.isInteger(number) ? String(BigInt(number)) : String(number);
}

function encodeAs({ type }: Pick<Attribute, "type">, value: Value): unknown {
  if (value === null) return null;
  if (isUnknown(value)) return UNKNOWN_MARK;
  // As a float it would be another number for Terraform, which counts in decimals and writes a float with as few digits as it needs.
  if (type === "number") return typeof value === "number" && !Number.isSafeInteger(value) ? decimal(value) : value;
  if (typeof type === "string") return value;
  if ("list" in type) return (value as readonly Value[]).map((item) => encodeAs({ type: type.list }, item));
  return encodeObject(value as Attributes, type.object);
}
