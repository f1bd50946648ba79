import {
  type Change,
  type Schema,
  type ValueOf,
  changed,
  count,
  defaultsOf,
  flag,
  object,
  oneOf,
  orNull,
  setting,
  settingOfEach,
  time,
} from "./schema.ts";

/**
 * How the records of a list show one field. `where-set`: absent where the webhook has no value. `null-where-unset`: null there.
 * `null` and `empty`: null or `""` on every record.
 */
export type FieldForm = "where-set" | "omitted" | "null-where-unset" | "null" | "empty";

const FORM: Schema<FieldForm> = { enum: ["where-set", "omitted", "null-where-unset", "null", "empty"] };

/**
 * The answers of `GET /hooks`, and the form of other answers. The specification says only "path exists, but its parameters and response
 * shape: not shown", so every member is the sandbox's own choice.
 */
export const PROFILE_SCHEMA = object("the answers of GET /hooks, and the form of other answers", {
  /** A bare array, or an object with the array under this name. */
  envelope: setting("array", oneOf("the position of the list in the answer", "array", "hooks", "data")),
  cap: setting(null, orNull(count("the maximum number of records per answer; null: no cap", 1))),
  /** They are ignored otherwise. */
  offset: setting(true, flag("whether offset and limit work")),
  firstPage: setting(
    null,
    oneOf(
      "the number of the first page that page selects, with cap records per page; null: page is ignored",
      0,
      1,
      null,
    ),
  ),
  /** Without `_id` and `targetUrl`, which every record has. A listed `automationId` is a number if it is numeric. */
  fields: settingOfEach(
    "how records show each field",
    { createdAt: "where-set", type: "where-set", campaignId: "where-set", isFirst: "omitted", automationId: "omitted" },
    FORM,
  ),
  normalizeUrls: setting(false, flag("whether URLs are returned in their WHATWG form")),
  staleMs: setting(0, time("the age of the list, in milliseconds")),
  duplicates: setting(false, flag("whether the list contains each record twice")),
  empty: setting(false, flag("whether the list is always empty")),
  /** `shuffled`: a fixed order that is neither by creation nor by id. */
  sortOrder: setting("asc", oneOf("the order by creation time, or a fixed other order", "asc", "desc", "shuffled")),
  values: setting(
    "typed",
    oneOf(
      "the types of values in every answer; with text, numbers and booleans are text, and the contactId of a lead is a number",
      "typed",
      "text",
    ),
  ),
  bom: setting(false, flag("whether every JSON answer begins with a byte order mark")),
  created201: setting(
    false,
    flag("whether adding a webhook answers 201 with all its fields, instead of 200 with the documented ones"),
  ),
});

export type ListProfile = ValueOf<typeof PROFILE_SCHEMA>;
export type ListProfileChange = Change<ListProfile>;

/** The default list: an array of all records, with every documented field. */
export const DEFAULT_PROFILE = defaultsOf(PROFILE_SCHEMA);

/** The fields that a webhook may lack. */
const OPTIONAL = Object.keys(DEFAULT_PROFILE.fields).filter((name) => name !== "createdAt");

/** Each of the fields that a webhook may lack in this form. */
export function eachOptional(form: FieldForm): Partial<ListProfile["fields"]> {
  return Object.fromEntries(OPTIONAL.map((name) => [name, form]));
}

/** `campaign-id` stands for `campaignId`, and so on. */
const FIELD_WORDS = new Map(
  Object.keys(DEFAULT_PROFILE.fields).map((name) => [
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    name,
  ]),
);

const WORDS: { readonly [word: string]: { readonly meaning: string; readonly change: ListProfileChange } } = {
  array: { meaning: "the answer is an array (the default)", change: { envelope: "array" } },
  hooks: { meaning: "the answer is an object with the array in `hooks`", change: { envelope: "hooks" } },
  data: { meaning: "the answer is an object with the array in `data`", change: { envelope: "data" } },
  "no-offset": { meaning: "`offset` and `limit` are ignored", change: { offset: false } },
  pages: {
    meaning: "`page` selects a page of as many records as `cap` allows, counted from 1",
    change: { firstPage: 1 },
  },
  "pages-from-0": { meaning: "the same, counted from 0", change: { firstPage: 0 } },
  nulls: {
    meaning: `records show ${new Intl.ListFormat("en-GB").format(OPTIONAL.map((name) => `\`${name}\``))} as null where they are not set`,
    change: { fields: eachOptional("null-where-unset") },
  },
  normalized: { meaning: "URLs are returned in their WHATWG form", change: { normalizeUrls: true } },
  duplicates: { meaning: "each record is listed twice", change: { duplicates: true } },
  empty: { meaning: "the list is always empty", change: { empty: true } },
  "newest-first": { meaning: "the newest record comes first", change: { sortOrder: "desc" } },
  shuffled: { meaning: "the order is fixed, but neither by creation nor by id", change: { sortOrder: "shuffled" } },
  "text-values": {
    meaning: "every answer has its numbers and booleans as text, and the `contactId` of a lead as a number",
    change: { values: "text" },
  },
  bom: { meaning: "every JSON answer begins with a byte order mark", change: { bom: true } },
  "created-201": { meaning: "adding a webhook answers 201 with all its fields", change: { created201: true } },
};

/** The prefixes of a field's word: `no-type`, and so on. */
const FORM_PREFIXES: { readonly [prefix: string]: { readonly meaning: string; readonly form: FieldForm } } = {
  "": { meaning: "records show this field where it is set", form: "where-set" },
  "no-": { meaning: "records omit this field", form: "omitted" },
  "null-": { meaning: "this field is null on every record", form: "null" },
  "empty-": { meaning: 'this field is `""` on every record', form: "empty" },
};

/** The words of a profile text and their meanings; `N` is a whole number, and `FIELD` one of `LISTED_FIELD_WORDS`. */
export const PROFILE_WORDS: readonly { readonly word: string; readonly meaning: string }[] = [
  { word: "cap=N", meaning: "at most N records per answer" },
  { word: "stale=N", meaning: "the list is N milliseconds old" },
  ...Object.entries(WORDS).map(([word, { meaning }]) => ({ word, meaning })),
  ...Object.entries(FORM_PREFIXES).map(([prefix, { meaning }]) => ({ word: `${prefix}FIELD`, meaning })),
];

/** The values of `FIELD` in `PROFILE_WORDS`. */
export const LISTED_FIELD_WORDS: readonly string[] = [...FIELD_WORDS.keys()];

/**
 * Reads words separated by commas, such as `hooks,cap=50,no-offset`, as changes to `base`. An empty text changes nothing.
 * `unknown` has each word that is not in `PROFILE_WORDS`.
 */
export function parseListProfile(
  text: string,
  base = DEFAULT_PROFILE,
): { profile: ListProfile; unknown: readonly string[] } {
  let profile = base;
  const unknown: string[] = [];
  for (const part of text.split(",")) {
    const word = part.trim();
    if (word === "") continue;
    const change = wordChange(word);
    if (change) profile = changed(profile, change, PROFILE_SCHEMA);
    else unknown.push(word);
  }
  return { profile, unknown };
}

function wordChange(word: string): ListProfileChange | null {
  const number = /^(cap|stale)=(\d{1,9})$/.exec(word);
  if (number) return number[1] === "cap" ? { cap: Number(number[2]) } : { staleMs: Number(number[2]) };
  if (Object.hasOwn(WORDS, word)) return WORDS[word]?.change ?? null;
  const [, prefix = "", name = ""] = /^(no-|null-|empty-|)(.*)$/.exec(word) ?? [];
  const field = FIELD_WORDS.get(name);
  const form = FORM_PREFIXES[prefix]?.form;
  return field && form ? { fields: { [field]: form } } : null;
}
