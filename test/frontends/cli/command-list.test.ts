import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/frontends/cli/program/command-list.ts";
import { createProgram } from "../../../src/frontends/cli/program/program.ts";

const PATHS = COMMANDS.flatMap((entry) => ("load" in entry ? [[entry.name]] : entry.commands.map(({ name }) => [entry.name, name])));

test.each(PATHS.map((path) => [path.join(" "), path] as const))("%s loads that command alone, under the name that it is listed by", async (_, path) => {
  const [first, ...more] = (await createProgram({ words: path })).commands;
  expect(more).toEqual([]);
  const found = path.length === 1 ? [first] : [first, ...(first?.commands ?? [])];
  expect(found.map((command) => command?.name())).toEqual(path);
});

test("where no command is named, help has all of them in the order of the list", async () => {
  const { commands } = await createProgram();
  expect(commands.flatMap((one) => (one.commands.length === 0 ? [[one.name()]] : one.commands.map((inner) => [one.name(), inner.name()])))).toEqual(PATHS);
});
