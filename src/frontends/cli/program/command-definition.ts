import type { Command, Option } from "commander";
import type { NamedTool } from "../commands/mcp/tool-call.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";

/** A command: how it is called, and what it does. One file in `commands/` defines each. */
export interface CommandDefinition<Options = never, Operands = never> {
  /** One line, as `outreach --help` shows it. */
  readonly description: string;
  readonly example: Example;
  /** Adds the arguments and options. */
  readonly declare?: (command: Command) => void;
  /** How it runs for the teams of a configuration. Absent: it is about one of them. */
  readonly forTeams?: ForTeams<Options, Operands>;
  readonly run: (context: CommandContext, invocation: Invocation<Options, Operands>) => Promise<ExitCode>;
}

/** What a command that runs for several teams does for each. */
export interface ForTeams<Options = never, Operands = never> {
  /** What it prints with `--json`: lines, or one document. */
  readonly json: "lines" | "document";
  /** The call for one team, if it differs. */
  readonly call?: (
    context: CommandContext,
    invocation: Invocation<Options, Operands>,
    team: string,
  ) => Promise<TeamCall>;
  /** Makes one document of what the teams print, in their declared order; not of JSON, which has a document for each. */
  readonly join?: (
    context: CommandContext,
    invocation: Invocation<Options, Operands>,
  ) => Promise<(parts: readonly TeamPart[]) => string>;
  /** No command of the configuration runs, also not one that prints the teams. */
  readonly runsNoCommands?: true;
  /** Whether this call is about one team without naming it. */
  readonly knowsTeam?: (context: CommandContext, invocation: Invocation<Options, Operands>) => Promise<boolean>;
}

/** What one team has printed: nothing where it failed. */
export interface TeamPart {
  readonly team: string;
  readonly text: string;
}

/** What differs in the call for one team. */
export interface TeamCall {
  readonly options?: object;
  readonly operands?: readonly unknown[];
}

/** Command lines to copy. */
export interface Example {
  /** The use of the lines, as in `for a pull request`. */
  readonly purpose?: string;
  readonly lines: readonly string[];
  /** It works for a program on the PATH alone, and not by way of a package manager. */
  readonly needsPath?: true;
}

/** What a command was called with. */
export interface Invocation<Options, Operands> {
  readonly options: Options;
  /** The arguments, in the order of their declaration; undefined for an optional one that is absent. */
  readonly operands: Operands;
  /** The options on the command line: those with their defaults are not among them. */
  readonly given: readonly Option[];
  /** The program with the commands that the words name; with all of them, if they name none. */
  readonly programFor: (words: readonly string[]) => Promise<Command>;
  /** What agents may call. */
  readonly tools: () => Promise<readonly NamedTool[]>;
}
