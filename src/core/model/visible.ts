/** The characters that a screen acts on or does not show. An emoji may have its variation selector. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}](?<!\p{Extended_Pictographic}\u{fe0f})/gu;
/** A line that a runner of GitHub Actions takes for a command, such as `::set-output name=a::b`. */
const COMMAND_LINE = /:(?<=^[^\S\n]*:)(?=:[^\n]*::)/gm;
/** The form of a command that runners of GitHub Actions and Azure Pipelines find within a line, such as `##[group]` and `##vso[…]`. */
const COMMAND_WITHIN = /#(?<=##)(?=\w{0,20}\[)/g;
const REPLACEMENT = "\u{fffd}";

/** The text with every character replaced that a screen acts on or does not show: control, escape and bidi characters, and blanks without a width. */
export function replaceHidden(text: string, by: (character: string) => string): string {
  return text.replaceAll(HIDDEN, by);
}

/** A text in quotes, in which no character looks like a space that is none. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /(?! )\p{Zs}/gu,
    (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Whether a text has such a character. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** A text of others on one line, with hidden characters made visible one for one. Tabs stay. */
export function visible(text: string): string {
  return replaceHidden(text, (character) => (character === "\t" ? character : REPLACEMENT));
}

/** A text of others on its lines, with hidden characters made visible one for one. Tabs and line breaks stay. */
export function visibleLines(text: string): string {
  return replaceHidden(text, (character) => (character === "\n" || character === "\t" ? character : REPLACEMENT));
}

/** Whether a runner of a CI would take a part of the text for a command. */
export function hasCommands(text: string): boolean {
  return text.search(COMMAND_LINE) >= 0 || text.search(COMMAND_WITHIN) >= 0;
}

/** Whole lines without what a runner of a CI would take for a command, one character for one. */
export function withoutCommands(lines: string): string {
  return lines.replaceAll(COMMAND_LINE, REPLACEMENT).replaceAll(COMMAND_WITHIN, REPLACEMENT);
}

/** A text without commands within its lines, where `##` stands in quotes only and can be escaped: JSON, YAML with quotes, HCL, TypeScript. */
export function escapedCommands(source: string): string {
  return source.replaceAll(COMMAND_WITHIN, String.raw`\u0023`);
}
