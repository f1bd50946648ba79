/**
 * Readers of a field of an answer. A service may write numbers and booleans as text, and ids as numbers or as the object that
 * they name. Null: there is no value. Undefined: there is one, and it cannot be read.
 */
export type WireReader<T> = (value: unknown) => T | null | undefined;

export const readText: WireReader<string> = (value) => {
  if (typeof value === "string") return value;
  return typeof value === "number" ? numberText(value) : absent(value);
};

/** A text of which an empty one stands for none. */
export const readWord: WireReader<string> = (value) => (value === "" ? null : readText(value));

/** An id, or the object with this `_id`. */
export const readId: WireReader<string> = (value) =>
  readWord(typeof value === "object" && value !== null && "_id" in value ? value._id : value);

export const readNumber: WireReader<number> = (value) => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value === "") return absent(value);
  const number = Number(value);
  return DECIMAL.test(value) && Number.isFinite(number) ? number : undefined;
};

export const readFlag: WireReader<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && typeof value !== "number") return absent(value);
  return FLAGS.get(String(value).toLowerCase());
};

const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const FLAGS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
  ["", null],
]);

/** A number that JSON cannot carry exactly stands for several ids: it cannot be read. */
function numberText(value: number): string | undefined {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : String(value);
}

/** Null without a value, and undefined with one. */
export function absent(value: unknown): null | undefined {
  return value === undefined || value === null || value === "" ? null : undefined;
}

/** An object of a list that has an id and a name. */
export interface NamedRecord {
  readonly _id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The objects of a list. Null if anything else is in it. */
export function readNamedList(json: unknown): readonly NamedRecord[] | null {
  if (!Array.isArray(json)) return null;
  const named = json.flatMap((one: unknown) => {
    const name = hasId(one) ? readText(one["name"]) : null;
    return hasId(one) && typeof name === "string" ? [{ ...one, name }] : [];
  });
  return named.length === json.length ? named : null;
}

/** Whether it is an object of the service: anything with an id. */
export function hasId(value: unknown): value is { readonly _id: string; readonly [field: string]: unknown } {
  return (
    typeof value === "object" && value !== null && "_id" in value && typeof value._id === "string" && value._id !== ""
  );
}
