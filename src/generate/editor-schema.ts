import type { Catalog } from "../core/model/definition.ts";
import { configSchema } from "../frontends/yaml/configuration-form.ts";
import type { JsonSchema } from "../frontends/yaml/form.ts";
import { EVENT_TYPES } from "../service/events/event-catalog.ts";

/** Keywords of editors that JSON Schema does not define. They describe, and refuse nothing. */
export const EDITOR_KEYWORDS = ["defaultSnippets", "enumDescriptions", "errorMessage", "markdownDescription"];

/** The schema of the configuration for editors: the command's own, as editors show it best. It refuses nothing that the command accepts. */
export function editorSchema(catalog: Catalog): JsonSchema {
  const { $defs = {}, ...schema } = configSchema(catalog) as Keywords;
  return forEditors({
    ...schema,
    $defs: { ...$defs, secret: { ...$defs["secret"], errorMessage: SECRET_FORMS, defaultSnippets: SECRET_SNIPPETS } },
  });
}

const SECRET_FORMS =
  "A secret is never written in plain text. Write { env: NAME }, { file: path }, or { command: [program, argument] }.";

const SECRET_SNIPPETS = [
  { label: "env: NAME", body: { env: "${1:NAME}" } },
  { label: "file: path", body: { file: "${1:path}" } },
  { label: "command: [program, argument]", body: { command: ["${1:program}", "${2:argument}"] } },
];

/** A JSON Schema, by the keywords that are changed for editors. */
interface Keywords extends JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Keywords[];
  readonly $defs?: { readonly [name: string]: Keywords };
}

/** The schema and all schemas in it. It accepts the same, but for text in place of a choice, which needs an expression. */
function forEditors(schema: Keywords): Keywords {
  return markdown(oneType(choiceOrExpression(inside(schema))));
}

const MAPS = new Set(["properties", "$defs"]);
const LISTS = new Set(["anyOf", "oneOf"]);
const SINGLE = new Set(["items", "additionalProperties"]);

function inside(schema: Keywords): Keywords {
  const change = (value: unknown): unknown => (typeof value === "object" ? forEditors(value as Keywords) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (MAPS.has(keyword))
        return [keyword, Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, change(one)]))];
      if (LISTS.has(keyword)) return [keyword, (value as readonly unknown[]).map(change)];
      return [keyword, SINGLE.has(keyword) ? change(value) : value];
    }),
  );
}

/** One of several words, or an expression. */
function choiceOrExpression(schema: Keywords): Keywords {
  const [choice, text] = schema.anyOf ?? [];
  if (!choice?.enum || text?.type !== "string") return schema;
  const types = new Map(EVENT_TYPES.map(({ name, description }) => [name as unknown, description]));
  const meanings = choice.enum.every((value) => types.has(value))
    ? { enumDescriptions: choice.enum.map((value) => types.get(value)), errorMessage: NO_TYPE }
    : {};
  return { ...schema, anyOf: described([{ ...choice, ...meanings }, EXPRESSION], schema) };
}

const NO_TYPE = "The service has no such event type. outreach events lists them all.";

const EXPRESSION = { type: "string", pattern: "[$%]\\{" };

/** Keywords that say something about values of one type only. */
const KEYWORDS_OF: { readonly [type: string]: readonly string[] } = {
  string: ["minLength", "pattern"],
  integer: ["minimum"],
  array: ["items", "minItems"],
  object: ["properties", "additionalProperties", "propertyNames", "required"],
};
const OF_ONE_TYPE = new Set(["type", ...Object.values(KEYWORDS_OF).flat()]);

/** Several types as alternatives of one type each. Validators in their strict mode warn of a union of types. */
function oneType(schema: Keywords): Keywords {
  const { type } = schema;
  if (!Array.isArray(type) || (type.length === 2 && type.includes("null"))) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !OF_ONE_TYPE.has(keyword));
  // Of several mistakes, editors show that of the first alternative: text that is not written as it must be, rather than another type.
  const alternatives = (type as readonly string[]).toSorted(textFirst).map((one) => ({
    type: one,
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEYWORDS_OF[one]?.includes(keyword))),
  }));
  return { ...Object.fromEntries(kept), anyOf: described(alternatives, schema) };
}

function textFirst(one: string, other: string): number {
  return Number(other === "string") - Number(one === "string");
}

/** The language server takes alternatives for one and the same if none has a description, and then loses that of the whole. */
function described(alternatives: readonly Keywords[], { description = "" }: Keywords): readonly Keywords[] {
  return alternatives.map((one, index) => (index === 0 ? one : markdown({ ...one, description })));
}

/** Descriptions are Markdown. Where editors show plain text, they show it without its marks; a Markdown text needs no escapes. */
function markdown(schema: Keywords): Keywords {
  const { description } = schema;
  if (description === undefined || !/[\\`*_{}[\]#+!]/.test(description)) return schema;
  return { ...schema, description: description.replaceAll("`", ""), markdownDescription: description };
}
