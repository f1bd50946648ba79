import { createInterface } from "node:readline/promises";
import { Command, CommanderError, Option } from "commander";
import { redactor } from "../../core/secrets/redactor.ts";
import { ansi, plain } from "../../output/paint.ts";
import { nodeClock } from "../../platform/node-clock.ts";
import { nodeFiles } from "../../platform/node-files.ts";
import { nodeProcess } from "../../platform/node-process.ts";
import { nodeRandom } from "../../platform/node-random.ts";
import { nodeUserFolder } from "../../platform/node-user-folder.ts";
import { catalog } from "../../service/resources/catalog.ts";
import { type ApplyOptions, type PlanOptions, type StateOptions, parsePort, withJson, withPlan, withState } from "./options.ts";
import type { GetOptions } from "./get.ts";
import { printFailure } from "./print-diagnostics.ts";
import type { SandboxCommandOptions } from "./sandbox.ts";
import type { ExitCode, Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

type Action = (terminal: Terminal) => Promise<ExitCode>;

const program = new Command("outreach");
let chosen: Action | null = null;
const choose = (action: Action): void => {
  chosen = action;
};

program.configureHelp({ optionDescription: describeOption });
program
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

withJson(program.command("validate"))
  .description("check the configuration without the network")
  .addHelpText("after", "\nExample:\n  outreach validate -c outreach.yaml")
  .action((options: GetOptions) => choose(async (terminal) => (await import("./validate.ts")).validateCommand(terminal, options)));

withPlan(program.command("plan"))
  .description("show what apply would do; sends nothing that writes")
  .option("--detailed-exitcode", "exit 2 when there are changes", false)
  .option("--destroy", "plan to destroy everything that is managed", false)
  .addHelpText("after", "\nExample, for a pull request:\n  outreach plan --detailed-exitcode")
  .action((options: PlanOptions) => choose(async (terminal) => (await import("./plan.ts")).planCommand(terminal, options)));

withPlan(program.command("apply"))
  .description("make the service as it is declared")
  .option("--auto-approve", "do not ask", false)
  .option("--destroy", "destroy everything that is managed", false)
  .addHelpText("after", "\nExample, after a merge:\n  outreach apply --auto-approve")
  .action((options: ApplyOptions) => choose(async (terminal) => (await import("./apply.ts")).applyCommand(terminal, options)));

withPlan(program.command("destroy"))
  .description("destroy everything that is managed; the same as apply --destroy")
  .option("--auto-approve", "do not ask", false)
  .addHelpText("after", "\nExample:\n  outreach destroy")
  .action((options: ApplyOptions) => choose(async (terminal) => (await import("./apply.ts")).applyCommand(terminal, { ...options, destroy: true })));

withState(program.command("import"))
  .description("take over a webhook that exists already; sends nothing that writes")
  .argument("<address>", "a declared address, as in outreach_webhook.crm-replies")
  .argument("<id>", "the id of the webhook, as in hoo_000001")
  .addHelpText("after", "\nExample:\n  outreach import outreach_webhook.crm-replies hoo_000001")
  .action((address: string, id: string, options: StateOptions) =>
    choose(async (terminal) => (await import("./import.ts")).importCommand(terminal, { address, id }, options)),
  );

withState(program.command("resolve"))
  .description("settle outcomes that are undecided (exit 3); sends nothing")
  .argument("<addresses...>", "the addresses that plan names")
  .requiredOption("--retry", "take them as not carried out: the next apply does them again if they are still wanted")
  .addHelpText("after", "\nExample:\n  outreach resolve outreach_webhook.crm-replies --retry")
  .action((addresses: readonly string[], options: StateOptions) =>
    choose(async (terminal) => (await import("./resolve.ts")).resolveCommand(terminal, addresses, options)),
  );

const get = program.command("get").description("print what the service has: campaigns, schedules, warmup, webhooks");

withJson(get.command("campaigns"))
  .description("the team's campaigns")
  .option("--status <status>", "only those in this status")
  .option("--name-regex <regex>", "only those whose name it matches")
  .addHelpText("after", "\nExample:\n  outreach get campaigns --status running")
  .action(({ status, nameRegex, ...options }: GetOptions & { readonly status?: string; readonly nameRegex?: string }) =>
    choose(async (terminal) =>
      (await import("./get.ts")).getCommand(terminal, "campaigns", { config: { status: status ?? null, name_regex: nameRegex ?? null }, options }),
    ),
  );
withJson(get.command("schedules"))
  .description("the schedules of a campaign")
  .argument("<campaign-id>")
  .addHelpText("after", "\nExample:\n  outreach get schedules cam_000001")
  .action((campaignId: string, options: GetOptions) =>
    choose(async (terminal) => (await import("./get.ts")).getCommand(terminal, "schedules", { config: { campaign_id: campaignId }, options })),
  );
withJson(get.command("warmup"))
  .description("the warm-up settings of a user's mailbox")
  .argument("<user-mailbox-id>")
  .addHelpText("after", "\nExample:\n  outreach get warmup usm_000001")
  .action((mailboxId: string, options: GetOptions) =>
    choose(async (terminal) => (await import("./get.ts")).getCommand(terminal, "warmup", { config: { user_mailbox_id: mailboxId }, options })),
  );
withJson(get.command("webhooks"))
  .description("all live webhooks, whoever made them")
  .addHelpText("after", "\nExample:\n  outreach get webhooks --json")
  .action((options: GetOptions) => choose(async (terminal) => (await import("./get.ts")).getCommand(terminal, "webhooks", { config: {}, options })));

withJson(program.command("export"))
  .description("start a statistics export of a campaign")
  .argument("<campaign-id>")
  .addHelpText("after", "\nExample:\n  outreach export cam_000001")
  .action((campaignId: string, options: GetOptions) => choose(async (terminal) => (await import("./export.ts")).exportCommand(terminal, campaignId, options)));

withJson(program.command("doctor"))
  .description("look at the real service with reads alone, and say which guarantees hold")
  .addHelpText("after", "\nExample:\n  outreach doctor")
  .action((options: GetOptions) => choose(async (terminal) => (await import("./doctor.ts")).doctorCommand(terminal, options)));

program
  .command("sandbox")
  .description("run a local copy of the service, to try things out")
  .addOption(new Option("--port <number>", "the port to listen on; 0 for any free one").default(4010).argParser(parsePort))
  .option("--seed <file>", "what the service holds at the start, as JSON")
  .option("--profile <words>", "how the list of webhooks behaves, as in hooks,cap=50,no-offset", "")
  .addHelpText("after", "\nExample:\n  outreach sandbox --port 4010")
  .action((options: SandboxCommandOptions) => choose(async (terminal) => (await import("./sandbox.ts")).sandboxCommand(terminal, options)));

async function main(): Promise<number> {
  try {
    await program.parseAsync(process.argv.slice(2).map(longOption), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
  if (!chosen) return 0;
  const terminal = await openTerminal();
  try {
    return await chosen(terminal);
  } catch (error) {
    return printFailure(terminal, error);
  }
}

/** Switches and lists that are empty at first say nothing by their default. */
function describeOption({ description, defaultValue, defaultValueDescription }: Option): string {
  if (defaultValue === undefined || defaultValue === false || defaultValue === "" || Array.isArray(defaultValue)) return description;
  return `${description} (default: ${defaultValueDescription ?? String(defaultValue)})`;
}

/** `-auto-approve` is accepted for `--auto-approve`, as Terraform's users write it. */
function longOption(argument: string): string {
  return /^-[a-z][a-z-]+(=|$)/.test(argument) ? `-${argument}` : argument;
}

/** `-c PATH` and `--state PATH`, quoted for a shell, each followed by a space. */
function givenOptions(words: readonly string[]): string {
  const spelled = words.map(longOption).flatMap((word) => {
    const at = word.startsWith("--") ? word.indexOf("=") : -1;
    return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
  });
  return spelled
    .flatMap((word, index) => (["-c", "--config", "--state"].includes(word) ? [`${word} '${(spelled[index + 1] ?? "").replaceAll("'", "'\\''")}' `] : []))
    .join("");
}

async function openTerminal(): Promise<Terminal> {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
    if (program.args[0] !== "sandbox") process.stderr.write("\nInterrupted: what is in flight is finished. Once more to exit at once.\n");
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  const clean = redactor();
  const colour = (stream: NodeJS.WriteStream) => (stream.isTTY && !process.env["NO_COLOR"] && program.opts<{ color: boolean }>().color ? ansi : plain);
  return {
    version: VERSION,
    catalog,
    environment: process.env,
    folder: process.cwd(),
    given: givenOptions(process.argv.slice(2)),
    files: nodeFiles(),
    clock: nodeClock,
    random: nodeRandom,
    process: await nodeProcess(),
    userFolder: nodeUserFolder(process.env),
    redactor: clean,
    out: (text) => void process.stdout.write(clean.redact(text)),
    err: (text) => void process.stderr.write(clean.redact(text)),
    paint: colour(process.stdout),
    paintErrors: colour(process.stderr),
    ask: process.stdin.isTTY ? ask(stop.signal) : null,
    stop: stop.signal,
  };
}

/** Ctrl-C and Ctrl-D at the question are an answer too: not yes. */
function ask(signal: AbortSignal): (question: string) => Promise<string> {
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    try {
      return (await Promise.race([lines.question(question, { signal }), closed])).trim();
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return "";
      throw error;
    } finally {
      lines.close();
    }
  };
}

/** Whoever reads the output may stop reading; what is under way is finished all the same. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);
process.exitCode = await main();
