import { describe, expect, test } from "vitest";
import { CASES, FAILURES } from "./cases.ts";
import { evaluateHere } from "./evaluate-here.ts";
import { FUNCTION_CASES, FUNCTION_FAILURES } from "./function-cases.ts";
import { MORE_CASES, WITHOUT_VALUE } from "./more-cases.ts";

describe("an expression", () => {
  test.each([...CASES, ...MORE_CASES, ...FUNCTION_CASES])("%s is %j", (expression, expected) => {
    expect(evaluateHere(`\${${expression}}`)).toEqual({ value: expected });
  });

  test.each(FAILURES)("%s has no value: at %i, %s", (expression, offset, detail) => {
    expect(evaluateHere(`\${${expression}}`)).toMatchObject({
      problems: [{ offset: offset + 2, detail: expect.stringContaining(detail) }],
    });
  });

  test.each([...WITHOUT_VALUE, ...FUNCTION_FAILURES])("%s has no value", (expression) => {
    expect(evaluateHere(`\${${expression}}`)).toMatchObject({
      problems: [{ offset: expect.any(Number), detail: expect.any(String) }],
    });
  });
});
