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

/**
 * A text without what hides an address from programs and shows it to people: full-width signs, characters without a width,
 * `(at)`, `[.]`, `=40`, and quotes, backslashes and white space beside a sign.
 */
export function withoutDisguise(text: string): string {
  if (!DISGUISE.test(text)) return text;
  return text
    .normalize("NFKC")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu, "")
    .replaceAll(/ ?[[({<] ?(at|dot|@|\.) ?[\])}>] ?/gi, (_, sign: string) => SIGNS.get(sign.toLowerCase()) ?? sign)
    .replaceAll(/["\\]?\s?(?:@|=40)\s?/g, "@")
    .replaceAll(/\\\.|\s\.\s|。/g, ".");
}

/** Without any of these, nothing below changes a text: most texts are URLs of a list. */
const DISGUISE = /[^!-~]|[[({<"\\@]|=40/;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["at", "@"],
  ["dot", "."],
]);

const PART = String.raw`[^\s"'\`<>,;:=()[\]{}|\\/@]`;
/** `ada at example dot com`. Starts at the sign, and has bounds, so that it takes linear time. */
const IN_WORDS = new RegExp(`(?<=(${PART}{1,64})) at (?=(${PART}{1,64}(?: dot ${PART}{1,64}){0,9}))`, "gi");

/** Replaces what may be an address in words, by what `by` gives for that address. Null: it stays. */
export function replaceInWords(text: string, by: (email: string) => string | null): string {
  if (!/ at /i.test(text)) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: sign, 1: name = "", 2: host = "" } of text.matchAll(IN_WORDS)) {
    const at = index - name.length;
    const place = host.replaceAll(/ dot /gi, ".");
    const written = at < from || !place.includes(".") ? null : by(`${name}@${place}`);
    if (written === null) continue;
    parts.push(text.slice(from, at), written);
    from = index + sign.length + host.length;
  }
  return parts.join("") + text.slice(from);
}
