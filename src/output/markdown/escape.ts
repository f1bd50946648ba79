import { visible, visibleLines } from "../../core/model/visible.ts";

/** Words that no renderer and no forge takes for anything else: no link, mention, reference or emoji. */
const WORDS = /^(?:[A-Za-z ,;'()-]|: )+$/;

/**
 * Any text as code within a line or a cell of a table, shown literally: without tags, links, mentions and references. Hidden
 * characters are made visible. A pipe, which would end the cell, stands between two spans.
 */
export function codeSpan(text: string): string {
  return visible(text)
    .split("|")
    .map((part) => (part === "" ? "" : span(part)))
    .join("&#124;");
}

/** Our own words as they are; a text with anything else as code. */
export function words(text: string): string {
  return WORDS.test(text) ? text : codeSpan(text);
}

/** A text of several lines as a block of code, shown literally. */
export function codeBlock(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${visibleLines(text).replace(/\n+$/, "")}\n${fence}`;
}

/** A line that readers do not see, to find a comment again. */
export function hiddenLine(text: string): string {
  return `<!-- ${visible(text).replaceAll(">", "%3E")} -->`;
}

function span(text: string): string {
  const ticks = "`".repeat(longestRun(text) + 1);
  // A renderer takes one space from both ends, if both have one.
  const pad = /^[ `]|[ `]$/.test(text) && text.trim() !== "" ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return text.match(/`+/g)?.reduce((most, { length }) => Math.max(most, length), 0) ?? 0;
}
