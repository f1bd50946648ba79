import type { Command, Option } from "commander";
import { groupBy } from "../core/model/maps.ts";
import type { Example } from "../frontends/cli/program/command-definition.ts";
import { COMMANDS } from "../frontends/cli/program/command-list.ts";
import { createProgram, defaultOf, exampleHeading } from "../frontends/cli/program/program.ts";
import { code, fillTemplate, markdownTable, sentence } from "./markdown.ts";

/** A line of a table of options. */
type Row = readonly string[];

const OPTION_HEADS = ["option", "description", "default"];

/** An option that this many commands share is described once, for all of them. */
const COMMON_FROM = 3;

/** The reference page of all commands. */
export async function commandsReference(): Promise<string> {
  const commands = await listed();
  const common = commonRows(commands.flatMap(({ command }) => command.options));
  const contents = commands.map(({ path }) => `[${code(path)}](#${path.replaceAll(" ", "-")})`);
  return fillTemplate("commands", {
    "common options": markdownTable(OPTION_HEADS, [...common.values()]),
    contents: [contents.join(" · ")],
    commands: commands.flatMap((one) => [...section(one, common), ""]),
  });
}

interface Listed {
  readonly path: string;
  readonly command: Command;
  readonly example: Example;
}

/** Every command, in the order of the help. */
async function listed(): Promise<readonly Listed[]> {
  const program = await createProgram();
  return Promise.all(
    COMMANDS.flatMap((row) => ("load" in row ? [row] : [])).map(async ({ words, load }) => {
      const { example } = (await load()).definition;
      return { path: `outreach ${words}`, command: commandNamed(program, words.split(" ")), example };
    }),
  );
}

function commandNamed(program: Command, words: readonly string[]): Command {
  return words.reduce((before, word) => before.commands.find((one) => one.name() === word) ?? before, program);
}

/** The rows of the options that many commands share, by the option's name. A name with several descriptions has the one of most commands. */
function commonRows(options: readonly Option[]): ReadonlyMap<string, Row> {
  return new Map(
    [...groupBy(options, nameOf)].flatMap(([name, named]) => {
      const [most = []] = [...groupBy(named.map(rowOf), String).values()].toSorted((a, b) => b.length - a.length);
      const [row] = most;
      return row && most.length >= COMMON_FROM ? [[name, row] as const] : [];
    }),
  );
}

function section({ path, command, example }: Listed, common: ReadonlyMap<string, Row>): readonly string[] {
  const args = command.registeredArguments.map((argument) => [
    code(argument.name()),
    [argument.required ? "" : "optional", argument.description, choices(argument.argChoices)]
      .filter((part) => part !== "")
      .join("; "),
  ]);
  const isCommon = (option: Option): boolean => String(common.get(nameOf(option))) === String(rowOf(option));
  const shared = command.options.filter(isCommon).map((option) => code(nameOf(option)));
  const own = command.options.filter((option) => !isCommon(option)).map(rowOf);
  return [
    `## ${path}`,
    "",
    sentence(command.description()),
    "",
    "```text",
    `${path} ${command.usage()}`,
    "```",
    "",
    ...(args.length === 0 ? [] : [...markdownTable(["argument", "description"], args), ""]),
    ...(own.length === 0 ? [] : [...markdownTable(OPTION_HEADS, own), ""]),
    ...(shared.length === 0 ? [] : [`[Common options](#common-options): ${shared.join(", ")}.`, ""]),
    exampleHeading(example),
    "",
    "```sh",
    ...example.lines,
    "```",
  ];
}

function nameOf({ long, flags }: Option): string {
  return long ?? flags;
}

function rowOf(option: Option): Row {
  return [
    code(option.flags),
    [option.description, choices(option.argChoices)].filter((part) => part !== "").join("; "),
    defaultOf(option) && code(defaultOf(option)),
  ];
}

function choices(of: readonly string[] | undefined): string {
  return of ? `one of ${of.map(code).join(", ")}` : "";
}
