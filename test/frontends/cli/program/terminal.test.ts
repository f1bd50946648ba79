import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BundledCommand, bundledCommand } from "../bundled-command.ts";
import { jumpingClock } from "../jumping-clock.ts";

const CONFIGURATION = `version: 1
webhooks:
  crm:
    target_url: http://crm.example.com/
    typ: emailsReplied
  日本語の長い名前: { target_url: "https://crm.example.com/日本", tpe: emailsSent }
`;

let folder = "";
let command: BundledCommand;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "outreach-terminal-"));
  writeFileSync(path.join(folder, "outreach.yaml"), CONFIGURATION);
  command = await bundledCommand();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Environment = { readonly [name: string]: string };

/** `validate` finds mistakes without a service. */
function validate({
  columns,
  environment = {},
  words = [],
}: {
  columns?: number;
  environment?: Environment;
  words?: readonly string[];
}) {
  const given = {
    folder,
    environment,
    clock: jumpingClock(),
    providerFolder: "",
    ...(columns === undefined ? {} : { columns }),
  };
  return command.runInProcess({ words: ["validate", ...words], ...given }).ended;
}

const ESCAPE = "\u001b[";

describe("colours", () => {
  test.each<readonly [on: boolean, environment: Environment, columns: number | undefined, words: readonly string[]]>([
    [false, {}, undefined, []],
    [true, {}, 80, []],
    [false, { TERM: "dumb" }, 80, []],
    [false, { CLICOLOR: "0" }, 80, []],
    [true, { FORCE_COLOR: "1" }, undefined, []],
    [true, { FORCE_COLOR: "true", TERM: "dumb" }, undefined, []],
    [false, { FORCE_COLOR: "0" }, 80, []],
    [true, { CLICOLOR_FORCE: "1" }, undefined, []],
    [false, { CLICOLOR_FORCE: "0" }, undefined, []],
    [false, { NO_COLOR: "1" }, 80, []],
    [false, { NO_COLOR: "1", FORCE_COLOR: "1", CLICOLOR_FORCE: "1" }, 80, []],
    [false, { FORCE_COLOR: "1" }, 80, ["--no-color"]],
  ])(
    "are shown (%s) under %o with a terminal of %s columns and the words %o",
    async (on, environment, columns, words) => {
      const { err } = await validate({ environment, words, ...(columns === undefined ? {} : { columns }) });
      expect(err.includes(ESCAPE)).toBe(on);
    },
  );
});

describe("messages", () => {
  const NO_COLOR = { NO_COLOR: "1" };

  test("are wrapped to the width of the terminal, between words", async () => {
    const { err } = await validate({ columns: 60, environment: NO_COLOR });
    const whole = (await validate({})).err;
    const isText = (line: string): boolean => !/^ *\d* \|/.test(line);
    expect(whole.split("\n").some((line) => isText(line) && line.length > 60)).toBe(true);
    expect(err.split("\n").filter((line) => isText(line) && line.length > 60)).toEqual([]);
    expect(err.replaceAll(/\s+/g, " ")).toBe(whole.replaceAll(/\s+/g, " "));
  });

  test("keep a command to copy on one line", async () => {
    const { err } = await validate({
      columns: 40,
      environment: NO_COLOR,
      words: ["-c", "cdktf.out/stacks/nowhere", "configurations-of-the-team/outreach.yaml"],
    });
    expect(err).toContain(
      "Name the configuration with -c: outreach validate -c configurations-of-the-team/outreach.yaml\n",
    );
  });

  test("show the caret below wide characters", async () => {
    const { err } = await validate({});
    const [, line = "", caret = ""] = /^( +\d+ \| .*tpe.*)\n(.*\^)$/m.exec(err) ?? [];
    const columns = (text: string): number =>
      [...text].reduce((sum, character) => sum + (character > "\u2e80" ? 2 : 1), 0);
    expect(columns(caret) - 1).toBe(columns(line.slice(0, line.indexOf("tpe"))));
  });
});
