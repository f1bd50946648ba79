/** Whether data from outside has the form that its type says. */
export type Shape = (value: unknown) => boolean;

export const anyText: Shape = (value) => typeof value === "string";
/** What names a state or salts its digests: short, and without a character that a path or a line could take for its own. */
export const anyWord: Shape = (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value);
export const anyNumber: Shape = (value) => typeof value === "number" && Number.isFinite(value);
export const anyFlag: Shape = (value) => typeof value === "boolean";

/** A time in milliseconds since the epoch that can be written as a date. */
export const anyTime: Shape = (value) => typeof value === "number" && Math.abs(value) <= MAX_TIME_MS;
const MAX_TIME_MS = 8.64e15;

export function oneOf(...values: readonly unknown[]): Shape {
  return (value) => values.includes(value);
}

export function orNull(shape: Shape): Shape {
  return (value) => value === null || shape(value);
}

/** A shape that also accepts an absent value. */
export function maybe(shape: Shape): Shape {
  return (value) => value === undefined || shape(value);
}

export function anyOf(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value));
}

export function listOf(item: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(item);
}

/** An object with any names. */
export function recordOf(item: Shape): Shape {
  return (value) => isRecord(value) && Object.values(value).every(item);
}

/** An object that has at least these fields. */
export function fields(shapes: { readonly [name: string]: Shape }): Shape {
  const entries = Object.entries(shapes);
  return (value) =>
    isRecord(value) && entries.every(([name, shape]) => shape(Object.hasOwn(value, name) ? value[name] : undefined));
}

/** The value of a JSON text, or of its bytes in UTF-8; undefined for anything else. */
export function parseJson(json: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof json === "string" ? json : new TextDecoder("utf-8", { fatal: true }).decode(json),
    ) as unknown;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A `Value`. What marks it as unknown or as a secret stands alone. */
export const anyValue: Shape = (value) => {
  if (value === null || anyText(value) || anyNumber(value) || anyFlag(value)) return true;
  if (Array.isArray(value)) return value.every(anyValue);
  if (!isRecord(value)) return false;
  if ("$secret" in value) return anyText(value["$secret"]);
  if ("$unknown" in value) return value["$unknown"] === true;
  return Object.values(value).every(anyValue);
};

export const anyAttributes: Shape = recordOf(anyValue);

/** Whether lists and objects stand in each other on more levels than this. Recursion over such a value could end the program. */
export function isDeeperThan(root: unknown, levels: number): boolean {
  let level: readonly unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
