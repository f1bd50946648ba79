import type { Command } from "commander";
import { createProgram, defaultOf } from "../frontends/cli/program/program.ts";
import { code, fillTemplate, markdownTable, sentence } from "./markdown.ts";

/** The reference page of all commands. */
export async function commandsReference(): Promise<string> {
  const commands = leavesOf(await createProgram());
  const contents = commands.map(({ path, command }) => [`[${code(path)}](#${path.replaceAll(" ", "-")})`, sentence(command.description())]);
  return fillTemplate("commands", {
    contents: markdownTable(["command", "description"], contents),
    commands: commands.flatMap(({ path, command }) => [...section(path, command), ""]),
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

function section(path: string, command: Command): readonly string[] {
  const args = command.registeredArguments.map((argument) => [
    code(argument.name()),
    [argument.required ? "" : "optional", argument.description, choices(argument.argChoices)].filter((part) => part !== "").join("; "),
  ]);
  const options = command.options.map((option) => [
    code(option.flags),
    [option.description, choices(option.argChoices)].filter((part) => part !== "").join("; "),
    defaultOf(option) && code(defaultOf(option)),
  ]);
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
    ...(options.length === 0 ? [] : [...markdownTable(["option", "description", "default"], options), ""]),
    ...examples(command),
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
  if (heading === undefined || lines === undefined) throw new Error(`the help of ${command.name()} does not end with an example`);
  const commands = lines
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
  return [heading, "", "```sh", ...commands, "```"];
}
