import { Argument, Option } from "commander";
import { SHELLS, type Shell } from "./shells.ts";
import type { InitOptions } from "../commands/init.ts";
import { DEFAULT_CONFIG, parsePort } from "./options.ts";
import type { SandboxCommandOptions } from "../commands/sandbox.ts";
import type { Register } from "./choose.ts";

/** Commands that need neither a configuration nor the service. */
export const localCommands: Register = (program, choose) => {
  program
    .command("init")
    .description("write a configuration to begin with, and keep the state out of version control")
    .option("-c, --config <path>", "the configuration to write", DEFAULT_CONFIG)
    .addHelpText("after", "\nExample:\n  outreach init")
    .action((options: InitOptions) => choose(async (context) => (await import("../commands/init.ts")).initCommand(context, options)));

  program
    .command("completion")
    .description("print a script that makes a shell complete this command")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .addHelpText("after", "\nExample, in ~/.bashrc:\n  source <(outreach completion bash)")
    .action((shell: Shell) => choose(async (context) => (await import("../commands/completion.ts")).completionCommand(context, program, shell)));

  program
    .command("sandbox")
    .description("run a local copy of the service, to try things out")
    .addOption(new Option("--port <number>", "the port to listen on; 0 for any free one").default(4010).argParser(parsePort))
    .option("--seed <file>", "what the service holds at the start, as JSON")
    .option("--profile <words>", "how the list of webhooks behaves, as in hooks,cap=50,no-offset", "")
    .addHelpText("after", "\nExample:\n  outreach sandbox --port 4010")
    .action((options: SandboxCommandOptions) => choose(async (context) => (await import("../commands/sandbox.ts")).sandboxCommand(context, options)));
};
