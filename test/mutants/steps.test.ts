import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PARTS } from "./general/modules.ts";
import { takenAway, testPath } from "./step.ts";
import { STEPS } from "./steps/steps.ts";

test("the list of protective steps names each once, and fits the sources and the tests", () => {
  const texts = new Map(STEPS.map(({ file }) => [file, readFileSync(file, "utf8")]));
  for (const step of STEPS) {
    expect(takenAway(step, texts.get(step.file) ?? "")).not.toBe(texts.get(step.file));
    expect(
      step.tests.filter((name) => !existsSync(testPath(name))),
      step.name,
    ).toEqual([]);
  }
  expect(new Set(STEPS.map(({ name }) => name)).size).toBe(STEPS.length);
});

test("the tests of each part exist", () => {
  const names = PARTS.flatMap(({ tests, wider }) => [...tests, ...wider]);
  expect(names.filter((name) => !existsSync(testPath(name)))).toEqual([]);
});
