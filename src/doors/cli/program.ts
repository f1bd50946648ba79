import { Command, type Option } from "commander";
import type { Choose, Register } from "./commands/choose.ts";
import { localCommands } from "./commands/local-commands.ts";
import { planCommands } from "./commands/plan-commands.ts";
import { recordCommands } from "./commands/record-commands.ts";
import { serviceCommands } from "./commands/service-commands.ts";
import { stateCommands } from "./commands/state-commands.ts";
import { VERSION } from "./version.ts";

/** In the order of `outreach --help`. */
const THEMES: readonly Register[] = [planCommands, stateCommands, recordCommands, serviceCommands, localCommands];

/** The whole command line. Parsing throws commander's errors, and hands at most one command to `choose`. */
export function createProgram(choose: Choose): Command {
  const program = new Command("outreach")
    .configureHelp({ optionDescription: describeOption })
    .description("Keeps the webhooks of the outreach automation service as they are declared.")
    .option("--no-color", "no colours")
    .version(`outreach v${VERSION}`, "--version", "print the version")
    .addHelpText(
      "after",
      `
Environment: OUTREACH_BASE_URL and OUTREACH_API_KEY say which service; OUTREACH_STATE, OUTREACH_VAR_name,
OUTREACH_TIMEOUT and OUTREACH_SETTLE as the README tells.
Exit codes: 0 done or no changes, 1 error, 2 changes present (--detailed-exitcode), 3 an outcome is undecided.`,
    )
    .exitOverride()
    .showHelpAfterError("(run outreach --help to see what there is)");
  program
    .command("version")
    .description("print the version")
    .addHelpText("after", "\nExample:\n  outreach version")
    .action(() => choose((terminal) => Promise.resolve((terminal.out(`outreach v${VERSION}\n`), 0))));
  for (const register of THEMES) register(program, choose);
  return program;
}

/** Switches and lists that are empty at first say nothing by their default. */
function describeOption({ description, defaultValue, defaultValueDescription }: Option): string {
  if (defaultValue === undefined || defaultValue === false || defaultValue === "" || Array.isArray(defaultValue)) return description;
  return `${description} (default: ${defaultValueDescription ?? String(defaultValue)})`;
}
