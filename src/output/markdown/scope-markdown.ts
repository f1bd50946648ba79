import { firstFew } from "../../core/model/words.ts";
import type { Scope } from "../../core/plan/plan-context.ts";
import { codeSpan } from "./escape.ts";

const MOST_SHOWN = 5;

/** What a report is about, as the end of its heading: nothing for everything. */
export function scopeWords({ targets, excludes }: Scope, mask: (text: string) => string): string {
  return `${listed(", only ", targets, mask)}${listed(", without ", excludes, mask)}`;
}

/** The same for the marker of a report. */
export function scopeParts({ targets, excludes }: Scope, mask: (text: string) => string): readonly string[] {
  return [
    ...targets.map((typed) => `target ${hidden(typed, mask)}`),
    ...excludes.map((typed) => `exclude ${hidden(typed, mask)}`),
  ];
}

/** The name of an address, also of a part of one, but not of one that is masked. */
const NAME = /(?<![^\s"'[\]])[^\s"'[\]@%]+(?=@|%40)/gu;

/** A mistyped address can contain an email that nobody has learnt as one. */
function hidden(typed: string, mask: (text: string) => string): string {
  return mask(typed).replaceAll(NAME, (name) => {
    const [first] = /[\p{L}\p{N}]/u.exec(name) ?? [];
    return first === undefined || /^.\*{3}$/u.test(name) ? name : `${first}***`;
  });
}

function listed(words: string, addresses: readonly string[], mask: (text: string) => string): string {
  return addresses.length === 0
    ? ""
    : `${words}${firstFew(
        addresses.map((typed) => codeSpan(hidden(typed, mask))),
        MOST_SHOWN,
      )}`;
}
