import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Scope, evaluateArgument } from "../../../src/core/config/blocks/evaluate-argument.ts";
import { loadPatterns } from "../../../src/core/model/pattern.ts";
import { UNKNOWN, type Value } from "../../../src/core/model/value.ts";
import { cpuCost } from "../../cpu-cost.ts";

await loadPatterns();

const DIGEST = { $secret: "c0ffee" };
const variable = (value: Value, sensitive = false) => ({ value, sensitive });
const SCOPE: Scope = {
  variables: new Map([
    ["stage", variable("prod")],
    ["on", variable(true)],
    ["later", variable(UNKNOWN)],
    ["some", variable([1, UNKNOWN])],
    ["key", variable("hunter22", true)],
    ["keys", variable({ a: "hunter22", b: "hunter33" }, true)],
  ]),
  locals: new Map([
    ["base", { value: "https://x.example.com", sensitive: false }],
    ["ids", { value: ["c_1", "c_2"], sensitive: false, references: ["data.toy_look.q3"] }],
  ]),
  dataAddresses: new Set([
    "data.toy_look.q3",
    "data.toy_look.q4",
    'data.toy_look.many["a"]',
    'data.toy_look.many["b"]',
  ]),
  known: new Map([
    ["data.toy_look.q3", { id: "c_3", tags: ["x", "y"] }],
    ['data.toy_look.many["a"]', { id: "c_a", tags: [] }],
  ]),
  managed: null,
};
const RESOURCES: Scope = {
  ...SCOPE,
  managed: new Map([
    ["toy_thing.crm", { id: "h_1", name: "crm", secret: DIGEST, later: UNKNOWN }],
    ['toy_thing.audit["k"]', { id: "h_k", name: "audit k", secret: null, later: 1 }],
    ['toy_thing.audit["l.m"]', { id: "h_l", name: "audit l", secret: null, later: 1 }],
    ["toy_thing.row[1]", { id: "h_r1" }],
    ["toy_thing.row[0]", { id: "h_r0" }],
  ]),
  masked: new Map([["toy_thing.crm", ["name"]]]),
};
const evaluate = (expression: string, scope = SCOPE) =>
  evaluateArgument({ kind: "template", text: `\${${expression}}` }, scope);

describe("unknown values", () => {
  test.each<readonly [string, Value]>([
    ["var.later", UNKNOWN],
    ["var.later.x[0]", UNKNOWN],
    ['"a${var.later}"', UNKNOWN],
    ["var.later + 1", UNKNOWN],
    ["!var.later", UNKNOWN],
    ["var.later == 1", UNKNOWN],
    ["[1, var.later] == [2, 2]", false],
    ["[1, var.later] == [1, 2]", UNKNOWN],
    ["{a = var.later} == {b = 1}", false],
    ["var.later && false", false],
    ["false && var.later", false],
    ["true || var.later", true],
    ["var.later || true", true],
    ["var.later || false", UNKNOWN],
    ["var.later ? 1 : 2", UNKNOWN],
    ["var.on ? 1 : var.later", 1],
    ["var.on ? var.later : 1", UNKNOWN],
    ["var.some", [1, UNKNOWN]],
    ["var.some[0]", 1],
    ["var.some[var.later]", UNKNOWN],
    ["[1, 2][var.later]", UNKNOWN],
    ["length(var.some)", 2],
    ["length(var.later)", UNKNOWN],
    ["length(toset(var.some))", UNKNOWN],
    ["reverse(var.some)", [UNKNOWN, 1]],
    ["concat(var.some, [2])", [1, UNKNOWN, 2]],
    ["concat(var.later, [2])", UNKNOWN],
    ["element(var.some, 2)", 1],
    ["contains(var.some, 1)", true],
    ["contains(var.some, 2)", UNKNOWN],
    ["flatten([var.some])", UNKNOWN],
    ["distinct(var.some)", UNKNOWN],
    ['join(",", var.some)', UNKNOWN],
    ["jsonencode(var.some)", UNKNOWN],
    ["tolist(var.some)", [1, UNKNOWN]],
    ["keys({a = var.later})", ["a"]],
    ["values({a = var.later, b = 1})", [UNKNOWN, 1]],
    ["merge({a = var.later}, {b = 1})", { a: UNKNOWN, b: 1 }],
    ["zipmap(var.some, [1, 2])", UNKNOWN],
    ["zipmap([1, 2], var.some)", { 1: 1, 2: UNKNOWN }],
    ["lookup({a = 1}, var.later)", UNKNOWN],
    ["coalesce(null, var.later, 1)", UNKNOWN],
    ["coalesce(1, var.later)", 1],
    ["try(var.later, 1)", UNKNOWN],
    ["try(null.x, var.later.y, 1)", UNKNOWN],
    ["var.later[*].x", UNKNOWN],
    ["[for v in var.later : v]", UNKNOWN],
    ["[for v in var.some : v == 1]", [true, UNKNOWN]],
    ["[for v in [1] : v if var.later]", UNKNOWN],
    ["{(var.later) = 1}", UNKNOWN],
    ["{for v in var.some : v => 1}", UNKNOWN],
    ["upper(var.later...)", UNKNOWN],
    ["nonsensitive(var.later)", UNKNOWN],
    ["data.toy_look.q4.id", UNKNOWN],
    ["data.toy_look.q4.tags[0].x", UNKNOWN],
    ['"x-${data.toy_look.q4.id}"', UNKNOWN],
  ])("makes %s %j", (expression, expected) => {
    expect(evaluate(expression)).toMatchObject({ value: expected, problems: [] });
  });

  test("do not hide other errors", () => {
    expect(evaluate("[var.later, 1 + null]").problems).toHaveLength(1);
    expect(evaluate("var.later ? var.stag : 1").problems).toMatchObject([
      { hint: "Did you mean var.stage?", offset: 14 },
    ]);
  });
});

describe("sensitive values", () => {
  test.each<readonly [string, boolean]>([
    ["var.stage", false],
    ["var.key", true],
    ['"a-${var.key}"', true],
    ["[1, var.key]", true],
    ["[1, var.key][0]", false],
    ["{a = var.key, b = 1}.b", false],
    ["{(var.key) = 1}", true],
    ["var.keys.a", true],
    ["keys(var.keys)", true],
    ["keys({a = var.key})", false],
    ["length([var.key])", false],
    ["length(var.keys)", true],
    ["var.key == var.stage", true],
    ["var.key == null ? 1 : 2", true],
    ["var.on ? 1 : var.key", false],
    ["upper(var.key)", true],
    ["concat([var.key], [1])", true],
    ["concat([var.key], [1])[1]", false],
    ["merge({a = var.key}, {b = 2}).b", false],
    ["merge(var.keys, {b = 2}).b", true],
    ["flatten([[var.key], [1]])[1]", false],
    ["element(values(var.keys), 0)", true],
    ["values(var.keys)[0]", true],
    ["toset([var.key, 1])", true],
    ["distinct([var.key, 1])[0]", true],
    ["[for v in var.keys : 1]", true],
    ["[for k, v in var.keys : 1][0]", true],
    ["[for v in [1] : v if var.key != null]", true],
    ["{for v in [var.key] : v => 1}", true],
    ["[var.key][*]", true],
    ["jsonencode([var.key])", true],
    ["jsondecode(jsonencode([var.key]))[0]", true],
    ['format("%s", var.key)', true],
    ['try(var.key, "a")', true],
    ["try(null.x, var.stage)", false],
    ['coalesce("", var.key)', true],
    ["zipmap([var.key], [1])", true],
    ["tomap({a = var.key}).a", true],
    ["sensitive(1)", true],
    ["sensitive(1) + 1", true],
    ["nonsensitive(var.key)", false],
    ["nonsensitive([var.key])", true],
    ["concat([sensitive([])]...)", true],
    ["var.key.x", true],
    ["tonumber(var.key)", true],
  ])("makes %s sensitive: %s", (expression, expected) => {
    expect(evaluate(expression).sensitive).toBe(expected);
  });

  test.each([
    "tonumber(var.key)",
    "var.key + 1",
    "var.key.hunter",
    "{a = 1}[var.key]",
    "[1][var.key]",
    "lookup({}, var.key)",
    "{for v in [var.key, var.key] : v => 1}",
    'format("%d", var.key)',
    "jsondecode(var.key)",
    "var.keys.c",
    "tolist([var.key, [var.key]])",
    'replace("a", "/(${var.key}/", "")',
    "var.key ? 1 : 2",
    "[for v in var.key : v]",
  ])("is not shown by the problem of %s", (expression) => {
    const { problems, sensitive } = evaluate(expression);
    expect(problems).toHaveLength(1);
    expect(sensitive).toBe(true);
    expect(JSON.stringify(problems)).not.toContain("hunter22");
  });
});

describe("the data sources that a value depends on", () => {
  const Q3 = "data.toy_look.q3";
  test.each<readonly [string, readonly string[]]>([
    ["var.stage", []],
    ["data.toy_look.q3.id", [Q3]],
    ["data.toy_look.q4.id", ["data.toy_look.q4"]],
    ['"${data.toy_look.q4.id}-${data.toy_look.q3.tags[0]}"', [Q3, "data.toy_look.q4"]],
    ['upper(join("", data.toy_look.q3.tags))', [Q3]],
    ["[for v in data.toy_look.q3.tags : 1]", [Q3]],
    ["{a = data.toy_look.q3.id, b = 1}.b", []],
    ["var.on ? var.stage : data.toy_look.q3.id", []],
    ["data.toy_look.q3.id == null ? 1 : 2", [Q3]],
    ["local.ids[0]", [Q3]],
    ["nonsensitive(data.toy_look.q3.id)", [Q3]],
    ['data.toy_look.many["a"].id', ['data.toy_look.many["a"]']],
    ["[for v in data.toy_look.many : v.id]", ['data.toy_look.many["a"]', 'data.toy_look.many["b"]']],
    ['data.toy_look.many[lower("A")].id', ['data.toy_look.many["a"]']],
  ])("of %s are %j", (expression, expected) => {
    expect(evaluate(expression)).toMatchObject({ references: expected, problems: [] });
  });
});

describe("a reference", () => {
  const each = { key: "emailsSent", value: { url: "u", secret: "hunter22" }, references: ["data.toy_look.q3"] };
  test.each<readonly [string, Partial<Scope>, Value]>([
    ["local.base", {}, "https://x.example.com"],
    ["each.key", { each }, "emailsSent"],
    ["each.value.url", { each }, "u"],
    ["count.index + 1", { countIndex: 0 }, 1],
    ["terraform.workspace", {}, "default"],
    ["jsonencode(data.toy_look.q3)", {}, '{"id":"c_3","tags":["x","y"]}'],
    ['data.toy_look.q3["id"]', {}, "c_3"],
    ["data.toy_look.q3[*].id", {}, ["c_3"]],
    ['data.toy_look.many["a"].id', {}, "c_a"],
    ['data.toy_look.many["b"].id', {}, UNKNOWN],
    ["data.toy_look.many[each.key].id", { each: { key: "a", value: null } }, "c_a"],
    ["[for each in [1] : each]", {}, [1]],
  ])("%s, given %j, is %j", (expression, more, expected) => {
    expect(evaluate(expression, { ...SCOPE, ...more })).toMatchObject({ value: expected, problems: [] });
  });

  test("to each.value keeps its dependencies", () => {
    expect(evaluate("each.value.url", { ...SCOPE, each: { ...each, sensitive: true } })).toMatchObject({
      sensitive: true,
      references: ["data.toy_look.q3"],
    });
  });

  test.each<readonly [string, Value, boolean]>([
    ["toy_thing.crm.id", "h_1", false],
    ["toy_thing.crm.later", UNKNOWN, false],
    ["toy_thing.crm.name", "crm", true],
    ["toy_thing.crm.secret", DIGEST, true],
    ["[toy_thing.crm.secret]", [DIGEST], true],
    ['toy_thing.audit["k"].id', "h_k", false],
    ['toy_thing.audit["l.m"].id', "h_l", false],
    ['toy_thing.audit["${"k"}"].id', "h_k", false],
    ["[for k, v in toy_thing.audit : k]", ["k", "l.m"], false],
    ["{for k, v in toy_thing.audit : k => v.id}", { k: "h_k", "l.m": "h_l" }, false],
    ["toy_thing.row[1].id", "h_r1", false],
    ["toy_thing.row[*].id", ["h_r0", "h_r1"], false],
    ["length(toy_thing.audit)", 2, false],
  ])("from an output to the resource %s is %j", (expression, expected, sensitive) => {
    expect(evaluate(expression, RESOURCES)).toMatchObject({ value: expected, sensitive, problems: [] });
  });

  test("from an output to a whole resource has all its attributes and sensitive marks", () => {
    expect(evaluate("toy_thing.crm", RESOURCES)).toMatchObject({
      value: { id: "h_1", secret: DIGEST },
      sensitive: true,
    });
  });

  test.each<readonly [string, Scope, string, string]>([
    ["var.stag", SCOPE, "does not declare the variable stag", "Did you mean var.stage?"],
    ["local.bas", SCOPE, "The local bas does not exist", "Did you mean local.base?"],
    ["vars.stage", SCOPE, "neither a variable nor a data source", "Did you mean var.stage?"],
    ["stage", SCOPE, "neither a variable nor a data source", "Did you mean var.stage?"],
    ["unlike", SCOPE, "neither a variable nor a data source", "Write var.NAME"],
    ["var.stgae", SCOPE, "does not declare the variable stgae", "Did you mean var.stage?"],
    ["data.toy_look.q33.id", SCOPE, "does not declare data.toy_look.q33", "Did you mean data.toy_look.q3?"],
    ["data.toy_look.q3.ids", SCOPE, "has no attribute ids", "Did you mean id?"],
    ["data.toy_look.q3", SCOPE, "is a whole data source", ""],
    ['data.toy_look.many["c"].id', SCOPE, "has no instance", 'Did you mean data.toy_look.many["a"]?'],
    ["data.toy_look.many.created_at", SCOPE, "has no instance", 'Write data.toy_look.many["a"].'],
    ["each.key", SCOPE, "only available inside a block", ""],
    ["each.keys", { ...SCOPE, each }, "each.key and each.value", ""],
    ["count.index", SCOPE, "only available inside a block", ""],
    ["terraform.version", SCOPE, "only has terraform.workspace", ""],
    ["toy_thing.crm.id", SCOPE, "only outputs and checks can refer to resources", "a variable or a data source"],
    ["toy_thing.crn.id", RESOURCES, "does not declare toy_thing.crn", "Did you mean toy_thing.crm?"],
    ["toy_thing.audi.id", RESOURCES, "does not declare toy_thing.audi", "Did you mean toy_thing.audit?"],
    ["toy_thing.crm.nam", RESOURCES, "has no attribute nam", "Did you mean name?"],
    ["try(var.stag, 1)", SCOPE, "does not declare the variable stag", ""],
    ["var.on ? 1 : var.stag", SCOPE, "does not declare the variable stag", ""],
  ])("%s is refused", (expression, scope, detail, hint) => {
    const { problems, value } = evaluate(expression, scope);
    expect(problems).toMatchObject([{ code: "reference_invalid", detail: expect.stringContaining(detail) }]);
    expect(problems[0]?.hint ?? "").toContain(hint);
    expect(value).toEqual(UNKNOWN);
  });

  test("that is invalid is reported with all others, each with its position", () => {
    const { problems } = evaluateArgument(
      { kind: "template", text: "${var.a}-${upper(var.b)}-${data.x_y.z.id}" },
      SCOPE,
    );
    expect(problems.map(({ offset }) => offset)).toEqual([2, 17, 27]);
  });
});

describe("a secret with only a known fingerprint", () => {
  test.each([
    "upper(toy_thing.crm.secret)",
    '"a${toy_thing.crm.secret}"',
    'toy_thing.crm.secret == "x"',
    "jsonencode([toy_thing.crm.secret])",
    "toy_thing.crm.secret[0]",
  ])("cannot be used in %s", (expression) => {
    const { problems } = evaluate(expression, RESOURCES);
    expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain("c0ffee");
  });

  test("differs from null", () => {
    expect(evaluate("toy_thing.crm.secret == null", RESOURCES)).toMatchObject({ value: false, problems: [] });
  });

  test.each(['{"$secret" = "x"}', '{"$unknown" = true}', 'jsondecode("{\\"$unknown\\":true}")'])(
    "cannot be forged by %s",
    (expression) => {
      expect(evaluate(expression)).toMatchObject({ value: UNKNOWN, problems: [{ code: "expression_failed" }] });
    },
  );
});

describe("values that grow too large", () => {
  const power = (levels: number, innermost: string): string =>
    levels === 0 ? innermost : `[for x in [${power(levels - 1, innermost)}] : [x, x]]`;
  const doubled = (levels: number, innermost: string): string =>
    levels === 0 ? innermost : `[for x in [${doubled(levels - 1, innermost)}] : "\${x}\${x}"][0]`;
  test.each<readonly [string, string]>([
    ["loops in loops", "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : 1]]]"],
    ["a value that doubles repeatedly", power(25, "1")],
    ["a string that doubles repeatedly", doubled(12, `"${"x".repeat(1000)}"`)],
    [
      "a string with longer replacements",
      'replace(join("", [for v in range(1000) : "aaaaaaaaaa"]), "", join("", [for v in range(1000) : "aaaaaaaaaa"]))',
    ],
    [
      "a pattern with longer replacements",
      'replace(join("", [for v in range(1000) : "aaaaaaaaaa"]), "/a/", join("", [for v in range(1000) : "aaaaaaaaaa"]))',
    ],
    ["a width", 'format("%1000000000d", 1)'],
    ["equal values with many parts", power(22, "1").replace(/^/, "1 == ")],
    ["a limit inside try", "try([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : 1]]], 1)"],
  ])("is refused: %s", async (_, expression) => {
    const refuse = () => expect(evaluate(expression).problems).toMatchObject([{ code: "expression_limit" }]);
    expect(await cpuCost(refuse)).toBeLessThan(220);
  });

  test("are refused if they are nested too deeply", () => {
    const deep = Array.from({ length: 5000 }).reduce<Value>((inner) => [inner], 1);
    expect(evaluate("var.deep", { ...SCOPE, variables: new Map([["deep", variable(deep)]]) }).problems).toMatchObject([
      { code: "expression_limit" },
    ]);
    const json = "[".repeat(5000) + "]".repeat(5000);
    expect(
      evaluate("jsondecode(var.json)", { ...SCOPE, variables: new Map([["json", variable(json)]]) }).problems,
    ).toHaveLength(1);
  });
});

describe("any expression", () => {
  const tokens =
    '1|0|-1|1e3|0.5|true|false|null|"a"|"${var.stage}"|var.stage|var.later|var.key|var.some|var.keys|data.toy_look.q3|data.toy_look.q4.id|local.ids|x|each.key';
  const leaf = fc.constantFrom(...tokens.split("|"));
  const names =
    "length upper lower join split concat flatten keys values merge contains coalesce tolist toset tomap tostring tonumber jsonencode jsondecode sort reverse distinct compact element lookup range zipmap format replace startswith sensitive nonsensitive try trimspace";
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc
        .tuple(tie("expression"), fc.constantFrom(..."+ - * / % == != < <= > >= && ||".split(" ")), tie("expression"))
        .map((parts) => `(${parts.join(" ")})`),
      fc
        .tuple(fc.constantFrom(...names.split(" ")), fc.array(tie("expression"), { maxLength: 3 }))
        .map(([name, args]) => `${name}(${args.join(", ")})`),
      fc.array(tie("expression"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
      fc
        .array(fc.tuple(tie("expression"), tie("expression")), { maxLength: 3 })
        .map((entries) => `{${entries.map(([key, value]) => `(${key}) = ${value}`).join(", ")}}`),
      fc.tuple(tie("expression"), tie("expression"), tie("expression")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc
        .tuple(tie("expression"), tie("expression"), tie("expression"))
        .map(([a, b, c]) => `[for k, x in ${a} : ${b} if ${c}]`),
      fc
        .tuple(tie("expression"), tie("expression"), tie("expression"))
        .map(([a, b, c]) => `{for k, x in ${a} : ${b} => ${c}...}`),
      fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `${a}[${b}]`),
      tie("expression").map((a) => `${a}[*].id`),
      tie("expression").map((a) => `"=\${${a}}"`),
    ),
  }));
  const scope = {
    ...SCOPE,
    each: { key: "k", value: null },
    variables: new Map([...SCOPE.variables, ["x", variable(1)]]),
  };

  test("has a value or problems inside its text, the same every time", () => {
    fc.assert(
      fc.property(expression, (text) => {
        const result = evaluate(text, scope);
        for (const { offset } of result.problems) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(text.length + 3);
        }
        if (result.problems.length > 0) expect(result.value).toEqual(UNKNOWN);
        expect(evaluate(text, scope)).toEqual(result);
      }),
      { numRuns: 1000 },
    );
  });

  test("whose value shows a sensitive one is sensitive, and its problems never show it", () => {
    fc.assert(
      fc.property(expression, (text) => {
        fc.pre(!text.includes("nonsensitive"));
        const { value, sensitive, problems } = evaluate(text, scope);
        if (/hunter/i.test(JSON.stringify(value))) expect(sensitive).toBe(true);
        expect(JSON.stringify(problems)).not.toMatch(/hunter/i);
      }),
      { numRuns: 1000 },
    );
  });

  test("that is known with less information is the same with more", () => {
    const later = { ...scope, variables: new Map([...scope.variables, ["later", variable("now")]]) };
    fc.assert(
      fc.property(expression, (text) => {
        const [before, after] = [evaluate(text, scope), evaluate(text, later)];
        if (before.problems.length === 0 && after.problems.length === 0)
          expect(agrees(before.value, after.value)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Whether `after` agrees with `before` wherever `before` was known. */
function agrees(before: unknown, after: unknown): boolean {
  if (typeof before !== "object" || before === null) return before === after;
  if ("$unknown" in before) return true;
  if (typeof after !== "object" || after === null) return false;
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(after).length &&
    keys.every((key) => agrees((before as { [key: string]: unknown })[key], (after as { [key: string]: unknown })[key]))
  );
}
