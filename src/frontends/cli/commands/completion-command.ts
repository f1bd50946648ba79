import { Argument, type Command, type Option } from "commander";
import { EVENT_TYPES } from "../../../service/events/event-catalog.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type Candidates, type CompletedCommand, type CompletedOption, bashScript, fishScript, zshScript } from "../program/completion-scripts.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof SCRIPTS;

export const completionCommand: CommandDefinition<unknown, readonly [shell: Shell]> = {
  name: "completion",
  description: "prints a completion script for a shell",
  example: { purpose: "in ~/.bashrc", lines: ["source <(outreach completion bash)"] },
  declare: (command) => void command.addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS))),
  run: async ({ out, catalog }, { operands: [shell], wholeProgram }) => {
    const statuses = catalog.dataSources.find(({ type }) => type === "outreach_campaigns")?.schema["status"]?.oneOf ?? [];
    out(SCRIPTS[shell](completedCommands(await wholeProgram(), { status: statuses, "event-type": EVENT_TYPES.map(({ name }) => name) })));
    return 0;
  },
};

/** The values of the service's enumerations, by the name of the operand or value in the help. */
type Enumerations = { readonly [name: string]: readonly string[] };

function completedCommands(command: Command, enumerations: Enumerations, path: readonly string[] = []): readonly CompletedCommand[] {
  const below = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
  const help = { names: ["--help", "-h"], description: "print help", value: null };
  const own: CompletedCommand = {
    path,
    commands: below,
    options: [...command.options.filter(({ hidden }) => !hidden).map((option) => completedOption(option, enumerations)), help],
    operands: command.registeredArguments.map((one) => candidates(one.name(), one.argChoices, enumerations)),
    variadic: command.registeredArguments.at(-1)?.variadic ?? false,
  };
  return [own, ...command.commands.flatMap((one) => completedCommands(one, enumerations, [...path, one.name()]))];
}

function completedOption({ long, short, flags, description, argChoices, required, optional }: Option, enumerations: Enumerations): CompletedOption {
  const [, placeholder = ""] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  return {
    names: [long, short].filter((name) => name !== undefined),
    description,
    value: required || optional ? candidates(placeholder, argChoices, enumerations) : null,
  };
}

/** By the name of the operand or value in the help. */
function candidates(name: string, choices: readonly string[] | undefined, enumerations: Enumerations): Candidates {
  const words = choices ?? enumerations[name];
  if (words) return { kind: "words", words };
  if (name === "bool") return { kind: "words", words: ["true", "false"] };
  if (["path", "file", "planfile", "dir"].includes(name)) return { kind: "files" };
  return ["address", "addresses", "addr"].includes(name) ? { kind: "addresses" } : { kind: "anything" };
}
