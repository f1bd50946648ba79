import { expect, test } from "vitest";
import { COMMANDS, commandWords } from "../../../../src/frontends/cli/program/command-list.ts";
import { createProgram } from "../../../../src/frontends/cli/program/program.ts";

const PATHS = commandWords().map((words) => words.split(" "));

test.each(PATHS.map((path) => [path.join(" "), path] as const))(
  "%s loads that command alone, under the name that it is listed by",
  async (_, path) => {
    const [first, ...more] = (await createProgram({ words: path })).commands;
    expect(more).toEqual([]);
    const found = path.length === 1 ? [first] : [first, ...(first?.commands ?? [])];
    expect(found.map((command) => command?.name())).toEqual(path);
  },
);

test("the words of every command are in the list once", () => {
  expect(commandWords()).toEqual([...new Set(commandWords())]);
  expect(commandWords().length).toBeGreaterThan(COMMANDS.length);
  expect(commandWords()).toEqual(
    expect.arrayContaining(["plan", "state mv", "sandbox", "sandbox trigger", "listen", "listen replay"]),
  );
});

test("where no command is named, help has all of them in the order of the list", async () => {
  const { commands } = await createProgram();
  const isGroup = (name: string): boolean => COMMANDS.some((entry) => entry.name === name && !("load" in entry));
  expect(
    commands.flatMap((one) => [
      ...(isGroup(one.name()) ? [] : [[one.name()]]),
      ...one.commands.map((inner) => [one.name(), inner.name()]),
    ]),
  ).toEqual(PATHS);
});
