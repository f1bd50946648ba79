import * as fc from "fast-check";

const KINDS = ["text", "number", "bool", "texts", "numbers", "object"] as const;
type Kind = (typeof KINDS)[number];
/** The variables of the enclosing `for` expressions, by type. */
type Bound = readonly (readonly [name: string, kind: Kind])[];

const WORDS = [
  '""',
  '"a"',
  '"b"',
  '"B c"',
  '" x "',
  '"é"',
  '"e\\u0301"',
  '"😀"',
  '"12"',
  '"$${a}"',
  '"a,b,,c"',
  '"\\t\\"\\\\"',
  "var.stage",
  "local.base",
];
const LEAVES: { readonly [kind in Kind]: readonly string[] } = {
  text: [...WORDS, "var.list[0]", "var.map.k", 'var.hooks[1]["name"]', "terraform.workspace"],
  number: [
    "0",
    "1",
    "2",
    "7",
    "-3",
    "0.1",
    "0.25",
    "1.50",
    "1e2",
    "var.amount",
    "local.ports.http",
    "var.keyed.a.n",
    "var.hooks.0.n",
  ],
  bool: ["true", "false", "var.on", '"true"', "var.nothing == null", 'var.stage == "prod"', "1 < 2", "2 != 2.0"],
  texts: [
    "[]",
    '["b", "a", "b"]',
    "var.list",
    "var.hooks[*].name",
    "var.hooks[0].tags",
    'tolist(["x"])',
    'toset(["z", "y", "z"])',
    '["é", "", "e\\u0301"]',
    "keys(var.keyed)",
  ],
  numbers: [
    "[]",
    "[3, 1, 2.5]",
    "range(4)",
    "var.hooks.*.n",
    "toset([2, 2, 10])",
    "values(var.keyed)[*].n",
    "[for k, v in var.keyed : v.n]",
  ],
  object: [
    '{a = 1, b = "x"}',
    "var.hooks[0]",
    'tomap({a = "p", z = "q"})',
    '{"é" = "ü", b = "y"}',
    "var.keyed.b",
    '{"b" = "2", a = 1, c = true}',
  ],
};

const made = new Map<string, fc.Arbitrary<string>>();

function expression(kind: Kind, depth: number, bound: Bound): fc.Arbitrary<string> {
  const key = JSON.stringify([kind, depth, bound]);
  const known = made.get(key);
  if (known) return known;
  const names = bound.filter(([, of]) => of === kind).map(([name]) => name);
  const leaf = fc.constantFrom(...LEAVES[kind], ...names, ...names, ...names, ...names);
  const arbitrary = depth === 0 ? leaf : fc.oneof({ weight: 2, arbitrary: leaf }, ...nodes(kind, depth - 1, bound));
  made.set(key, arbitrary);
  return arbitrary;
}

/** A template literal whose parts are generated. */
function write(texts: TemplateStringsArray, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((all) => String.raw({ raw: texts }, ...all));
}

function nodes(kind: Kind, depth: number, bound: Bound): readonly fc.Arbitrary<string>[] {
  // Sometimes another type, which is converted or refused.
  const others = KINDS.map((other) => expression(other, depth, bound));
  const of = (inner: Kind): fc.Arbitrary<string> =>
    fc.oneof({ weight: 45, arbitrary: expression(inner, depth, bound) }, ...others);
  const [text, number, bool, texts, numbers, object] = [
    of("text"),
    of("number"),
    of("bool"),
    of("texts"),
    of("numbers"),
    of("object"),
  ];
  const under = (name: string, inner: Kind, body: Kind): fc.Arbitrary<string> =>
    expression(body, depth, [...bound.filter(([other]) => other !== name), [name, inner]]);
  const common = [
    write`${bool} ? ${of(kind)} : ${of(kind)}`,
    write`(${of(kind)})`,
    write`try(${of(kind)}, ${of(kind)})`,
    write`coalesce(${of(kind)}, ${of(kind)})`,
    write`[${of(kind)}, ${of(kind)}][${fc.constantFrom("0", "1", '"1"', "2")}]`,
    write`element([${of(kind)}, ${of(kind)}], ${fc.constantFrom("0", "1", "7", '"2"', "0.5", "var.amount")})`,
    write`{x = ${of(kind)}, ${fc.constantFrom('"y z"', "(var.stage)", "3")} = ${of(kind)}}.x`,
    write`jsondecode(jsonencode(${of(kind)}))`,
    write`nonsensitive(sensitive(${of(kind)}))`,
    write`lookup({a = ${of(kind)}}, ${fc.constantFrom('"a"', '"c"')}, ${of(kind)})`,
  ];
  return [...common, ...nodesOf({ text, number, bool, texts, numbers, object }, under)[kind]];
}

type Parts = { readonly [kind in Kind]: fc.Arbitrary<string> };

function nodesOf(
  parts: Parts,
  under: (name: string, inner: Kind, body: Kind) => fc.Arbitrary<string>,
): { readonly [kind in Kind]: readonly fc.Arbitrary<string>[] } {
  const { text, number, bool, texts, numbers, object } = parts;
  return {
    text: [
      write`"${fc.constantFrom("", "x ", "é")}\${${text}}-\${${number}}"`,
      write`"\${${bool}}\${~ ${text} ~} \t/"`,
      write`${fc.constantFrom("upper", "lower", "trimspace", "tostring")}(${text})`,
      write`tostring(${number})`,
      write`join(${text}, ${texts})`,
      write`replace(${text}, ${fc.constantFrom('"a"', '""', '"é"', '"/[a-c]+/"', '"/(.)b/"', '"/^|$/"')}, ${fc.constantFrom('"-"', '"<$1>"', '""')})`,
      write`format(${fc.constantFrom('"%s|%9.6f"', '"%-6s%012.8f"', '"%q %v"', '"%[2]v%[1]s"')}, ${text}, ${number})`,
      write`jsonencode(${fc.oneof(text, number, bool, texts, numbers, object)})`,
      write`(${object}).b`,
      write`lookup(${object}, ${text}, ${text})`,
      write`(${texts})[${number}]`,
    ],
    number: [
      write`${number} ${fc.constantFrom("+", "-")} ${number}`,
      write`(${number}) * ${fc.constantFrom("2", "0.5", "10")}`,
      write`(${number}) / ${fc.constantFrom("2", "4", "0.5", "-8")} + 1`,
      write`(${number}) % ${fc.constantFrom("2", "3", "0.75")}`,
      write`length(${fc.oneof(text, texts, numbers, object)})`,
      write`tonumber(${text})`,
      write`tonumber("\${${number}}")`,
      write`(${object}).a`,
      write`(${numbers})[0]`,
    ],
    bool: [
      write`${number} ${fc.constantFrom("<", "<=", ">", ">=")} ${number}`,
      write`(${text}) ${fc.constantFrom("==", "!=")} (${text})`,
      write`(${texts}) == (${texts})`,
      write`(${object}) != (${object})`,
      write`!(${bool})`,
      write`(${bool}) ${fc.constantFrom("&&", "||")} ${fc.constantFrom(...LEAVES.bool)}`,
      write`contains(${texts}, ${text})`,
      write`contains(${numbers}, ${number})`,
      write`${fc.constantFrom("startswith", "endswith")}(${text}, ${text})`,
    ],
    texts: [
      write`[${text}, ${text}]`,
      write`[for v in ${texts} : ${under("v", "text", "text")}]`,
      write`[for i, v in ${texts} : ${under("v", "text", "text")} if i ${fc.constantFrom("!= 1", '!= "b"')}]`,
      write`[for k, v in ${object} : ${under("k", "text", "text")}]`,
      write`[for v in ${texts} : v if ${under("v", "text", "bool")}]`,
      write`${fc.constantFrom("distinct", "compact", "sort", "reverse", "toset", "tolist", "flatten")}(${texts})`,
      write`concat(${texts}, ${texts})`,
      write`flatten([${texts}, [${texts}], ${text}])`,
      write`split(${fc.constantFrom('","', '""', '" "')}, ${text})`,
      write`keys(${object})`,
      write`[{t = ${texts}}, {t = ${texts}}]${fc.constantFrom("[*].t[0]", ".*.t[0]", "[*].t", ".*.t")}`,
      write`tolist([${text}, ${number}, ${bool}])`,
    ],
    numbers: [
      write`[${number}, ${number}]`,
      write`[for n in ${numbers} : ${under("n", "number", "number")}]`,
      write`[for n in ${numbers} : n if ${under("n", "number", "bool")}]`,
      write`${fc.constantFrom("distinct", "reverse", "toset", "tolist")}(${numbers})`,
      write`concat(${numbers}, [${number}])`,
      write`range(${fc.constantFrom("0", "1", "-1")}, ${fc.constantFrom("5", "2.5", "-4")})`,
      write`values({a = ${number}, b = ${number}})`,
    ],
    object: [
      write`{a = ${number}, b : ${text}}`,
      write`merge(${object}, ${object})`,
      write`zipmap(${texts}, ${texts})`,
      write`tomap({a = ${number}, b = ${fc.oneof(text, number)}})`,
      write`{for v in ${texts} : v => ${under("v", "text", "text")}...}`,
      write`{for k, v in ${object} : ${under("k", "text", "text")} => v}`,
      write`{for i, v in ${texts} : "\${i}" => ${under("v", "text", "number")} if v != "a"}`,
      write`{(${text}) = ${texts}}`,
    ],
  };
}

/**
 * Expressions of the supported subset. Most have a value; the others have none in Terraform either. Known differences are
 * left out: inexact divisions, negative zeros, a failure after `false &&` or `true ||`, and the types that
 * `evaluateTemplate` documents.
 */
export const VALUED: fc.Arbitrary<string> = fc.oneof(...KINDS.map((kind) => expression(kind, 3, [])));
