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
  return [...targets.map((address) => `target ${mask(address)}`), ...excludes.map((address) => `exclude ${mask(address)}`)];
}

function listed(words: string, addresses: readonly string[], mask: (text: string) => string): string {
  return addresses.length === 0
    ? ""
    : `${words}${firstFew(
        addresses.map((address) => codeSpan(mask(address))),
        MOST_SHOWN,
      )}`;
}
