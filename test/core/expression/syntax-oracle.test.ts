import { describe, expect, test } from "vitest";
import { CASES, FAILURES } from "./cases.ts";
import { BROKEN, WELL_FORMED, generated, refusedOnPurpose } from "./generated.ts";
import { MORE_CASES } from "./more-cases.ts";
import { type Structure, structureHere, structureThere } from "./syntax-oracle.ts";

async function allThere(expressions: readonly string[]): Promise<readonly (Structure | null)[]> {
  const found: (Structure | null)[] = [];
  for (const expression of expressions) found.push(await structureThere(expression));
  return found;
}

/** A sample, because CDK's own converter is slow. */
function some<T>(all: readonly T[], every: number): readonly T[] {
  return all.filter((_, index) => index % every === 0);
}

describe("the syntax tree of CDK's own tools", () => {
  test("has the same structure for the expressions of the tables, with references and calls in the same places", async () => {
    const expressions = [...CASES, ...FAILURES, ...some(MORE_CASES, 4)].map(([expression]) => expression);
    const there = await allThere(expressions);
    expect(expressions.map((expression) => [expression, structureHere(expression)])).toEqual(
      expressions.map((expression, index) => [expression, there[index]]),
    );
  });

  test("has the same structure for generated expressions", async () => {
    const expressions = generated(WELL_FORMED, 250);
    const there = await allThere(expressions);
    // A number after a dot can make the next one part of it.
    expect(there.filter((structure) => structure === null).length).toBeLessThan(expressions.length / 10);
    const here = expressions.map(structureHere).map((structure) => ("detail" in structure ? null : structure));
    expect(expressions.map((expression, index) => [expression, here[index]])).toEqual(
      expressions.map((expression, index) => [expression, there[index]]),
    );
  });

  test("is refused for the same generated expressions, most of them broken", async () => {
    const expressions = generated(BROKEN, 1000);
    const there = await allThere(expressions);
    const differing = expressions.filter((expression, index) => {
      const here = structureHere(expression);
      return "detail" in here ? there[index] !== null && !refusedOnPurpose(here) : there[index] === null;
    });
    expect(differing).toEqual([]);
    expect(there.filter((structure) => structure === null).length).toBeGreaterThan(expressions.length / 3);
  });
});
