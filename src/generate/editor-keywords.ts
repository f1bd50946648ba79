import { NAME_PATTERN } from "../core/model/address.ts";
import type { JsonSchema } from "../frontends/yaml/schema-check.ts";
import { TEAM_NAME, TEAM_NAMES_HINT } from "../frontends/yaml/sections.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/event-catalog.ts";

/** Keywords of editors that JSON Schema does not define. They describe, and refuse nothing. */
export const EDITOR_KEYWORDS = [
  "defaultSnippets",
  "enumDescriptions",
  "errorMessage",
  "markdownDescription",
  "patternErrorMessage",
];

/** A JSON Schema, by the keywords that are changed for editors. */
export interface Keywords extends JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly errorMessage?: string;
  readonly not?: Keywords;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly properties?: { readonly [name: string]: JsonSchema | boolean };
  readonly anyOf?: readonly Keywords[];
  readonly allOf?: readonly Keywords[];
}

export function when(condition: Keywords, consequence: Keywords): Keywords {
  // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
  return { if: condition, then: consequence };
}

/** Underlines a key where another one is given too. */
export function excludes(key: string, other: string, errorMessage: string): Keywords {
  return when({ required: [key, other] }, { properties: { [key]: false }, errorMessage });
}

/** `required` of one of several keys, with a message. */
export function atLeastOne(keys: readonly string[], errorMessage: string): Keywords {
  return when(
    { properties: Object.fromEntries(keys.map((key) => [key, false])) },
    { required: keys.slice(0, 1), errorMessage },
  );
}

export function exactlyOne(keys: readonly string[], what: string): readonly Keywords[] {
  return [
    ...pairs(keys).map(([one, other]) => excludes(one, other, `${what} Take one of them out.`)),
    atLeastOne(keys, `${what} Add one of them.`),
  ];
}

/** Every two of the keys, in their order. */
export function pairs(keys: readonly string[]): readonly (readonly [string, string])[] {
  return keys.flatMap((one, index) => keys.slice(index + 1).map((other) => [one, other] as const));
}

export function listed(keys: readonly string[], word: "and" | "or"): string {
  return [keys.slice(0, -1).join(", "), ...keys.slice(-1)].join(` ${word} `);
}

/** The schema and all schemas in it, as editors show it best. It accepts the same, but for text in place of a choice, which needs an expression. */
export function forEditors(schema: Keywords): Keywords {
  return [choiceOrExpression, oneKey, oneType, patternMessage, markdown].reduce(
    (changed, change) => change(changed),
    inside(schema),
  );
}

const MAPS = new Set(["properties", "$defs"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf"]);
const SINGLE = new Set(["items", "additionalProperties", "propertyNames", "if", "then"]);

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
  const words = choice.enum.every((value) => types.has(value))
    ? { enumDescriptions: choice.enum.map((value) => types.get(value)), errorMessage: NO_TYPE }
    : {};
  return { ...schema, anyOf: described([{ ...choice, ...words }, EXPRESSION], schema) };
}

const EXPRESSION = { type: "string", pattern: "[$%]\\{" };

const NO_TYPE = [
  "The service has no such event type.",
  ...REMOVED_EVENT_TYPES.map(({ name, note }) => `${name} is removed: ${note}.`),
  "outreach events lists them all.",
].join(" ");

/** Keys of which one is given: editors have a message for it, where `not` has none. */
function oneKey({ not, minProperties, ...schema }: Keywords): Keywords {
  if (!not) return minProperties === undefined ? schema : { ...schema, minProperties };
  const excluded = (not.anyOf ?? [not]).map(({ required = [] }) => required);
  const keys = [...new Set(excluded.flat())];
  const errorMessage = `Write exactly one of ${listed(keys, "and")}.`;
  const rules = excluded.map(([one = "", other = ""]) => excludes(one, other, errorMessage));
  return {
    ...schema,
    allOf: [...(schema.allOf ?? []), ...rules, ...(minProperties === 1 ? [atLeastOne(keys, errorMessage)] : [])],
  };
}

/** Keywords that say something about values of one type only. */
const KEYWORDS_OF: { readonly [type: string]: readonly string[] } = {
  string: ["minLength", "pattern"],
  integer: ["minimum"],
  array: ["items", "minItems"],
  object: ["properties", "additionalProperties", "propertyNames", "required", "allOf"],
};
const OF_ONE_TYPE = new Set(["type", ...Object.values(KEYWORDS_OF).flat()]);

/** Several types as alternatives of one type each. Validators in their strict mode warn of a union of types. */
function oneType(schema: Keywords): Keywords {
  const { type, errorMessage } = schema;
  if (!Array.isArray(type) || (type.length === 2 && type.includes("null"))) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !OF_ONE_TYPE.has(keyword) && keyword !== "errorMessage");
  // Of several mistakes, editors show that of the first alternative: text that is not written as it must be, rather than another type.
  const alternatives = (type as readonly string[]).toSorted(textFirst).map((one) => {
    const own = Object.entries(schema).filter(([keyword]) => KEYWORDS_OF[one]?.includes(keyword));
    return { type: one, ...Object.fromEntries(own), ...(errorMessage === undefined ? {} : { errorMessage }) };
  });
  return { ...Object.fromEntries(kept), anyOf: described(alternatives, schema) };
}

function textFirst(one: string, other: string): number {
  return Number(other === "string") - Number(one === "string");
}

/** The language server takes alternatives for one and the same if none has a description, and then loses that of the whole. */
function described(alternatives: readonly Keywords[], { description = "" }: Keywords): readonly Keywords[] {
  return alternatives.map((one, index) => (index === 0 ? one : markdown({ ...one, description })));
}

/** What names must look like, by their pattern. */
const NAMES: { readonly [pattern: string]: string } = {
  [NAME_PATTERN]: "Names are letters, digits, - and _, and begin with a letter or _.",
  [TEAM_NAME.source]: TEAM_NAMES_HINT,
};

function patternMessage(schema: Keywords): Keywords {
  const { pattern, examples = [], errorMessage } = schema;
  if (pattern === undefined || errorMessage !== undefined) return schema;
  const message =
    NAMES[pattern] ??
    (examples.length > 0 ? `It is not written as it must be, as in ${examples.join(", ")}.` : undefined);
  return message === undefined ? schema : { ...schema, patternErrorMessage: message };
}

/** Descriptions are Markdown. Where editors show plain text, they show it without its marks; a Markdown text needs no escapes. */
function markdown(schema: Keywords): Keywords {
  const { description } = schema;
  if (description === undefined || !/[\\`*_{}[\]#+!]/.test(description)) return schema;
  return { ...schema, description: description.replaceAll("`", ""), markdownDescription: description };
}
