import type { Command, Option } from "commander";
import { groupBy } from "../core/model/maps.ts";
import { createProgram, defaultOf } from "../frontends/cli/program/program.ts";
import { code, fillTemplate, markdownTable, sentence } from "./markdown.ts";

/** A line of a table of options. */
type Row = readonly string[];

const OPTION_HEADS = ["option", "description", "default"];

/** An option that this many commands share is described once, for all of them. */
const COMMON_FROM = 3;

/** The reference page of all commands. */
export async function commandsReference(): Promise<string> {
  const commands = leavesOf(await createProgram());
  const common = commonRows(commands.flatMap(({ command }) => command.options));
  const contents = commands.map(({ path }) => `[${code(path)}](#${path.replaceAll(" ", "-")})`);
  return fillTemplate("commands", {
    "common options": markdownTable(OPTION_HEADS, [...common.values()]),
    contents: [contents.join(" · ")],
    commands: commands.flatMap(({ path, command }) => [...section(path, command, common), ""]),
  });
}

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

/** The commands that do something themselves, by full name, in the order of the help. Words with only commands behind them have no options. */
function leavesOf(command: Command, before = ""): readonly Leaf[] {
  const path = `${before}${command.name()}`;
  const inner = command.commands.flatMap((one) => leavesOf(one, `${path} `));
  const isGroup = inner.length > 0 && (command.parent === null || command.options.length === 0);
  return isGroup ? inner : [{ path, command }, ...inner];
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

function section(path: string, command: Command, common: ReadonlyMap<string, Row>): readonly string[] {
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
    ...examples(command),
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

/** The end of the command's help: a heading and indented lines. */
function examples(command: Command): readonly string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const [, heading, lines] = /^(Example.*)\n((?: {2}.*\n?)+)\s*$/m.exec(help) ?? [];
  if (heading === undefined || lines === undefined)
    throw new Error(`the help of ${command.name()} does not end with an example`);
  const commands = lines
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
  return [heading, "", "```sh", ...commands, "```"];
}
