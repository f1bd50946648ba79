/** A problem in a JSON text that JSON.parse ignores silently: `detail` is a sentence, `offset` the position. */
interface JsonMistake {
  readonly detail: string;
  readonly offset: number;
}

/** Real stacks are not nested this deeply, and recursive readers need a limit. */
const MAX_DEPTH = 200;

/** An object or a list that is not closed yet. */
interface Open {
  /** The keys so far; null for a list. */
  readonly keys: Set<string> | null;
  /** The current key or index. */
  key: string | number;
  /** Whether the next string is a key. */
  awaitsKey: boolean;
}

/**
 * Finds content that JSON.parse would lose silently: a duplicate key, of which only the last would count, and a whole
 * number with too many digits. The text must be valid JSON. Ignores the content of `comment` keys.
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
        if (key !== comment && inner.keys.has(key)) return duplicateKey(open, key, at);
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
      if (isCut(number)) return tooManyDigits(number, at);
      at += number.length - 1;
    }
  }
  return null;
}

function next(open: Open): void {
  if (open.keys) open.awaitsKey = true;
  else open.key = Number(open.key) + 1;
}

/** The position after the closing quotation mark of the string that starts here. */
function endOfText(json: string, begin: number): number {
  for (let from = begin + 1; ;) {
    const end = json.indexOf('"', from);
    let escapes = 0;
    while (json[end - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

/** Equal-looking keys are equal. */
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

function duplicateKey(open: readonly Open[], key: string, offset: number): JsonMistake {
  const path = open.slice(0, -1).map((one) => String(one.key));
  const where = path.length === 0 ? "" : ` in ${path.join(".")}`;
  return { detail: `${JSON.stringify(key)} appears twice${where}, and only one of the two would count.`, offset };
}

function tooManyDigits(number: string, offset: number): JsonMistake {
  return { detail: `${number} has more digits than a number can hold. Write it in double quotes.`, offset };
}

function tooDeep(offset: number): JsonMistake {
  return { detail: `This value is nested more than ${String(MAX_DEPTH)} levels deep.`, offset };
}
