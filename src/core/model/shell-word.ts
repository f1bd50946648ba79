import { hasHidden, replaceHidden } from "./visible.ts";

/** What no shell reads as anything else. */
const PLAIN = /^[\w./:@%+,-]+$/;

/** A text as one word of a command line that a message proposes, quoted only if necessary. */
export function shellWord(text: string): string {
  if (hasHidden(text.replaceAll(/[\n\t]/g, "")))
    return `$'${replaceHidden(text.replaceAll(/[\\']/g, escaped), escaped)}'`;
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The escapes that Bash and Zsh read between `$'` and `'`. */
function escaped(character: string): string {
  if (character === "\\" || character === "'") return `\\${character}`;
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
