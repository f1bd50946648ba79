/** Something in a JSON text that JSON.parse lets pass in silence: `detail` is a whole sentence, `offset` is where. */
export interface JsonMistake {
  readonly detail: string;
  readonly offset: number;
}

/** Deeper than this nobody writes a stack, and what reads it would not come to an end. */
const MAX_DEPTH = 200;

/** An object or a list that is open. */
interface Open {
  /** The keys so far; null for a list. */
  readonly keys: Set<string> | null;
  /** What is written now. */
  key: string | number;
  /** Whether the next text is a key. */
  awaitsKey: boolean;
}

/**
 * Finds what would be lost without a word: a key that is written twice, of which only the last would count, and a whole
 * number of more digits than can be kept. The text must be valid JSON; what stands under a `comment` key is no part of it.
 */
export function firstMistake(json: string, comment: string): JsonMistake | null {
  const open: Open[] = [];
  for (let at = 0; at < json.length; at++) {
    const inner = open.at(-1);
    const sign = json[at] ?? "";
    if (sign === " " || sign === "\n") continue;
    if (sign === '"') {
      const end = endOfText(json, at);
      if (inner?.keys && inner.awaitsKey) {
        const key = keyOf(json.slice(at, end));
        if (key !== comment && inner.keys.has(key)) return twice(open, key, at);
        inner.keys.add(key);
        [inner.key, inner.awaitsKey] = [key, false];
      }
      at = end - 1;
    } else if (sign === "{" || sign === "[") {
      if (open.length >= MAX_DEPTH && !open.some(({ key }) => key === comment)) return tooDeep(at);
      open.push(sign === "{" ? { keys: new Set(), key: "", awaitsKey: true } : { keys: null, key: 0, awaitsKey: false });
    } else if (sign === "}" || sign === "]") open.pop();
    else if (sign === "," && inner) next(inner);
    else if (sign === "-" || (sign >= "0" && sign <= "9")) {
      const number = numberAt(json, at);
      if (isCut(number)) return cut(number, at);
      at += number.length - 1;
    }
  }
  return null;
}

function next(open: Open): void {
  if (open.keys) open.awaitsKey = true;
  else open.key = Number(open.key) + 1;
}

/** Where the text ends that begins here, behind its quotation mark. */
function endOfText(json: string, begin: number): number {
  for (let from = begin + 1; ;) {
    const end = json.indexOf('"', from);
    let escapes = 0;
    while (json[end - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

/** What looks the same for a reader is the same key. */
function keyOf(quoted: string): string {
  return quoted.includes("\\") ? (JSON.parse(quoted) as string).normalize("NFC") : quoted.slice(1, -1).normalize("NFC");
}

function numberAt(json: string, begin: number): string {
  let at = begin;
  while (/[-+.\deE]/.test(json[at] ?? "")) at++;
  return json.slice(begin, at);
}

function isCut(number: string): boolean {
  return /^-?\d{16,}$/.test(number) && BigInt(number) !== BigInt(Number(number));
}

function twice(open: readonly Open[], key: string, offset: number): JsonMistake {
  const path = open.slice(0, -1).map((one) => String(one.key));
  const where = path.length === 0 ? "" : ` in ${path.join(".")}`;
  return { detail: `${JSON.stringify(key)} is written twice${where}, and only one of the two would count.`, offset };
}

function cut(number: string, offset: number): JsonMistake {
  return { detail: `${number} has more digits than a number keeps here. Write it as text, in double quotes.`, offset };
}

function tooDeep(offset: number): JsonMistake {
  return { detail: `What stands here is nested more than ${String(MAX_DEPTH)} levels deep.`, offset };
}
