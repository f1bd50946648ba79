/** Finds people in texts by the forms of their addresses, whatever the case. */
export interface PersonText {
  has(text: string): boolean;
  /** The text with the mark of each person in the place of every form. */
  replace(text: string): string;
}

/** `forms`: the addresses of people in every notation that texts may have, each with what replaces it. */
export function personText(forms: ReadonlyMap<string, string>): PersonText {
  const all = new Map(
    [...forms].flatMap(([form, mark]) => [form, form.replace("@", "%40")].map((one) => [one, mark] as const)),
  );
  const patterns = [...all].map(([form, mark]) => ({
    mark,
    pattern: new RegExp(`${BEFORE}${escaped(form)}${AFTER}`, "giu"),
  }));
  return {
    has: (text) => patterns.some(({ pattern }) => text.search(pattern) >= 0),
    replace: (text) => patterns.reduce((before, { mark, pattern }) => before.replaceAll(pattern, mark), text),
  };
}

/** A word of its own, not a part of a longer address. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_.+@-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}])`;

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}
