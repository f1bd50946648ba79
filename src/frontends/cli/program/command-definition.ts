import type { Command } from "commander";
import type { CommandContext, ExitCode } from "../command-context.ts";

/** A command: how it is called, and what it does. One file in `commands/` defines each. */
export interface CommandDefinition<Options = never, Operands = never> {
  /** Its last word: `mv` of `outreach state mv`. */
  readonly name: string;
  /** One line, as `outreach --help` shows it. */
  readonly description: string;
  readonly example: Example;
  /** Adds the arguments and options. */
  readonly declare?: (command: Command) => void;
  readonly run: (context: CommandContext, invocation: Invocation<Options, Operands>) => Promise<ExitCode>;
}

/** Command lines to copy. */
export interface Example {
  /** As in `for a pull request`. */
  readonly purpose?: string;
  readonly lines: readonly string[];
}

/** What a command was called with. */
export interface Invocation<Options, Operands> {
  readonly options: Options;
  /** The arguments, in the order of their declaration; undefined for an optional one that is absent. */
  readonly operands: Operands;
  /** The names of the options on the command line: defaults are not among them. */
  readonly given: readonly string[];
  /** The program with all of its commands. */
  readonly wholeProgram: () => Promise<Command>;
}
