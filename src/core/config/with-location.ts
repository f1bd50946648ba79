import type { Diagnostic, Place } from "../model/diagnostic.ts";
import type { Locate } from "./block.ts";

/** Adds the address and the place in the user's file to a diagnostic from deeper code. */
export function withLocation(
  diagnostic: Diagnostic,
  { locate }: { readonly locate: Locate },
  address: string,
): Diagnostic {
  return { ...withLocationIn(diagnostic, locate), address };
}

/** Adds only the place, for diagnostics without an address. */
export function withLocationIn(diagnostic: Diagnostic, locate: Locate): Diagnostic {
  const place = diagnostic.place ?? locate(diagnostic.path ?? [], diagnostic.written) ?? locate([]);
  return { ...diagnostic, ...(place ? { place: withText(place, diagnostic) } : {}) };
}

/** Shows at most this many characters on either side of the problem. */
const SHOWN = 60;

/** If the place is a construct instead of a line, shows the line of the text that contains the problem, as far as it fits. */
function withText(place: Place, { written }: Diagnostic): Place {
  if (place.construct === undefined || !written) return place;
  const { text, offset } = written;
  const begin = text.slice(0, offset).lastIndexOf("\n") + 1;
  const newline = text.indexOf("\n", offset);
  const end = newline < 0 ? text.length : newline;
  const from = wholeCharacter(text, Math.max(begin, offset - SHOWN));
  const to = wholeCharacter(text, Math.min(end, offset + SHOWN));
  const [cutBefore, cutAfter] = [from > begin ? "…" : "", to < end ? "…" : ""];
  return {
    ...place,
    text: `${cutBefore}${text.slice(from, to)}${cutAfter}`,
    caret: cutBefore.length + offset - from + 1,
  };
}

/** The index, or the next one if it is inside a character. */
function wholeCharacter(text: string, index: number): number {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 ? index + 1 : index;
}
