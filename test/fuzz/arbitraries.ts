import * as fc from "fast-check";

const AWKWARD = [
  "",
  ".",
  "..",
  "../..",
  "%2e%2e",
  "a/b",
  "a?b=c#d",
  "\\",
  "\0",
  "\u{1b}[31mred\u{1b}[0m",
  "\u{1b}]0;title\u{7}",
  "\u{9b}2J",
  "\r\n::error::x",
  "##[command]",
  "\u{202e}evil\u{202c}",
  "\u{2066}x\u{2069}",
  "\u{200b}\u{feff}\u{ad}",
  "\u{2028}\u{2029}",
  "\u{85}",
  "\u{d800}",
  "\u{dfff}x",
  "\u{e0001}\u{e0041}",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "${",
  "${var.x}",
  "%{ if true }",
  "$${a}",
  "${jsonencode(1)}",
  "${[for x in range(1000): x]}",
  "https://u:p@h.example",
  "http://[::1",
  "javascript:alert(1)",
  "*/",
  "'\"`",
  "<script>alert(1)</script>",
  "é",
  "e\u{301}",
  "😀",
  "a@b@c",
  "ada@example.com",
  "hoo_000001",
  "cam_000001",
  "null",
  "1e999",
  "-0",
  "9".repeat(400),
  "x".repeat(5000),
  "| a | b |\n|---|",
  "\t",
  " ",
] as const;

/** Texts that other programs choke on, and any others. */
export const TEXT: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...AWKWARD) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...AWKWARD), fc.constantFrom(...AWKWARD)).map((two) => two.join("")),
  },
);

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

function nested(depth: number): Json {
  let value: Json = [];
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values of the wrong type. */
export const VALUE: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<Json>(
      null,
      true,
      false,
      0,
      -1,
      0.5,
      1e308,
      -1e-320,
      2 ** 53,
      "",
      [],
      {},
      [null],
      [[]],
      [{}],
      { a: null },
    ),
  },
  { weight: 4, arbitrary: TEXT },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>(
      nested(70),
      nested(500),
      Array.from({ length: 3000 }, () => 1),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("__proto__", "constructor", "length", "toString")
      .map((name) => JSON.parse(`{${JSON.stringify(name)}:{"a":1}}`) as Json),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json) },
);

const MANY = 200;

/** What happens to one of the values within a value: `at` says to which, counted through all of them. */
type Change = readonly [
  at: number,
  how: "replace" | "remove" | "rename" | "double" | "wrap" | "taint" | "many",
  value: Json,
  name: string,
];

const CHANGES: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom("replace", "replace", "replace", "remove", "rename", "double", "wrap", "taint", "many"),
    VALUE,
    TEXT,
  ),
  { maxLength: 3 },
);

/** One of these values, with parts of it replaced, removed, renamed, doubled or nested, with a text behind each of their texts, or with many of them. */
export function mutatedJson(bases: readonly Json[]): fc.Arbitrary<Json> {
  return fc.tuple(fc.constantFrom(...bases), CHANGES).map(([base, changes]) => changes.reduce(changed, base));
}

function changed(value: Json, change: Change): Json {
  return changedAt(value, change[0] % sizeOf(value), change);
}

/** How many values a value has in it, with itself. */
function sizeOf(value: Json): number {
  let size = 0;
  const waiting: Json[] = [value];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    size++;
    if (typeof one === "object" && one !== null) waiting.push(...Object.values(one));
  }
  return size;
}

function changedAt(value: Json, at: number, change: Change): Json {
  const [, how, replacement, name] = change;
  if (at === 0 || typeof value !== "object" || value === null)
    return how === "wrap" ? [value] : how === "taint" ? tainted(value, name) : replacement;
  const entries: [string, Json][] = Object.entries(value);
  let left = at - 1;
  const index = entries.findIndex(([, inner]) => {
    const size = sizeOf(inner);
    if (left < size) return true;
    left -= size;
    return false;
  });
  const [key, inner] = entries[index] as [string, Json];
  if (left > 0 || how === "replace" || how === "wrap" || how === "taint")
    entries.splice(index, 1, [key, changedAt(inner, left, change)]);
  else if (how === "remove") entries.splice(index, 1);
  else if (how === "rename") entries.splice(index, 1, [name, inner]);
  else if (how === "many")
    entries.splice(
      index,
      0,
      ...Array.from({ length: MANY }, (_, one): [string, Json] => [`${key}${String(one)}`, inner]),
    );
  else entries.splice(index, 0, [name, inner]);
  return Array.isArray(value) ? entries.map(([, one]) => one) : objectOf(entries);
}

/** With a text behind each text in it. */
function tainted(value: Json, text: string): Json {
  if (typeof value === "string") return `${value}${text}`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => tainted(one, text));
  return objectOf(Object.entries(value).map(([name, one]) => [name, tainted(one, text)]));
}

/** Also with a member `__proto__` of its own. */
function objectOf(entries: readonly (readonly [string, Json])[]): Json {
  const made = {};
  for (const [name, value] of entries)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

const EDITS = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom("cut", "drop", "line", "double", "insert", "insert", "insert", "splice"),
    TEXT,
    fc.nat(),
  ),
  {
    minLength: 1,
    maxLength: 4,
  },
);

/** One of these texts, with characters and lines cut off, dropped, doubled, inserted, or moved. `signs` are inserted as well. */
export function mutatedText(bases: readonly string[], signs: readonly string[] = []): fc.Arbitrary<string> {
  const inserted = fc.array(fc.constantFrom(...(signs.length > 0 ? signs : [" "])), { minLength: 4, maxLength: 4 });
  return fc.tuple(fc.constantFrom(...bases), EDITS, inserted).map(([base, edits, more]) =>
    edits.reduce((text, [where, how, awkward, other], index) => {
      const at = where % (text.length + 1);
      if (how === "cut") return text.slice(0, at);
      if (how === "drop") return text.slice(0, at) + text.slice(at + 1 + (other % 10));
      if (how === "insert") return text.slice(0, at) + (other % 2 === 0 ? awkward : more[index]) + text.slice(at);
      const lines = text.split("\n");
      const line = where % lines.length;
      if (how === "line") lines.splice(line, 1);
      else if (how === "double") lines.splice(line, 0, lines[line] ?? "");
      else lines.splice(line, 0, ...(bases[other % bases.length] ?? "").split("\n").slice(0, 8));
      return lines.join("\n");
    }, base),
  );
}

/** JSON texts that `JSON.stringify` does not write: too deep for recursion, names twice, huge. */
export const ODD_JSON: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(50_000, 200_000).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
  fc.constantFrom(50_000).map((depth) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth)),
  fc.constantFrom(
    "[".repeat(100_000),
    "\u{feff}{}",
    "{}{}",
    "",
    " ",
    "NaN",
    "\0",
    '{"_id":"hoo_1","_id":"hoo_2"}',
    '[{"_id":"hoo_1","targetUrl":"x","_id":7}]',
    "[1e400]",
  ),
  fc
    .constantFrom(20_000)
    .map(
      (count) =>
        `[${Array.from({ length: count }, (_, index) => `{"_id":"hoo_${String(index)}","targetUrl":"https://a.example"}`).join(",")}]`,
    ),
);

/** A JSON value as text, at times with a part nested too deeply for recursion. */
export function jsonText(values: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: values.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.tuple(values, fc.nat()).map(([value, at]) => withDeepPart(JSON.stringify(value), at)) },
    { weight: 1, arbitrary: ODD_JSON },
  );
}

const DEEP = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;

function withDeepPart(text: string, at: number): string {
  const values = [...text.matchAll(/"[^"\\]*"(?!\s*:)|\d+|null|true|false/g)];
  const chosen = values[at % Math.max(1, values.length)];
  return chosen ? text.slice(0, chosen.index) + DEEP + text.slice(chosen.index + chosen[0].length) : DEEP;
}
