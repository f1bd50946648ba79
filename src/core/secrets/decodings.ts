/** Named characters of HTML that stand for ASCII, which secrets and addresses consist of. */
const NAMED: ReadonlyMap<string, string> = new Map(
  (
    "amp& lt< gt> quot\" apos' excl! num# dollar$ percnt% lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; equals= quest? " +
    "commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_ grave` lcub{ lbrace{ verbar| vert| VerticalLine| rcub} rbrace}"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
);
const ESCAPED: ReadonlyMap<string, string> = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" }));

/** More layers than these are no accident. */
const MAX_ROUNDS = 32;
const MIN_RUN = 8;

/**
 * A text, and what becomes of it as escapes of JSON and programming languages, references of HTML, and percent-encoding
 * are removed, one layer at a time. Null if that does not end soon.
 */
export function decodings(text: string): readonly string[] | null {
  const found = [text];
  for (let round = 0, current = text; round < MAX_ROUNDS; round++) {
    const before = current;
    for (const decode of [withoutReferences, withoutEscapes, withoutPercents]) {
      const decoded = decode(current);
      if (decoded !== current) found.push(decoded);
      current = decoded;
    }
    if (current === before) return found;
  }
  return null;
}

/** What the base64 and hexadecimal parts of a text may hold. Where such a part starts is not known. */
export function decodedRuns(text: string): readonly string[] {
  const runs = (pattern: RegExp): readonly string[] => (text.match(pattern) ?? []).filter((run) => run.length >= MIN_RUN);
  const decoded = (run: string, encoding: "base64" | "hex", starts: readonly number[]) =>
    starts.map((start) => Buffer.from(run.slice(start), encoding).toString("utf8"));
  return [...runs(/[\w+/-]+/g).flatMap((run) => decoded(run, "base64", [0, 1, 2, 3])), ...runs(/[\da-f]+/gi).flatMap((run) => decoded(run, "hex", [0, 1]))];
}

/** What survives every encoding: the ASCII letters and digits of a decoded text, in lower case. */
export function skeleton(decoded: string): string {
  return decoded
    .replaceAll(/&[a-z]\w*;/gi, "")
    .replaceAll(/[^\da-z]/gi, "")
    .toLowerCase();
}

function withoutReferences(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+)(?=;));?/gi, (all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? all;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}

/** `\u00e9`, `\u{e9}`, `%u00e9`, `\xe9`, `\351`, `\n`, `\/`, `\"`. A backslash before anything else stays. */
function withoutEscapes(text: string): string {
  const escape = /[\\%]u([\da-f]{4})|\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|\\([0-3][0-7]{2})|\\(["'/\\bfnrtv0])/gi;
  return text.replaceAll(escape, (all, unit?: string, point?: string, byte?: string, octal?: string, one?: string) => {
    if (one !== undefined) return ESCAPED.get(one) ?? one;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const code = Number.parseInt(unit ?? point ?? byte ?? "", 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}

function withoutPercents(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll("%", ""), "hex");
    const decoded = bytes.toString("utf8");
    return decoded.includes("\u{fffd}") ? bytes.toString("latin1") : decoded;
  });
}
