/** What no shell reads as anything else. */
const PLAIN = /^[\w./:@%+,-]+$/;

/** A text as one word of a command line that a message proposes, quoted only if necessary. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
