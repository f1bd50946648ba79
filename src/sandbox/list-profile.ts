/**
 * How `GET /hooks` answers. The specification says of it "path exists, but its parameters and response
 * shape: not shown", so every member is a choice of the sandbox's own.
 */
export type ListProfile = {
  /** The list itself, or an object with it under this name. */
  readonly envelope: "array" | "hooks" | "data";
  /** At most this many records an answer; null: no cap. */
  readonly cap: number | null;
  /** Whether the query parameters `offset` and `limit` are followed; ignored otherwise. */
  readonly offset: boolean;
  /** Fields that the records do not carry. */
  readonly omit: readonly ("type" | "campaignId" | "createdAt")[];
  /** Whether the service writes addresses in their WHATWG form (in every answer, not only the list). */
  readonly normalizeUrls: boolean;
  /** The list shows what there was this many milliseconds ago. */
  readonly staleMs: number;
  /** Whether each record is in the list twice. */
  readonly duplicates: boolean;
  /** Whether the list is empty, whatever there is. */
  readonly empty: boolean;
  readonly sortOrder: "asc" | "desc";
};

/** The list of a sandbox that was told nothing else: an array of everything, with every field it may carry. */
export const DEFAULT_PROFILE: ListProfile = {
  envelope: "array",
  cap: null,
  offset: true,
  omit: [],
  normalizeUrls: false,
  staleMs: 0,
  duplicates: false,
  empty: false,
  sortOrder: "asc",
};

/** The words of a profile's text, with what each means; `N` stands for a whole number. */
export const PROFILE_WORDS: readonly { readonly word: string; readonly meaning: string }[] = [
  { word: "array", meaning: "the answer is an array (the default)" },
  { word: "hooks", meaning: "the answer is an object with the array under `hooks`" },
  { word: "data", meaning: "the answer is an object with the array under `data`" },
  { word: "cap=N", meaning: "at most N records an answer" },
  { word: "no-offset", meaning: "`offset` and `limit` are ignored" },
  { word: "no-type", meaning: "records do not carry `type`" },
  { word: "no-campaign-id", meaning: "records do not carry `campaignId`" },
  { word: "no-created-at", meaning: "records do not carry `createdAt`" },
  { word: "normalized", meaning: "addresses are returned in their WHATWG form" },
  { word: "stale=N", meaning: "the list is N milliseconds old" },
  { word: "duplicates", meaning: "each record is listed twice" },
  { word: "empty", meaning: "the list is always empty" },
  { word: "newest-first", meaning: "the newest record comes first" },
];

/**
 * Reads a profile as words with commas between, such as `hooks,cap=50,no-offset`; an empty text is the
 * default profile. `errors` names each word that is not one.
 */
export function parseListProfile(text: string): { profile: ListProfile; errors: readonly string[] } {
  let profile = DEFAULT_PROFILE;
  const errors: string[] = [];
  for (const part of text.split(",")) {
    const word = part.trim();
    if (word === "") continue;
    const change = wordChange(word, profile);
    if (change) profile = { ...profile, ...change };
    else errors.push(`unknown list profile word "${word}"; there are: ${PROFILE_WORDS.map((w) => w.word).join(", ")}`);
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
