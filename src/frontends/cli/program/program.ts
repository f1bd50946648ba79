import { Command, CommanderError, type Option, type OutputConfiguration } from "commander";
import type { FormatName } from "../../../output/formats.ts";
import type { Choose, Register } from "./choose.ts";
import { localCommands } from "./local-commands.ts";
import { planCommands } from "./plan-commands.ts";
import { providerCommands } from "./provider-commands.ts";
import { recordCommands } from "./record-commands.ts";
import { serviceCommands } from "./service-commands.ts";
import { stateCommands } from "./state-commands.ts";
import { VERSION } from "../version.ts";

/** In the order of `outreach --help`. The local ones come last: completion, which is one of them, has to know all others. */
const THEMES: readonly Register[] = [planCommands, stateCommands, recordCommands, serviceCommands, providerCommands, localCommands];

/** A command that is to run, and what is said beside it. */
export interface Chosen {
  readonly command: string | undefined;
  readonly color: boolean;
  /** What it prints to stdout. */
  readonly format: FormatName;
  readonly showEmails: boolean;
  /** The operands and values of options that say which resource is meant. */
  readonly named: readonly string[];
  readonly run: Parameters<Choose>[0];
}

/** What the words choose. An exit code is the end: help was printed, or what is wrong with the words. */
export async function readCommandLine(words: readonly string[], output: OutputConfiguration): Promise<Chosen | { readonly exitCode: number }> {
  const chosen: Chosen["run"][] = [];
  let given: { readonly json?: boolean; readonly format?: FormatName; readonly showEmails?: boolean } = {};
  let named: readonly string[] = [];
  const program = createProgram((run) => void chosen.push(run), { wanted: words[0], output }).hook("preAction", (_program, command) => {
    given = command.opts();
    named = namedBy(command);
  });
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode };
    throw error;
  }
  const [run] = chosen;
  if (!run) return { exitCode: 0 };
  const { color } = program.opts<{ color: boolean }>();
  const format = given.json === true ? "json" : (given.format ?? "text");
  return { command: program.args[0], color, format, showEmails: given.showEmails === true, named, run };
}

const NAMING_OPTIONS = ["target", "replace", "adopt", "id"];

function namedBy(command: Command): readonly string[] {
  const takesFile = command.registeredArguments.some((argument) => argument.name().endsWith("file"));
  const values = NAMING_OPTIONS.flatMap((name) => command.getOptionValue(name) as string | boolean | readonly string[] | undefined);
  return [...(takesFile ? [] : command.args), ...values.filter((value) => typeof value === "string")];
}

interface Creation {
  readonly wanted?: string | undefined;
  /** Where help and mistakes in the words go. */
  readonly output?: OutputConfiguration;
}

/** Of the `wanted` command, those that come behind its theme are left out: making them costs every start. For anything else, such as help, all are there. */
export function createProgram(choose: Choose, { wanted, output = {} }: Creation = {}): Command {
  const program = new Command("outreach")
    .configureOutput(output)
    .configureHelp({ optionDescription: describeOption })
    .description("Keeps the webhooks of the outreach automation service as they are declared.")
    .option("--no-color", "no colours")
    .version(`outreach v${VERSION}`, "--version", "print the version")
    .addHelpText(
      "after",
      `
Example, from nothing to webhooks as declared:
  outreach init && outreach plan && outreach apply

Environment: OUTREACH_BASE_URL and OUTREACH_API_KEY say which service; OUTREACH_STATE, OUTREACH_VAR_name,
OUTREACH_TIMEOUT, OUTREACH_SETTLE and OUTREACH_LOG as docs/reference/commands.md tells.
Exit codes: 0 done or no changes, 1 error, 2 changes present (--detailed-exitcode), 3 an outcome is undecided.`,
    )
    .exitOverride()
    .showHelpAfterError("(run outreach --help to see what there is)");
  program
    .command("version")
    .description("print the version")
    .addHelpText("after", "\nExample:\n  outreach version")
    .action(() => choose((context) => Promise.resolve((context.out(`outreach v${VERSION}\n`), 0))));
  for (const register of THEMES) {
    register(program, choose);
    if (program.commands.some((command) => command.name() === wanted)) break;
  }
  return program;
}

function describeOption(option: Option): string {
  const choices = option.argChoices ? [`one of ${option.argChoices.join(", ")}`] : [];
  const fallback = defaultOf(option);
  const more = [...choices, ...(fallback === "" ? [] : [`default: ${fallback}`])];
  return more.length === 0 ? option.description : `${option.description} (${more.join("; ")})`;
}

/** What holds when the option is not given. Of switches, and of lists that are empty at first, there is nothing to say. */
export function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValue === undefined || defaultValue === false || Array.isArray(defaultValue)) return "";
  return defaultValueDescription ?? String(defaultValue);
}
