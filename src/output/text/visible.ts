/** Text with control, escape and bidi characters replaced one for one. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => (character === "\n" || character === "\t" ? character : "\u{fffd}"));
}
