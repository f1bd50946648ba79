import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EQUIVALENTS } from "./general/modules.ts";
import { mutantsOf } from "./general/mutate.ts";

test("the list of equivalent mutants fits the sources", () => {
  for (const { file, line, kind, after } of EQUIVALENTS) {
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n");
    const found = mutantsOf(file, text).filter(
      (mutant) => mutant.kind === kind && mutant.after === after && lines[mutant.line - 1]?.trim() === line,
    );
    expect(found, `${file}: ${line}`).not.toEqual([]);
  }
});
