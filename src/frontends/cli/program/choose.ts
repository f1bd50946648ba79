import type { Command } from "commander";
import type { ExitCode, CommandContext } from "../command-context.ts";

/** Says what is to run. The terminal is opened only then: help and mistakes in the command line need none. */
export type Choose = (run: (context: CommandContext) => Promise<ExitCode>) => void;

/**
 * Registers the commands of one theme: of each its name, its options and an example. What a command does is imported
 * only when it is chosen, so that starting stays fast.
 */
export type Register = (program: Command, choose: Choose) => void;
