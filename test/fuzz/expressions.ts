import * as fc from "fast-check";
import { BROKEN, WELL_FORMED } from "../core/expression/generated.ts";
import { evaluateHere } from "../core/expression/evaluate-here.ts";
import { FUNCTIONS } from "../../src/core/expression/functions/functions.ts";
import { TEXT, mutatedText } from "./arbitraries.ts";
import { target } from "./target.ts";

const NAMES = [...FUNCTIONS.keys(), "can", "try"];

const LETTER = fc.constantFrom(
  "a",
  "b",
  ".",
  "\\d",
  "\\w",
  "\\s",
  "[a-c]",
  "[^a]",
  "é",
  "\\pL",
  "\\x{10FFFF}",
  "^",
  "$",
  "\\b",
  "(?i)",
  "(?s)",
  "[[:alpha:]]",
  "\\Q*\\E",
  "",
);
const REPEAT = fc.constantFrom(
  "*",
  "+",
  "?",
  "*?",
  "+?",
  "{0,1000}",
  "{1000}",
  "{2,5}",
  "{1001}",
  "{,3}",
  "{9999999999}",
  "**",
  "",
);

/** Patterns as RE2 knows them, catastrophic ones for other engines, and broken ones. */
const PATTERN: fc.Arbitrary<string> = fc.letrec<{ readonly any: string; readonly one: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    LETTER,
    fc
      .tuple(
        fc.constantFrom("(", "(?:", "(?P<n>", "(?<n>", "(?=", "(?!", "((((((((("),
        tie("any"),
        fc.constantFrom(")", ")", ")", "", ")))))))))"),
      )
      .map((parts) => parts.join("")),
  ),
  any: fc
    .array(
      fc.tuple(tie("one"), REPEAT).map((two) => two.join("")),
      { minLength: 1, maxLength: 4 },
    )
    .chain((all) => fc.constantFrom("", "|").map((separator) => all.join(separator))),
})).any;

const CATASTROPHIC = fc.constantFrom(
  "(a+)+$",
  "(a|a)*b",
  "(a|aa)+$",
  "(.*a){20}",
  "((a{0,100}){0,100}){0,100}",
  "(x+x+)+y",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(?:a?){500}a{500}",
  "(".repeat(999),
  `${"(".repeat(400)}a${")".repeat(400)}`,
  `${"a|".repeat(499)}b`,
  "[\\x{0}-\\x{10FFFF}]{1000}",
  "(?i)[^k]{1000}",
  "\\pL{900}",
  "(((((.{10}){10}){10}){10}){10})",
);

const SUBJECT = fc.oneof(
  TEXT,
  fc
    .constantFrom("a", "ab", "x", "é", "😀")
    .chain((unit) => fc.constantFrom(3, 50, 3000, 60_000).map((count) => `${unit.repeat(count)}!`)),
);

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/([$%])\{/g, "$1$1{");
}

const WITH_PATTERN = fc
  .tuple(
    fc.constantFrom("replace", "length(replace"),
    fc.oneof({ weight: 3, arbitrary: PATTERN }, { weight: 2, arbitrary: CATASTROPHIC }, { weight: 1, arbitrary: TEXT }),
    SUBJECT,
    fc.oneof(TEXT, fc.constantFrom("$0", "$1$1$1", "${n}", "$$", "x".repeat(10_000))),
  )
  .map(
    ([name, pattern, subject, replacement]) =>
      `${name}(${quoted(subject)}, ${quoted(`/${pattern}/`)}, ${quoted(replacement)})${name.includes("(") ? ")" : ""}`,
  );

/** Work that grows fast: of few characters, or in many steps. */
export const GROWING = fc.constantFrom(
  "[for a in range(1000): [for b in range(1000): [for c in range(1000): c]]]",
  'join("", [for a in range(1000): join("", [for b in range(1000): "xxxxxxxxxxxxxxxxxxxx"])])',
  "flatten([for a in range(500): [for b in range(500): [a, b]]])",
  'format("%99999999s", "x")',
  'format("%.99999f", 1)',
  "range(1e12)",
  "range(0, 1e308, 1e-308)",
  "pow(10, 1e9)",
  'parseint(join("", [for a in range(1000): "99999999999999"]), 10)',
  "1e999999999 * 1e999999999",
  'jsondecode(join("", [for a in range(900): "[[[[[[[[[[[[[[[[[[[["]))',
  "jsonencode([for a in range(1000): [for b in range(300): {a = b}]])",
  'merge([for a in range(1000): {for b in range(300): "k${a}-${b}" => b}]...)',
  'split("", join("", [for a in range(1000): "abcdefghijklmnopqrstuvwxyz"]))',
  "{for x in flatten([for a in range(1000): range(124)]): x => x...}",
  "toset([for a in range(1000): range(400)])",
  "jsondecode(jsonencode([for a in range(1000): [for b in range(80): {a = b}]]))",
  '[for a in range(1000): try({for b in range(130): "key-number-${b}" => b}["kay-number-x"], 1)]',
  '[for m in [{for b in range(1000): "key-number-${b}" => b}]: [for a in range(1000): try(m["kay-number-x"], 1)]]',
  'sort(flatten([for a in range(1000): [for b in range(90): "${b}-${a}"]]))',
  "-".repeat(5000).concat("1"),
  "!".repeat(100_000).concat("true"),
  `${"(".repeat(50_000)}1${")".repeat(50_000)}`,
  "[".repeat(50_000),
  `${"a.".repeat(50_000)}a`,
  `${"true ? ".repeat(20_000)}1`,
  `${"1 + ".repeat(50_000)}1`,
  '"'.concat('${"'.repeat(20_000)),
  `"${"%{ if true }".repeat(20_000)}"`,
);

const CALL = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.array(
      fc.oneof(
        { weight: 2, arbitrary: TEXT.map(quoted) },
        { weight: 2, arbitrary: WELL_FORMED },
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            "null",
            "-1",
            "1e400",
            "0.1",
            "[]",
            "{}",
            "[1, null]",
            "var",
            "local",
            'toset(["a"])',
            "[[1], [2]]",
            "{a = 1}",
            "1e300",
          ),
        },
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom("", "..."),
  )
  .map(([name, args, spread]) => `${name}(${args.join(", ")}${args.length > 0 ? spread : ""})`);

const NESTED_CALL = fc
  .tuple(fc.constantFrom(...NAMES), CALL, CALL)
  .map(([name, one, other]) => `${name}(${one}, ${other})`);

export const EXPRESSIONS = target({
  name: "expressions",
  share: 25,
  cases: fc.oneof(
    { weight: 6, arbitrary: CALL.map((text) => `\${${text}}`) },
    { weight: 3, arbitrary: NESTED_CALL.map((text) => `\${${text}}`) },
    { weight: 3, arbitrary: WELL_FORMED.map((text) => `\${${text}}`) },
    { weight: 3, arbitrary: BROKEN.map((text) => `\${${text}}`) },
    {
      weight: 2,
      arbitrary: mutatedText([
        "a ${var.x} b",
        "%{ for k, v in var }${k}%{ endfor }",
        "%{ if true }a%{ else }b%{ endif ~}",
        "${~ <<EOT\nx\nEOT\n}",
      ]),
    },
    { weight: 1, arbitrary: TEXT },
  ),
  run: (text) => "value" in evaluateHere(text),
});

export const PATTERNS = target({
  name: "patterns",
  share: 10,
  cases: fc
    .oneof({ weight: 100, arbitrary: WITH_PATTERN }, { weight: 1, arbitrary: GROWING })
    .map((text) => `\${${text}}`),
  run: (text) => "value" in evaluateHere(text),
});
