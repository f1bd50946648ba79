import * as fc from "fast-check";

/** The same expressions in every run. */
export function generated(arbitrary: fc.Arbitrary<string>, count: number): readonly string[] {
  return [...new Set(fc.sample(arbitrary, { numRuns: count, seed: 20_260_701 }))];
}

const SMALL = { maxDepth: 2, withCrossShrink: true };
const GAP = fc.constantFrom(
  ...Array.from({ length: 20 }, () => ""),
  " ",
  " ",
  "  ",
  "\t",
  "\n",
  "/* é😀 */",
  "# so\n",
  "// so\n",
);
const NAME = fc.constantFrom(
  "a",
  "b",
  "var",
  "local",
  "each",
  "q3-launch",
  "größe",
  "_x",
  "for-each",
  "iff",
  "nullable",
  "𝐱",
);
const LITERAL = fc.constantFrom("0", "7", "007", "1.50", "1e3", "2.5E-3", "true", "false", "null");
const PIECE = fc.constantFrom(
  "a",
  "é",
  "😀",
  "$",
  "%",
  "$$",
  "}",
  "{",
  "'",
  "#",
  "\\n",
  '\\"',
  "\\\\",
  "\\u00e9",
  "\\U0001F600",
  "$${",
  "%%{",
  "x y",
);
const OPERATOR = fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||");

function join(...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  return fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((all) => all.join(""));
}

function listed(item: fc.Arbitrary<string>, separator: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(join(GAP, item), { maxLength: 3 }), fc.boolean())
    .map(([items, trailing]) => `${items.join(separator)}${trailing && items.length > 0 ? separator : ""}`);
}

/** The whole grammar, with or without values. */
export const WELL_FORMED: fc.Arbitrary<string> = fc.letrec<{
  readonly any: string;
  readonly term: string;
  readonly text: string;
}>((tie) => {
  const any = join(GAP, tie("any"), GAP);
  const steps = fc.array(
    fc.oneof(
      join(GAP, ".", NAME),
      join(GAP, ".", fc.constantFrom("0", "12")),
      join("[", fc.oneof(LITERAL, NAME, tie("text"), join(tie("term"), OPERATOR, tie("any"))), "]"),
      join("[*]"),
      join(".*"),
    ),
    { minLength: 1, maxLength: 3 },
  );
  const key = fc.oneof(NAME, join("(", any, ")"), tie("text"), fc.constantFrom("1", "true", "null"));
  const entry = join(key, fc.constantFrom("=", " = ", ":", " : "), tie("term"));
  const names = fc.oneof(NAME, join(NAME, GAP, ",", GAP, NAME));
  const head = join("for ", names, " in ", any, ":", any);
  const condition = fc.oneof(fc.constant(""), join(" if ", any));
  return {
    text: fc
      .array(
        fc.oneof(
          { weight: 3, arbitrary: PIECE },
          join(fc.constantFrom("${", "${~ "), any, fc.constantFrom("}", " ~}")),
        ),
        { maxLength: 4 },
      )
      .map((parts) => `"${parts.join("")}"`),
    term: fc.oneof(
      SMALL,
      LITERAL,
      NAME,
      tie("text"),
      fc.tuple(tie("term"), steps).map(([term, all]) => term + all.join("")),
      join("(", any, ")"),
      join("[", listed(tie("any"), ","), GAP, "]"),
      join("{", listed(entry, ","), "}"),
      join(
        "{",
        fc.array(join("\n", entry), { maxLength: 3 }).map((entries) => entries.join("")),
        "\n}",
      ),
      join(NAME, "(", listed(tie("any"), ","), GAP, ")"),
      join(NAME, "(", any, "...", GAP, ")"),
      join("[", GAP, head, condition, "]"),
      join("{", head, "=>", any, fc.constantFrom("", "..."), condition, "}"),
    ),
    any: fc.oneof(
      SMALL,
      tie("term"),
      join(fc.constantFrom("!", "-", "- "), tie("term")),
      join(tie("term"), GAP, OPERATOR, GAP, tie("any")),
      join(tie("term"), GAP, "?", any, ":", any),
    ),
  };
}).any;

const SIGNS = [..."()[]{}.,:?!-+*/%<>=&|\"\\$~# \n'0a_é😀`@;^"].concat([
  "...",
  "=>",
  "==",
  "${",
  "%{",
  "[*]",
  ".*",
  "for ",
  " in ",
  " if ",
  "::",
  "<<",
  "/*",
  "*/",
  "&&",
  "1.",
  "1e",
]);

/** Well-formed expressions with something removed, added or duplicated; most are no longer well-formed. */
export const BROKEN: fc.Arbitrary<string> = fc
  .tuple(
    WELL_FORMED,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom("drop", "insert", "double", "cut"), fc.constantFrom(...SIGNS)), {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([expression, changes]) =>
    changes.reduce((text, [where, how, sign]) => {
      const signs = Array.from(text);
      const at = where % (signs.length + 1);
      if (how === "drop") signs.splice(at, 1);
      else if (how === "cut") signs.splice(at);
      else signs.splice(at, 0, how === "insert" ? sign : (signs[at] ?? sign));
      return signs.join("");
    }, expression),
  );

/** Expressions that both oracles parse and we refuse, because we cannot evaluate them exactly. */
export function refusedOnPurpose({ detail }: { readonly detail: string }): boolean {
  return /too large|not supported|only supported in Terraform/.test(detail);
}
