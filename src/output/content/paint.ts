import { visibleLines, withoutCommands } from "../../core/model/visible.ts";

/** Colours a text, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;
export type Colour = "green" | "red" | "yellow" | "cyan" | "bold" | "dim";

const CODES: { readonly [colour in Colour]: readonly [number, number] } = {
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
  dim: [2, 22],
};

export const plain: Paint = (_colour, text) => text;

export const ansi: Paint = (colour, text) => {
  const [on, off] = CODES[colour];
  return `\u001b[${String(on)}m${text}\u001b[${String(off)}m`;
};

/** Clears the line of a terminal, to draw it again. */
export const CLEAR_LINE = "\r\u001b[K";

// oxlint-disable-next-line no-control-regex -- the codes of this file
const OURS = /(\u001b\[\d{1,2}m|\r\u001b\[K)/;

/**
 * Whole lines as a stream gets them: without hidden characters, and without what a runner of a CI would take for a command. A
 * stream that shows colours, or redraws a line, gets the codes for that.
 */
export function printed(lines: string, { hasCodes }: { readonly hasCodes: boolean }): string {
  if (!hasCodes) return withoutCommands(shownLines(lines));
  const parts = lines.split(OURS).map((part, index) => (index % 2 === 0 ? shownLines(part) : part));
  return withoutCommands(parts.join(""));
}

/** A line of a CSV ends with CR and LF, which is one line break. */
function shownLines(lines: string): string {
  return lines.includes("\r\n") ? lines.split("\r\n").map(visibleLines).join("\r\n") : visibleLines(lines);
}
