import { Argument, type Command, type Option } from "commander";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type Candidates, type CompletedCommand, type CompletedOption, bashScript, fishScript, zshScript } from "../program/completion-scripts.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof SCRIPTS;

export const completionCommand: CommandDefinition<unknown, readonly [shell: Shell]> = {
  name: "completion",
  description: "prints a completion script for a shell",
  example: { purpose: "in ~/.bashrc", lines: ["source <(outreach completion bash)"] },
  declare: (command) => void command.addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS))),
  run: async ({ out }, { operands: [shell], wholeProgram }) => {
    out(SCRIPTS[shell](completedCommands(await wholeProgram())));
    return 0;
  },
};

function completedCommands(command: Command, path: readonly string[] = []): readonly CompletedCommand[] {
  const below = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
  const help = { names: ["--help", "-h"], description: "print help", value: null };
  const own: CompletedCommand = {
    path,
    commands: below,
    options: [...command.options.filter(({ hidden }) => !hidden).map(completedOption), help],
    operands: command.registeredArguments.map((one) => candidates(one.name(), one.argChoices)),
    variadic: command.registeredArguments.at(-1)?.variadic ?? false,
  };
  return [own, ...command.commands.flatMap((one) => completedCommands(one, [...path, one.name()]))];
}

function completedOption({ long, short, flags, description, argChoices, required, optional }: Option): CompletedOption {
  const [, placeholder = ""] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  return {
    names: [long, short].filter((name) => name !== undefined),
    description,
    value: required || optional ? candidates(placeholder, argChoices) : null,
  };
}

/** By the name of the operand or value in the help. */
function candidates(name: string, choices: readonly string[] | undefined): Candidates {
  if (choices) return { kind: "words", words: choices };
  if (name === "bool") return { kind: "words", words: ["true", "false"] };
  if (["path", "file", "planfile", "dir"].includes(name)) return { kind: "files" };
  return ["address", "addresses", "addr"].includes(name) ? { kind: "addresses" } : { kind: "anything" };
}
