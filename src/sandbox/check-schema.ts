import type { Schema, SchemaType } from "./schema.ts";

/** Collects at most this many errors. */
const MAX_ERRORS = 50;

/**
 * Every difference between `value` (parsed JSON) and `schema`, each a sentence that starts with the
 * path; empty if the value conforms. `definitions` are the targets of `#/$defs/NAME`.
 */
export function checkSchema(
  value: unknown,
  schema: Schema,
  definitions: Readonly<Record<string, Schema>> = {},
): readonly string[] {
  const errors: string[] = [];
  check(value, schema, "", { definitions, errors });
  return errors.slice(0, MAX_ERRORS);
}

type Context = { readonly definitions: Readonly<Record<string, Schema>>; readonly errors: string[] };

function check(value: unknown, schemaOrRef: Schema, path: string, context: Context): void {
  if (context.errors.length >= MAX_ERRORS) return;
  const schema = schemaOrRef.$ref ? (context.definitions[schemaOrRef.$ref.replace("#/$defs/", "")] ?? {}) : schemaOrRef;
  const report = (text: string): void => void context.errors.push(path === "" ? text : `${path}: ${text}`);
  const types = schema.type === undefined ? [] : typeof schema.type === "string" ? [schema.type] : schema.type;
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return report(`must be ${types.join(" or ")}, not ${typeName(value)}`);
  if ("const" in schema && value !== schema.const) return report(`must be ${JSON.stringify(schema.const)}`);
  if (schema.enum && !schema.enum.includes(value))
    return report(`must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}`);
  if (typeof value === "string") checkText(value, schema, report);
  else if (typeof value === "number") checkNumber(value, schema, report);
  else if (Array.isArray(value)) {
    const { items } = schema;
    if (items) value.forEach((item, index) => check(item, items, `${path}[${String(index)}]`, context));
  } else if (typeof value === "object" && value !== null)
    checkObject(value as Record<string, unknown>, schema, path, context);
}

function checkText(value: string, schema: Schema, report: (text: string) => void): void {
  if (value.length < (schema.minLength ?? 0)) report("must not be empty");
  if (schema.pattern && !new RegExp(schema.pattern, "u").test(value))
    report(`must match ${schema.pattern}${schema.description ? ` (${schema.description})` : ""}`);
}

function checkNumber(value: number, schema: Schema, report: (text: string) => void): void {
  if (schema.minimum !== undefined && value < schema.minimum) report(`must be at least ${String(schema.minimum)}`);
  if (schema.maximum !== undefined && value > schema.maximum) report(`must be at most ${String(schema.maximum)}`);
}

function checkObject(value: Record<string, unknown>, schema: Schema, path: string, context: Context): void {
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(value, name)) context.errors.push(`${at(name)}: is missing`);
  for (const [name, member] of Object.entries(value)) {
    const known = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (known) check(member, known, at(name), context);
    else if (schema.additionalProperties === false)
      context.errors.push(`${at(name)}: is unknown; known names: ${Object.keys(schema.properties ?? {}).join(", ")}`);
    else if (typeof schema.additionalProperties === "object")
      check(member, schema.additionalProperties, at(name), context);
  }
}

function isOfType(value: unknown, type: SchemaType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
    case "string":
    case "boolean":
      return typeof value === type;
  }
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
