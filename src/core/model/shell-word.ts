/** What no shell reads as anything else. */
const PLAIN = /^[\w./:@%+,-]+$/;
/** What a terminal acts on or does not show, but for line ends and tabs. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const EACH_SPECIAL = /[\\'\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text as one word of a command line that a message proposes, quoted only if necessary. */
export function shellWord(text: string): string {
  if (UNPRINTABLE.test(text)) return `$'${text.replaceAll(EACH_SPECIAL, escaped)}'`;
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** As Bash and Zsh read it between `$'` and `'`. */
function escaped(character: string): string {
  if (character === "\\" || character === "'") return `\\${character}`;
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
