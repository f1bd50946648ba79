import { Option } from "commander";
import { parsePort } from "../options.ts";
import type { SandboxCommandOptions } from "../sandbox.ts";
import type { Register } from "./choose.ts";

/** Commands that need neither a configuration nor the service. */
export const localCommands: Register = (program, choose) => {
  program
    .command("sandbox")
    .description("run a local copy of the service, to try things out")
    .addOption(new Option("--port <number>", "the port to listen on; 0 for any free one").default(4010).argParser(parsePort))
    .option("--seed <file>", "what the service holds at the start, as JSON")
    .option("--profile <words>", "how the list of webhooks behaves, as in hooks,cap=50,no-offset", "")
    .addHelpText("after", "\nExample:\n  outreach sandbox --port 4010")
    .action((options: SandboxCommandOptions) => choose(async (terminal) => (await import("../sandbox.ts")).sandboxCommand(terminal, options)));
};
