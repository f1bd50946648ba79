/** A word of a text, delimited by characters that no real address contains. */
export const WORD = /[^\s"'`<>,;:=()[\]{}|\\/]+/gu;

/** Everything in the words of a text that looks like an address. Takes linear time: anybody may have chosen the text. */
export function emailsIn(text: string, word: RegExp = WORD): readonly string[] {
  return (text.match(word) ?? []).flatMap((one) => {
    const parts = one.split("@");
    return parts.slice(1).flatMap((domain, index) => {
      const name = parts[index] ?? "";
      return name === "" || domain === "" ? [] : [`${name}@${domain}`];
    });
  });
}
