/** The first texts of a list, and how many more there are: "a, b and 3 more". */
export function firstFew(texts: readonly string[], most: number, { separator = ", ", last = " and " } = {}): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(separator)}${more > 0 ? `${last}${String(more)} more` : ""}`;
}

/** A number with its noun: "1 object", "3 objects". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${String(count)} ${count === 1 ? noun : plural}`;
}

/** A duration, cut to its larger units: `9 s`, `2 min`, `1 h 2 min`. */
export function durationWords(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${String(hours)} h ${String(minutes)} min`;
  return minutes > 0 ? `${String(minutes)} min` : `${String(Math.floor(seconds))} s`;
}

/** A text as the beginning of a sentence. */
export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const MAX_PRINTABLE = 200;

/** A text of a server or of another program, as a part of a sentence: on one line, without control, escape and bidi characters, and cut. */
export function printable(text: string, most: number = MAX_PRINTABLE): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

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

/** What nobody sees at the beginning or the end of a text; null for nothing. */
export function unseenEnds(text: string): string | null {
  if (text.trim() !== text) return "white space";
  return /^\p{Cf}|\p{Cf}$/u.test(text) ? "an invisible character" : null;
}

/** Whether a text begins and ends with quotation marks of one kind, also with those of a page that it was copied from. */
export function isQuoted(text: string): boolean {
  return /^(["'`]).*\1$|^[“”„].*[“”]$|^[‘’‚].*[‘’]$/s.test(text);
}

/** Whether a path begins with `~` or `~NAME`, which only a shell expands. */
export function beginsAtHome(path: string): boolean {
  return /^~(?:[^/]*\/|$)/.test(path);
}

/** `automationId` for the attribute `automation_id`. */
export function camelCase(attribute: string): string {
  return attribute.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
