import type { Command, Option } from "commander";
import { bashScript, fishScript, zshScript } from "./completion-scripts.ts";
import type { Shell } from "./shells.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** What can be completed at one place of a command line. */
export type Candidates =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  /** What is recorded in the state. */
  | { readonly kind: "addresses" }
  /** Anything: it is up to the user. */
  | { readonly kind: "anything" };

export interface CompletedOption {
  /** `--config` before `-c`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null where it takes no value. */
  readonly value: Candidates | null;
}

/** One command, or the program itself, as a shell has to know it. */
export interface CompletedCommand {
  /** Empty for the program itself, `["state", "list"]` for a command of a command. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  readonly operands: readonly Candidates[];
  /** Whether the last operand may be repeated. */
  readonly variadic: boolean;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Prints the script that makes a shell complete this command line. */
export function completionCommand({ out }: Terminal, program: Command, shell: Shell): Promise<ExitCode> {
  out(SCRIPTS[shell](completedCommands(program)));
  return Promise.resolve(0);
}

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

/** By the name of what is asked for, as help shows it. */
function candidates(name: string, choices: readonly string[] | undefined): Candidates {
  if (choices) return { kind: "words", words: choices };
  if (name === "bool") return { kind: "words", words: ["true", "false"] };
  if (["path", "file", "planfile", "dir"].includes(name)) return { kind: "files" };
  return ["address", "addresses", "addr"].includes(name) ? { kind: "addresses" } : { kind: "anything" };
}
