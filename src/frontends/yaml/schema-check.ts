export type JsonSchema = { readonly [keyword: string]: unknown };

type Check = (value: unknown) => boolean;
/** The check of a keyword, by its value, its own schema and the whole schema. */
type Keyword = (rule: never, schema: JsonSchema, root: JsonSchema) => Check;

/**
 * Whether a value conforms to a JSON Schema; false for a schema with an unknown keyword. The generated validator reports
 * the problems. It is so large that it is loaded only then.
 */
export function schemaCheck(schema: JsonSchema, root = schema): Check {
  const keywords = Object.keys(schema).filter((name) => !SAYS_NOTHING.has(name));
  const checks = keywords.map((name) => KEYWORDS.get(name)?.(schema[name] as never, schema, root) ?? (() => false));
  return (value) => checks.every((check) => check(value));
}

const SAYS_NOTHING = new Set(["$schema", "$id", "$defs", "title", "description", "examples", "default"]);

const isText = (value: unknown): value is string => typeof value === "string";
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isMap = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !isList(value);

const TYPES = new Map<string, Check>([
  ["null", (value) => value === null],
  ["boolean", (value) => typeof value === "boolean"],
  ["number", (value) => Number.isFinite(value)],
  ["integer", (value) => Number.isInteger(value)],
  ["string", isText],
  ["array", isList],
  ["object", isMap],
]);

const KEYWORDS = new Map<string, Keyword>([
  [
    "$ref",
    (rule: string, _, root) =>
      schemaCheck((root["$defs"] as { readonly [name: string]: JsonSchema })[rule.replace("#/$defs/", "")] ?? {}, root),
  ],
  ["type", (rule: string | readonly string[]) => anyOf([rule].flat().map((name) => TYPES.get(name) ?? (() => false)))],
  ["const", (rule: unknown) => (value) => value === rule],
  ["enum", (rule: readonly unknown[]) => (value) => rule.includes(value)],
  ["anyOf", (rule: readonly JsonSchema[], _, root) => anyOf(rule.map((one) => schemaCheck(one, root)))],
  ["not", (rule: JsonSchema, _, root) => not(schemaCheck(rule, root))],
  ["minimum", (rule: number) => (value) => typeof value !== "number" || value >= rule],
  ["minLength", (rule: number) => (value) => !isText(value) || Array.from(value).length >= rule],
  ["pattern", (rule: string) => pattern(new RegExp(rule, "u"))],
  ["minItems", (rule: number) => (value) => !isList(value) || value.length >= rule],
  ["items", (rule: JsonSchema, _, root) => items(schemaCheck(rule, root))],
  ["minProperties", (rule: number) => (value) => !isMap(value) || Object.keys(value).length >= rule],
  [
    "required",
    (rule: readonly string[]) => (value) => !isMap(value) || rule.every((name) => Object.hasOwn(value, name)),
  ],
  ["propertyNames", (rule: JsonSchema, _, root) => names(schemaCheck(rule, root))],
  ["properties", (rule: { readonly [name: string]: JsonSchema }, _, root) => properties(rule, root)],
  [
    "additionalProperties",
    (rule: JsonSchema | false, schema, root) =>
      additional(rule === false ? () => false : schemaCheck(rule, root), schema),
  ],
]);

function anyOf(checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value));
}

function not(check: Check): Check {
  return (value) => !check(value);
}

function pattern(written: RegExp): Check {
  return (value) => !isText(value) || written.test(value);
}

function items(check: Check): Check {
  return (value) => !isList(value) || value.every(check);
}

function names(check: Check): Check {
  return (value) => !isMap(value) || Object.keys(value).every(check);
}

function properties(schemas: { readonly [name: string]: JsonSchema }, root: JsonSchema): Check {
  const checks = Object.entries(schemas).map(([name, schema]) => ({ name, check: schemaCheck(schema, root) }));
  return (value) =>
    !isMap(value) || checks.every(({ name, check }) => !Object.hasOwn(value, name) || check(value[name]));
}

/** Keys that `properties` of the same schema does not name. */
function additional(check: Check, { properties: named = {} }: JsonSchema): Check {
  const known = new Set(Object.keys(named as object));
  return (value) => !isMap(value) || Object.keys(value).every((name) => known.has(name) || check(value[name]));
}
