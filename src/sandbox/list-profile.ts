/**
 * The answers of `GET /hooks`. The specification says only "path exists, but its parameters and response
 * shape: not shown", so every member is the sandbox's own choice.
 */
export type ListProfile = {
  /** A bare array, or an object with the array under this name. */
  readonly envelope: "array" | "hooks" | "data";
  /** The maximum number of records in an answer; null: no cap. */
  readonly cap: number | null;
  /** Whether the query parameters `offset` and `limit` work; they are ignored otherwise. */
  readonly offset: boolean;
  /** Whether the query parameter `page` works, counted from 1, with `cap` records per page; ignored otherwise. */
  readonly page: boolean;
  /** Fields that the records omit. */
  readonly omit: readonly ("type" | "campaignId" | "createdAt")[];
  /** Whether the service returns URLs in their WHATWG form, in every answer. */
  readonly normalizeUrls: boolean;
  /** The list shows the state of this many milliseconds ago. */
  readonly staleMs: number;
  /** Whether the list contains each record twice. */
  readonly duplicates: boolean;
  /** Whether the list is always empty. */
  readonly empty: boolean;
  readonly sortOrder: "asc" | "desc";
};

/** The default list: an array of all records, with every field. */
export const DEFAULT_PROFILE: ListProfile = {
  envelope: "array",
  cap: null,
  offset: true,
  page: false,
  omit: [],
  normalizeUrls: false,
  staleMs: 0,
  duplicates: false,
  empty: false,
  sortOrder: "asc",
};

/** The words of a profile text and their meanings; `N` is a whole number. */
export const PROFILE_WORDS: readonly { readonly word: string; readonly meaning: string }[] = [
  { word: "array", meaning: "the answer is an array (the default)" },
  { word: "hooks", meaning: "the answer is an object with the array in `hooks`" },
  { word: "data", meaning: "the answer is an object with the array in `data`" },
  { word: "cap=N", meaning: "at most N records per answer" },
  { word: "no-offset", meaning: "`offset` and `limit` are ignored" },
  { word: "pages", meaning: "`page` selects a page of as many records as `cap` allows, counted from 1" },
  { word: "no-type", meaning: "records omit `type`" },
  { word: "no-campaign-id", meaning: "records omit `campaignId`" },
  { word: "no-created-at", meaning: "records omit `createdAt`" },
  { word: "normalized", meaning: "URLs are returned in their WHATWG form" },
  { word: "stale=N", meaning: "the list is N milliseconds old" },
  { word: "duplicates", meaning: "each record is listed twice" },
  { word: "empty", meaning: "the list is always empty" },
  { word: "newest-first", meaning: "the newest record comes first" },
];

/**
 * Reads a profile text: words separated by commas, such as `hooks,cap=50,no-offset`. An empty text is
 * the default profile. `errors` names each unknown word.
 */
export function parseListProfile(text: string): { profile: ListProfile; errors: readonly string[] } {
  let profile = DEFAULT_PROFILE;
  const errors: string[] = [];
  for (const part of text.split(",")) {
    const word = part.trim();
    if (word === "") continue;
    const change = wordChange(word, profile);
    if (change) profile = { ...profile, ...change };
    else errors.push(`unknown list profile word "${word}"; known words: ${PROFILE_WORDS.map((w) => w.word).join(", ")}`);
  }
  return { profile, errors };
}

function wordChange(word: string, profile: ListProfile): Partial<ListProfile> | null {
  const number = /^(cap|stale)=(\d{1,9})$/.exec(word);
  if (number) return number[1] === "cap" ? { cap: Number(number[2]) } : { staleMs: Number(number[2]) };
  switch (word) {
    case "array":
    case "hooks":
    case "data":
      return { envelope: word };
    case "no-offset":
      return { offset: false };
    case "pages":
      return { page: true };
    case "no-type":
      return { omit: [...profile.omit, "type"] };
    case "no-campaign-id":
      return { omit: [...profile.omit, "campaignId"] };
    case "no-created-at":
      return { omit: [...profile.omit, "createdAt"] };
    case "normalized":
      return { normalizeUrls: true };
    case "duplicates":
      return { duplicates: true };
    case "empty":
      return { empty: true };
    case "newest-first":
      return { sortOrder: "desc" };
    default:
      return null;
  }
}
