/** The subset of JSON Schema (2020-12) that the sandbox's own schemas use, for values of the type `T`. */
export type Schema<T = unknown> = {
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly default?: T;
};

export type SchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";

/** The type of the values of a schema. */
export type ValueOf<S> = S extends Schema<infer T> ? T : never;

type Properties = Readonly<Record<string, Schema>>;

export const text = (description: string): Schema<string> => ({ type: "string", description });
export const flag = (description: string): Schema<boolean> => ({ type: "boolean", description });
export const count = (description: string, minimum = 0): Schema<number> => ({ type: "integer", minimum, description });
/** Milliseconds, up to a day. */
export const time = (description: string, minimum = 0): Schema<number> => ({
  type: "integer",
  minimum,
  maximum: 86_400_000,
  description,
});
export const oneOf = <const V extends string | number | null>(
  description: string,
  ...values: readonly V[]
): Schema<V> => ({ enum: values, description });
export const list = <T>(description: string, items: Schema<T>): Schema<readonly T[]> => ({
  type: "array",
  description,
  items,
});
export const orNull = <T>(schema: Schema<T>): Schema<T | null> => ({
  ...schema,
  type: [schema.type as SchemaType, "null"],
});

/** An object with these properties and no others; all are optional, unless `required` names them. */
export function object<P extends Properties>(
  description: string,
  properties: P,
  required?: readonly string[],
): Schema<{ readonly [N in keyof P]: ValueOf<P[N]> }> {
  return { type: "object", description, ...(required ? { required } : {}), additionalProperties: false, properties };
}

/** A setting with its default. */
export function setting<T>(initial: NoInfer<T>, schema: Schema<T>): Schema<T> {
  return { ...schema, default: initial };
}

/** A setting for each of the names in `initial`, with the defaults that it has. */
export function settingOfEach<Name extends string, V>(
  description: string,
  initial: Readonly<Record<Name, NoInfer<V>>>,
  schema: Schema<V>,
): Schema<Readonly<Record<Name, V>>> {
  const properties = Object.fromEntries(Object.keys(initial).map((name) => [name, schema]));
  return { ...object(description, properties), default: initial };
}

/** The defaults of a schema whose settings all have one. */
export function defaultsOf<T>(schema: Schema<T>): T {
  if (schema.default !== undefined) return schema.default;
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, defaultsOf(one)])) as T;
}

/** A change to some members of settings; the others keep their values. Lists are changed as a whole. */
export type Change<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [N in keyof T]?: Change<T[N]> }
    : T;

/** `value` with `change` applied; a member that is null is changed from its default. */
export function changed<T>(value: T, change: Change<NoInfer<T>>, schema: Schema<NoInfer<T>>): T {
  if (!schema.properties || !isObject(change)) return change as T;
  const before = isObject(value) ? value : (defaultsOf(schema) as object);
  const entries = Object.entries(change).map(([name, one]: [string, unknown]) => {
    const member = schema.properties?.[name] ?? {};
    return [name, changed((before as Readonly<Record<string, unknown>>)[name], one, member)];
  });
  return { ...before, ...Object.fromEntries(entries) } as T;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
