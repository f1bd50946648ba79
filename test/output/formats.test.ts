import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { FORMATS, FORMAT_NAMES, hidesEmails } from "../../src/output/formats/formats.ts";
import { RUNS, SCENARIOS } from "./golden-scenarios.ts";

const NAMES = Object.keys(SCENARIOS);
/** What is printed; JSON is a value a line without white space, and indented in the golden files. */
function legible(printed: string, format: string): string {
  if (format !== "json") return printed;
  const lines = printed.trimEnd().split("\n");
  expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(lines);
  return `${lines.map((line) => JSON.stringify(JSON.parse(line), null, 2)).join("\n")}\n`;
}

const RUN_FORMATS = ["text", "json"] as const;

describe.for(FORMAT_NAMES)("the format %s", (name) => {
  test.for(NAMES)("prints the golden file of %s", async (scenario) => {
    const printed = SCENARIOS[scenario]?.(await FORMATS[name].load()) ?? "";
    expect(printed).not.toMatch(/00ff00ff|11ee11ee|s3cr3t/);
    await expect(legible(printed, name)).toMatchFileSnapshot(`golden/${scenario}.${name}.golden`);
  });

  test("hides the leads' addresses from everything but a person at a terminal, who can read them there only as text", () => {
    const shows = (isTerminal: boolean, showEmails: boolean): boolean =>
      !hidesEmails({ isTerminal, format: name, showEmails });
    expect({
      terminal: shows(true, false),
      file: shows(false, false),
      asked: [shows(true, true), shows(false, true)],
    }).toEqual({
      terminal: name === "text",
      file: false,
      asked: [true, true],
    });
  });
});

describe.for(RUN_FORMATS)("a run in the format %s", (name) => {
  test.for(Object.keys(RUNS))("prints the golden file of %s", async (scenario) => {
    const printed = RUNS[scenario]?.(await FORMATS[name].load()) ?? "";
    await expect(legible(printed, name)).toMatchFileSnapshot(`golden/${scenario}.${name}.golden`);
  });
});

test("there is a golden file for every scenario in every format, and no other", async () => {
  const documents = NAMES.flatMap((scenario) => FORMAT_NAMES.map((format) => `${scenario}.${format}.golden`));
  const runs = Object.keys(RUNS).flatMap((run) => RUN_FORMATS.map((format) => `${run}.${format}.golden`));
  const expected = [...documents, ...runs];
  expect((await readdir(new URL("golden", import.meta.url))).toSorted()).toEqual(expected.toSorted());
});
