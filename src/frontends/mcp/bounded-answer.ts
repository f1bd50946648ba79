import { visible, visibleLines } from "../../core/model/visible.ts";
import type { Json } from "../../output/json/escaped-json.ts";

/** The lengths of a text, in characters, and of a list. */
const MAX_TEXT = 20_000;
const MAX_WORD = 1000;
/** A second, tighter bound for an answer that is still too long. */
const LIST_BOUNDS = [100, 10] as const;
const MAX_JSON = 100_000;

/** A JSON value with long lists and texts cut, and without control characters. */
export function boundedJson(value: Json): { readonly json: Json; readonly isCut: boolean } {
  const [wide, narrow] = LIST_BOUNDS;
  const bounded = cut(value, wide);
  return JSON.stringify(bounded.json).length <= MAX_JSON ? bounded : cut(value, narrow);
}

function cut(value: Json, maxItems: number): { readonly json: Json; readonly isCut: boolean } {
  let isCut = false;
  const walk = (one: Json): Json => {
    if (typeof one === "string") {
      if (one.length > MAX_WORD) isCut = true;
      return visibleLines(one.length > MAX_WORD ? `${whole(one, MAX_WORD)}…` : one);
    }
    if (typeof one !== "object" || one === null) return one;
    if (!Array.isArray(one)) return Object.fromEntries(Object.entries(one).map(([name, inner]) => [visible(name), walk(inner)]));
    const items = one as readonly Json[];
    if (items.length > maxItems) isCut = true;
    return items.slice(0, maxItems).map(walk);
  };
  const json = walk(value);
  return { json, isCut };
}

/** The longest email address. */
const MAX_EMAIL = 254;

/** The beginning of a text, without an email that is cut in half: the mask would not know it. */
function whole(text: string, length: number): string {
  const begin = text.slice(0, length);
  return begin.slice(0, Math.max(length - MAX_EMAIL, begin.lastIndexOf(" ")));
}

/** The first lines of a text, and a count of the others. */
export function boundedText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const at = text.lastIndexOf("\n", MAX_TEXT);
  const shown = at > 0 ? text.slice(0, at) : whole(text, MAX_TEXT);
  const more = text.slice(shown.length).split("\n").length - 1;
  return `${shown}\n… ${String(more)} more lines are not shown. Ask for less, as with targets or explain.`;
}
