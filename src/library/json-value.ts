/** A value that a program has passed and that cannot be used: where it is, as in `options.targets[0]`, and what is wrong with it. */
export interface Problem {
  readonly path: string;
  /** A clause without a subject, as in `is undefined`. */
  readonly text: string;
}

/** No configuration is nested this deeply, or has so many values. */
const MAX_DEPTH = 100;
const MAX_VALUES = 1_000_000;

/** A copy of what JSON can hold. Each property is read once. Adds a problem for everything else. */
export function jsonCopy(value: unknown, path: string, problems: Problem[]): unknown {
  return copied(value, { path, around: [], problems, budget: { left: MAX_VALUES } });
}

interface Place {
  readonly path: string;
  /** The objects that hold the value. */
  readonly around: readonly object[];
  readonly problems: Problem[];
  readonly budget: { left: number };
}

function copied(value: unknown, place: Place): unknown {
  const { path, around, problems } = place;
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return value;
  const text = typeof value === "object" ? nestingProblem(value, place) : `is ${kindOf(value)}, which JSON cannot hold`;
  if (text !== null) problems.push({ path, text });
  if (text !== null || typeof value !== "object") return undefined;
  const inner = { ...place, around: [...around, value] };
  if (Array.isArray(value)) return copiedList(value, { ...inner, path });
  const properties = propertiesOf(value, path, problems) ?? [];
  return Object.fromEntries(
    properties.map(([name, one]) => [name, copied(one, { ...inner, path: pathTo(path, name) })]),
  );
}

function copiedList(list: readonly unknown[], place: Place): readonly unknown[] {
  const { path, problems } = place;
  // Holes count as undefined. `length` is the only other property that a list has.
  if (Reflect.ownKeys(list).some((key) => key !== "length" && !isIndex(key)))
    problems.push({ path, text: "is a list with properties of its own" });
  return Array.from({ length: list.length }, (_, index) => {
    const at = `${path}[${String(index)}]`;
    const property = read(list, String(index), at, problems);
    return property ? copied(property.value, { ...place, path: at }) : undefined;
  });
}

const isIndex = (key: string | symbol): boolean => typeof key === "string" && /^\d+$/.test(key);

/**
 * The own properties of a plain object, each read once; null, and a problem, for another value. Other code might look at what a
 * prototype, a symbol or a hidden property holds, or not: none of them may be there.
 */
export function propertiesOf(
  value: unknown,
  path: string,
  problems: Problem[],
): readonly (readonly [name: string, value: unknown])[] | null {
  if (!isPlain(value)) {
    problems.push({ path, text: `is ${kindOf(value)}, not a plain object` });
    return null;
  }
  const properties: (readonly [string, unknown])[] = [];
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === "symbol") problems.push({ path, text: "has a symbol as a key" });
    else if (Object.getOwnPropertyDescriptor(value, key)?.enumerable !== true)
      problems.push({ path: pathTo(path, key), text: "is not enumerable" });
    else {
      const property = read(value, key, pathTo(path, key), problems);
      if (property) properties.push([key, property.value]);
    }
  }
  return properties;
}

function read(value: object, key: string, path: string, problems: Problem[]): { readonly value: unknown } | null {
  try {
    return { value: (value as { readonly [name: string]: unknown })[key] };
  } catch {
    problems.push({ path, text: "cannot be read: its getter throws" });
    return null;
  }
}

/** An object of `{…}`, of JSON.parse or without a prototype, also of another realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return (
    prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty"))
  );
}

function nestingProblem(value: object, { around, budget }: Place): string | null {
  if (around.includes(value)) return "contains itself";
  if (budget.left-- === 0) return `is one of more than ${String(MAX_VALUES)} objects and lists`;
  return around.length >= MAX_DEPTH ? `is nested more than ${String(MAX_DEPTH)} levels deep` : null;
}

/** What a value is called in a sentence. Its content may be secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object") return `a ${typeof value === "string" ? "text" : typeof value}`;
  const { constructor } = value as { readonly constructor?: unknown };
  const name = typeof constructor === "function" ? constructor.name : "";
  return isPlain(value) || name === "" ? "an object" : `an object of the class ${name}`;
}

/** `configuration.webhooks["a b"].type`. */
export function pathTo(path: string, name: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}
