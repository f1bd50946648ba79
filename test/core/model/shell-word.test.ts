import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "../../../src/core/model/shell-word.ts";

test.each([
  "plain",
  "two words",
  "it's",
  '$HOME `x` \\ "y"',
  "line\nend",
  "\u001B[2J it's \\ a screen",
  "\u202Eleft",
  "\u009B31m",
  "\u2028",
])("the shell reads %j as it is, and a terminal acts on nothing of it", (text) => {
  const word = shellWord(text);
  expect(word).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(
    execFileSync("bash", ["--norc", "-c", `printf %s ${word}`], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } }),
  ).toBe(text);
});
