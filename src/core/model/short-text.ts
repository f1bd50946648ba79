/** The characters of a name or a value, and of a whole text, that messages show. */
const [MAX_WORD, MAX_TEXT] = [300, 4000];
const LONG_WORD = new RegExp(String.raw`\S{${String(MAX_WORD + 1)},}`, "gu");

/** A text of a message, with long words and a long rest cut: a value of a configuration can be as long as its file. */
export function shortText(text: string): string {
  return text.length <= MAX_WORD ? text : cutText(text.replaceAll(LONG_WORD, (word) => `${word.slice(0, MAX_WORD)}…`));
}

/** The beginning of a text whose words stay whole. */
export function cutText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
