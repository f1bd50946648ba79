import { describe, expect, test } from "vitest";
import type { Argument, Block, Configuration, Variable } from "../../../src/core/config/block.ts";
import { evaluator } from "../../../src/core/config/evaluate.ts";
import { type VariableValue, resolveVariables } from "../../../src/core/config/variables/variables.ts";
import { type Catalog, defineDataSource } from "../../../src/core/model/definition.ts";
import { type Attributes, UNKNOWN, type Value } from "../../../src/core/model/value.ts";
import { toy } from "../toy.ts";
import { convert } from "../../../src/core/config/blocks/evaluate-block.ts";
import { NUMBER_TEXTS } from "../expression/cases.ts";

const look = defineDataSource<null>()({
  type: "toy_look",
  docs: "",
  schema: {
    name: { type: "string", mode: "required", docs: "" },
    id: { type: "string", mode: "computed", docs: "" },
    tags: { type: { list: "string" }, mode: "computed", docs: "" },
  },
  read: () => Promise.resolve({ value: null, diagnostics: [] }),
});
const catalog: Catalog = { resources: [toy], dataSources: [look] };

const literal = (value: Value): Argument => ({ kind: "literal", value });
const template = (text: string): Argument => ({ kind: "template", text });

function block(name: string, args: Block["arguments"], more: Partial<Block> = {}): Block {
  const locate: Block["locate"] = (path) => ({ file: "toys.yaml", line: 1 + path.length, text: path.join(".") });
  return { mode: "managed", type: "toy_thing", name, provider: "toy", arguments: args, locate, ...more };
}
const dataBlock = (name: string, args: Block["arguments"]): Block =>
  block(name, args, { mode: "data", type: "toy_look" });

function evaluate(
  blocks: readonly Block[],
  known: { readonly [address: string]: Attributes } = {},
  variables: { readonly [name: string]: VariableValue } = {},
) {
  const configuration: Configuration = {
    variables: [],
    blocks,
    outputs: [],
    imports: [],
    moved: [],
    removed: [],
    limits: {},
    service: { baseUrl: null, apiKey: null, locate: () => undefined },
    state: { backend: "local", settings: { path: literal("s.json") } },
    folder: ".",
  };
  return evaluator(
    configuration,
    new Map(Object.entries(variables)),
    catalog,
  )({ known: new Map(Object.entries(known)), instances: [] });
}

const plain = (value: Value): VariableValue => ({ value, sensitive: false });
const LOOKED = { "data.toy_look.q3": { name: "Q3", id: "id_q3", tags: ["x", "y"] } };
const Q3 = dataBlock("q3", { name: literal("Q3") });

describe("an argument", () => {
  const variables = {
    stage: plain("prod"),
    count: plain(3),
    on: plain(true),
    none: plain(null),
    list: plain(["a", "b"]),
    map: plain({ k: "v" }),
  };
  test.each<readonly [string, Argument, Value]>([
    ["is a literal unchanged", literal("attic"), "attic"],
    ["is null unchanged", literal(null), null],
    ["takes a variable", template("${var.stage}"), "prod"],
    ["joins text and references", template("a-${var.stage}-${var.count}-${var.on}"), "a-prod-3-true"],
    ["converts a number to a string", template("${var.count}"), "3"],
    ["takes null from a single reference", template("${var.none}"), null],
    ["selects from a list", template("${var.list[1]}"), "b"],
    ["selects from a map", template("${var.map.k}"), "v"],
    ["takes an attribute of a data source", template("${data.toy_look.q3.id}"), "id_q3"],
    ["selects from an attribute of a data source", template("${data.toy_look.q3.tags[0]}"), "x"],
  ])("%s", (_, room, expected) => {
    const { declarations, diagnostics } = evaluate([Q3, block("a", { name: literal("a"), room })], LOOKED, variables);
    expect(diagnostics).toEqual([]);
    expect(declarations[0]?.attributes["room"]).toEqual(expected);
  });

  test.each<readonly [string, Argument, string, string]>([
    ["an undeclared variable", template("${var.stag}"), "reference_invalid", "Did you mean var.stage?"],
    [
      "an undeclared data source",
      template("${data.toy_look.q4.id}"),
      "reference_invalid",
      "Did you mean data.toy_look.q3?",
    ],
    ["a missing attribute", template("${data.toy_look.q3.ids}"), "reference_invalid", "Did you mean id?"],
    ["a property of every JavaScript object", template("${data.toy_look.q3.constructor}"), "reference_invalid", ""],
    ["a whole data source", template("${data.toy_look.q3}"), "reference_invalid", ""],
    ["an index past the end", template("${var.list[2]}"), "reference_invalid", ""],
    ["a step into a string", template("${var.stage.x}"), "reference_invalid", ""],
    ["something else", template("${local.x}"), "reference_invalid", "$${"],
    ["null inside a string", template("a${var.none}"), "template_value", ""],
    ["a list inside a string", template("a${var.list}"), "template_value", ""],
    ["an invalid expression", template("${1 +}"), "expression_invalid", ""],
    ["a list instead of a string", template("${var.list}"), "wrong_type", ""],
  ])("that refers to %s is refused at its position", (_, room, code, hint) => {
    const { diagnostics } = evaluate([Q3, block("a", { name: literal("a"), room })], LOOKED, variables);
    expect(diagnostics).toMatchObject([
      { code, severity: "error", address: "toy_thing.a", place: { file: "toys.yaml", text: "room" } },
    ]);
    expect(diagnostics[0]?.hint ?? "").toContain(hint);
  });

  test.each([...NUMBER_TEXTS, ["1e400", undefined] as const])(
    "%j as a number is %j, as in Terraform",
    (given, expected) => {
      expect(convert(given, "number")).toBe(expected);
    },
  );

  test.each<readonly [Value, Value | undefined]>([
    [true, true],
    ["true", true],
    ["false", false],
    ["yes", undefined],
    [1, undefined],
    [null, null],
  ])("%j as a boolean is %j", (given, expected) => {
    const { declarations, diagnostics } = evaluate([block("a", { name: literal("a"), shiny: literal(given) })]);
    expect(diagnostics.map(({ code }) => code)).toEqual(expected === undefined ? ["wrong_type"] : []);
    expect(declarations[0]?.attributes["shiny"]).toEqual(expected);
  });

  test("of the wrong type is reported once, even if it is required", () => {
    const { diagnostics } = evaluate([block("a", { name: literal(["a"]) })]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["wrong_type"]);
  });

  test("that is required and null is reported at its position", () => {
    const { diagnostics } = evaluate([block("a", { name: literal(null) })]);
    expect(diagnostics).toMatchObject([{ code: "attribute_missing", place: { text: "name" } }]);
  });
});

describe("a data source that is not read yet", () => {
  const blocks = [
    Q3,
    dataBlock("next", { name: template("${data.toy_look.q3.id}") }),
    block("a", { name: template("x-${data.toy_look.next.id}") }),
  ];

  test("is read in rounds, with the known part of its configuration", () => {
    const first = evaluate(blocks);
    expect(first.reads.map(({ address, config }) => [address, config])).toEqual([
      ["data.toy_look.q3", { name: "Q3" }],
      ["data.toy_look.next", { name: UNKNOWN }],
    ]);
    expect(first.declarations[0]?.attributes["name"]).toEqual(UNKNOWN);
    const second = evaluate(blocks, LOOKED);
    expect(second.reads.map(({ address, config }) => [address, config])).toEqual([
      ["data.toy_look.next", { name: "id_q3" }],
    ]);
    const third = evaluate(blocks, { ...LOOKED, "data.toy_look.next": { name: "id_q3", id: "n", tags: [] } });
    expect(third.reads).toEqual([]);
    expect(third.declarations[0]?.attributes["name"]).toBe("x-n");
  });

  test("evaluates the same every time", () => {
    expect(JSON.stringify(evaluate(blocks, LOOKED))).toBe(JSON.stringify(evaluate(blocks, LOOKED)));
  });
});

describe("a secret", () => {
  const env: Argument = { kind: "secret", source: { kind: "env", name: "HOOK" } };

  test("stays a reference, separate from the attributes", () => {
    const { declarations, diagnostics } = evaluate([block("a", { name: literal("a"), secret: env })]);
    expect(diagnostics).toEqual([]);
    expect(declarations[0]).toMatchObject({
      attributes: { name: "a" },
      secrets: { secret: { kind: "env", name: "HOOK" } },
    });
    expect(declarations[0]?.attributes).not.toHaveProperty("secret");
  });

  test.each<readonly [string, Argument]>([
    ["a literal", literal("hunter22")],
    ["a template without references", template("hunter22")],
    ["a template with an escape only", template("$${hunter22}")],
  ])("that is %s is refused without showing it", (_, secret) => {
    const { declarations, diagnostics } = evaluate([block("a", { name: literal("a"), secret })]);
    expect(diagnostics).toMatchObject([{ code: "secret_literal", place: { text: "secret" } }]);
    expect(JSON.stringify([declarations, diagnostics])).not.toContain("hunter22");
  });

  test("from a variable is a value that is not in the attributes", () => {
    const { declarations, diagnostics } = evaluate(
      [block("a", { name: literal("a"), secret: template("${var.s}") })],
      {},
      { s: { value: "hunter22", sensitive: true } },
    );
    expect(diagnostics).toEqual([]);
    expect(declarations[0]?.secrets).toEqual({ secret: { kind: "value", value: "hunter22" } });
    expect(JSON.stringify(declarations[0]?.attributes)).not.toContain("hunter22");
  });

  test("in a variable masks other values from it", () => {
    const { declarations } = evaluate(
      [block("a", { name: literal("a"), room: template("r-${var.s}") })],
      {},
      { s: { value: "hunter22", sensitive: true } },
    );
    expect(declarations[0]).toMatchObject({ masked: ["room"], attributes: { room: "r-hunter22" } });
  });
});

describe("variables", () => {
  const declaredOnes: readonly Variable[] = [
    { name: "stage", default: "staging", sensitive: false, locate: () => ({ file: "toys.yaml", line: 4 }) },
    { name: "key", default: undefined, sensitive: true, locate: () => ({ file: "toys.yaml", line: 5 }) },
  ];
  const given = (values: { readonly [name: string]: Value }, from: string) =>
    new Map(Object.entries(values).map(([name, value]) => [name, { value, from }]));
  const resolve = (
    assigned: { readonly [name: string]: Value },
    ambient: { readonly [name: string]: string } = {},
    variables = declaredOnes,
  ) =>
    resolveVariables(variables, {
      assigned: given(assigned, "the command line"),
      ambient: given(ambient, "the environment"),
    });

  test.each([
    ["its default", { key: "k" }, {}, "staging"],
    ["the environment's value before the default", { key: "k" }, { stage: "ambient" }, "ambient"],
    ["an empty value of the environment", { key: "k" }, { stage: "" }, ""],
    ["the assigned value before all", { key: "k", stage: "given" }, { stage: "ambient" }, "given"],
  ])("take %s", (_, assigned, ambient, expected) => {
    const { value, diagnostics } = resolve(assigned, ambient);
    expect(diagnostics).toEqual([]);
    expect(value.get("stage")).toEqual({ value: expected, sensitive: false });
    expect(value.get("key")).toEqual({ value: "k", sensitive: true });
  });

  test("without a default and a value are reported with their position and a way to set them", () => {
    expect(resolve({}).diagnostics).toMatchObject([
      { code: "variable_missing", place: { line: 5 }, ways: [{ kind: "set-variable", name: "key", sensitive: true }] },
    ]);
  });

  describe("with allowed values", () => {
    const level: Variable = {
      name: "level",
      default: 1,
      sensitive: false,
      allowed: [1, 2, "all"],
      locate: ([key = ""]) => ({ file: "toys.yaml", line: key === "allowed" ? 7 : 6 }),
    };

    test.each([
      ["the default", {}, {}],
      ["the text of a number", {}, { level: "2" }],
      ["an assigned value", { level: "all" }, { level: "9" }],
    ])("take %s if it is one of them", (_, assigned, ambient) => {
      expect(resolve(assigned, ambient, [level]).diagnostics).toEqual([]);
    });

    test.each<
      readonly [string, Partial<Variable>, { [name: string]: Value }, { [name: string]: string }, string, number]
    >([
      [
        "default",
        { default: 3 },
        {},
        {},
        'The variable level is 3, which is not one of the allowed 1, 2, "all". The value comes from its default.',
        6,
      ],
      [
        "assigned value",
        {},
        { level: "al" },
        {},
        'is "al", which is not one of the allowed 1, 2, "all". The value comes from the command line.',
        7,
      ],
      [
        "value of the environment",
        {},
        {},
        { level: "" },
        'is "", which is not one of the allowed 1, 2, "all". The value comes from the environment.',
        7,
      ],
      [
        "sensitive value, which is not shown",
        { sensitive: true },
        {},
        { level: "hunter22" },
        "level has another value than the allowed",
        7,
      ],
    ])("refuse another %s", (_, more, assigned, ambient, detail, line) => {
      const { value, diagnostics } = resolve(assigned, ambient, [{ ...level, ...more }]);
      expect(diagnostics).toMatchObject([
        { code: "variable_not_allowed", place: { line }, detail: expect.stringContaining(detail) as string },
      ]);
      expect(JSON.stringify(diagnostics)).not.toContain("hunter22");
      expect(value.has("level")).toBe(false);
    });
  });

  test("that are assigned but not declared are refused; the environment's are ignored", () => {
    expect(resolve({ key: "k", stge: "x" }, { other: "y" }).diagnostics).toMatchObject([
      { code: "variable_undeclared", hint: "Did you mean stage?" },
    ]);
  });
});
