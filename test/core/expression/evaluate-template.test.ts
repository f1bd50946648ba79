import { describe, expect, test } from "vitest";
import { evaluateArgument } from "../../../src/core/config/evaluate-argument.ts";
import type { Value } from "../../../src/core/model/value.ts";
import { CASES, FAILURES, LOCALS, VARIABLES } from "./cases.ts";

const plain = (values: { readonly [name: string]: Value }) => new Map(Object.entries(values).map(([name, value]) => [name, { value, sensitive: false }]));
const scope = { variables: plain(VARIABLES), locals: plain(LOCALS), dataAddresses: new Set<string>(), known: new Map(), managed: null };
const evaluate = (text: string) => evaluateArgument({ kind: "template", text }, scope);

describe("an expression", () => {
  test.each(CASES)("%s is %j", (expression, expected) => {
    const { value, problems } = evaluate(`\${${expression}}`);
    expect(problems).toEqual([]);
    expect(value).toEqual(expected);
  });

  test.each(FAILURES)("%s has no value: at %i, %s", (expression, offset, detail) => {
    const { value, problems } = evaluate(`\${${expression}}`);
    expect(problems).toMatchObject([{ offset: offset + 2, detail: expect.stringContaining(detail) }]);
    expect(value).toEqual({ $unknown: true });
  });
});
