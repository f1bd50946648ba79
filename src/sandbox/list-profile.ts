/** How the records of a list show one field. */
export type FieldForm = (typeof FIELD_FORMS)[number];

/** `where-set`: absent where the webhook has no value. `null-where-unset`: null there. `null` and `empty`: null or `""` on every record. */
export const FIELD_FORMS = ["where-set", "omitted", "null-where-unset", "null", "empty"] as const;

/** The fields of a listed webhook, without `_id` and `targetUrl`, which it always has. A listed `automationId` is a number if it is numeric. */
export type ListedField = "createdAt" | "type" | "campaignId" | "isFirst" | "automationId";

/**
 * The answers of `GET /hooks`, and the form of other answers. The specification says only "path exists, but its parameters and response
 * shape: not shown", so every member is the sandbox's own choice.
 */
export type ListProfile = {
  /** A bare array, or an object with the array under this name. */
  readonly envelope: "array" | "hooks" | "data";
  /** The maximum number of records in an answer; null: no cap. */
  readonly cap: number | null;
  /** Whether the query parameters `offset` and `limit` work; they are ignored otherwise. */
  readonly offset: boolean;
  /** The number of the first page that the query parameter `page` selects, with `cap` records per page; null: `page` is ignored. */
  readonly firstPage: 0 | 1 | null;
  /** How records show each field. */
  readonly fields: { readonly [Field in ListedField]: FieldForm };
  /** Whether the service returns URLs in their WHATWG form, in every answer. */
  readonly normalizeUrls: boolean;
  /** The list shows the state of this many milliseconds ago. */
  readonly staleMs: number;
  /** Whether the list contains each record twice. */
  readonly duplicates: boolean;
  /** Whether the list is always empty. */
  readonly empty: boolean;
  /** `shuffled`: a fixed order that is neither by creation nor by id. */
  readonly sortOrder: "asc" | "desc" | "shuffled";
  /** `text`: every answer has its numbers and booleans as text, and the `contactId` of a lead as a number. */
  readonly values: "typed" | "text";
  /** Whether every JSON answer begins with a byte order mark. */
  readonly bom: boolean;
  /** Whether adding a webhook answers 201 with all its fields, instead of 200 with the documented ones. */
  readonly created201: boolean;
};

/** A change to some members; the others keep their values. */
export type ListProfileChange = Partial<Omit<ListProfile, "fields">> & { readonly fields?: Partial<ListProfile["fields"]> };

/** The default list: an array of all records, with every documented field. */
export const DEFAULT_PROFILE: ListProfile = {
  envelope: "array",
  cap: null,
  offset: true,
  firstPage: null,
  fields: { createdAt: "where-set", type: "where-set", campaignId: "where-set", isFirst: "omitted", automationId: "omitted" },
  normalizeUrls: false,
  staleMs: 0,
  duplicates: false,
  empty: false,
  sortOrder: "asc",
  values: "typed",
  bom: false,
  created201: false,
};

/** `profile` with `change` applied. */
export function changeListProfile(profile: ListProfile, change: ListProfileChange): ListProfile {
  return { ...profile, ...change, fields: { ...profile.fields, ...change.fields } };
}

const FIELD_WORDS: { readonly [word: string]: ListedField } = {
  "created-at": "createdAt",
  type: "type",
  "campaign-id": "campaignId",
  "is-first": "isFirst",
  "automation-id": "automationId",
};

const WORDS: { readonly [word: string]: { readonly meaning: string; readonly change: ListProfileChange } } = {
  array: { meaning: "the answer is an array (the default)", change: { envelope: "array" } },
  hooks: { meaning: "the answer is an object with the array in `hooks`", change: { envelope: "hooks" } },
  data: { meaning: "the answer is an object with the array in `data`", change: { envelope: "data" } },
  "no-offset": { meaning: "`offset` and `limit` are ignored", change: { offset: false } },
  pages: { meaning: "`page` selects a page of as many records as `cap` allows, counted from 1", change: { firstPage: 1 } },
  "pages-from-0": { meaning: "the same, counted from 0", change: { firstPage: 0 } },
  nulls: {
    meaning: "records show `type`, `campaignId`, `isFirst` and `automationId` as null where they are not set",
    change: { fields: { type: "null-where-unset", campaignId: "null-where-unset", isFirst: "null-where-unset", automationId: "null-where-unset" } },
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
export const LISTED_FIELD_WORDS: readonly string[] = Object.keys(FIELD_WORDS);

/**
 * Reads words separated by commas, such as `hooks,cap=50,no-offset`, as changes to `base`. An empty text changes nothing.
 * `unknown` has each word that is not in `PROFILE_WORDS`.
 */
export function parseListProfile(text: string, base = DEFAULT_PROFILE): { profile: ListProfile; unknown: readonly string[] } {
  let profile = base;
  const unknown: string[] = [];
  for (const part of text.split(",")) {
    const word = part.trim();
    if (word === "") continue;
    const change = wordChange(word);
    if (change) profile = changeListProfile(profile, change);
    else unknown.push(word);
  }
  return { profile, unknown };
}

function wordChange(word: string): ListProfileChange | null {
  const number = /^(cap|stale)=(\d{1,9})$/.exec(word);
  if (number) return number[1] === "cap" ? { cap: Number(number[2]) } : { staleMs: Number(number[2]) };
  if (Object.hasOwn(WORDS, word)) return WORDS[word]?.change ?? null;
  const [, prefix = "", name = ""] = /^(no-|null-|empty-|)(.*)$/.exec(word) ?? [];
  const field = Object.hasOwn(FIELD_WORDS, name) ? FIELD_WORDS[name] : undefined;
  const form = FORM_PREFIXES[prefix]?.form;
  return field && form ? { fields: { [field]: form } } : null;
}
