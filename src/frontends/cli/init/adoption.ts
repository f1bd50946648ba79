import type { Configuration } from "../../../core/config/block.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { countOf } from "../../../core/model/words.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { readState } from "../../../core/state/open-state.ts";
import { API_KEY_VARIABLE } from "../../../operations/configuration/environment-names.ts";
import { resolvePath } from "../../../operations/configuration/named-file.ts";
import { configurationOf } from "../../../operations/configuration/read-configuration.ts";
import type { WorkingFolder } from "../../../operations/context.ts";
import { type Adoptable, readAdoptable } from "../../../operations/generate.ts";
import { withOpenRun } from "../../../operations/open-run.ts";
import { PLAIN_CHOICES } from "../../../operations/options.ts";
import { plan } from "../../../operations/plan.ts";
import { openReadyStore } from "../../../operations/state/records.ts";
import { type Adoption, adoption } from "../../generate/adoption/adopt-webhooks.ts";
import type { LiveWebhook } from "../../generate/adoption/live-webhook.ts";
import { yamlText } from "../../generate/yaml-text.ts";
import type { CommandContext, ExitCode, Output } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";
import { leftOutWarnings } from "../screen/left-out-warnings.ts";
import type { StateOptions } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { withView } from "../screen/view.ts";
import { type Offer, askWebhooks, namedWebhooks } from "./choose-webhooks.ts";
import { type Connection, connect } from "./connect.ts";
import { INITIALIZED, SET_KEY, configOption, makeFolderOf, writeFiles, writeStarter } from "./new-files.ts";

/** The service, and which of its webhooks get imports. */
export interface AdoptionChoice {
  /** Absent: of the environment, or asked for. */
  readonly baseUrl?: string;
  /** `all`, or ids; empty to ask. */
  readonly adopt: readonly string[];
}

type AdoptionOptions = AdoptionChoice & StateOptions;

/** Writes a configuration with imports for live webhooks. Asks for what the options do not say, and writes its files at the end only. */
export async function initByAdoption(context: CommandContext, options: AdoptionOptions): Promise<ExitCode> {
  const { config, adopt } = options;
  await assertNew(context, config);
  // The state will be next to it.
  await makeFolderOf(context, config);
  await assertNothingManaged(context, options);
  const ask = context.isOneScreen ? context.ask : null;
  if (ask) context.out(introduction(config));
  const connection = await connect(context, { baseUrl: options.baseUrl, ask }, async (connected) =>
    readAdoptable(await withText(connected, config, "version: 1\n"), {
      ...options,
      lock: false,
      all: false,
      needs: "everything",
    }),
  );
  if (connection === null) return cancelled(context);
  const { input, isServiceEmpty } = connection.found;
  const whole = adoption({ ...input, command: "init" });
  const offer = offerOf(connection.found, whole);
  if (adopt.length === 0 || adopt[0] === "all") printDiagnostics(context, leftOutWarnings(offer.leftOut));
  if (isServiceEmpty) context.out("The service lists no webhooks.\n");
  else if (ask && offer.leftOut.length === 0) context.out("\n");
  const asks = ask !== null && adopt.length === 0 && offer.webhooks.length > 0;
  const chosen = asks ? await askWebhooks(context, ask, offer, input) : namedWebhooks(offer, adopt);
  if (chosen === null) return cancelled(context);
  if (ask) context.out("\n");
  if (chosen.length === 0) {
    await writeStarter(context, config, { baseUrl: connection.baseUrl, isKeyTyped: connection.isKeyTyped });
    return 0;
  }
  const adopted = chosen.length === offer.webhooks.length ? whole : partOf(connection.found, offer, chosen);
  return writeAdopted(connection, options, adopted);
}

function introduction(config: string): string {
  return `This sets up ${config} in a few questions. outreach only reads the service, and writes files at the end. Press Ctrl-C to cancel.
For the starter configuration without questions: outreach init --adopt none

`;
}

function cancelled({ out }: Pick<Output, "out">): ExitCode {
  out("\nInit cancelled. Nothing was written.\n");
  return exitCodeOf("cancelled");
}

function offerOf({ input }: Adoptable, { leftOut }: Pick<Adoption, "leftOut">): Offer {
  const isLeftOut = new Set(leftOut.map(({ id }) => id));
  return { webhooks: input.webhooks.filter(({ id }) => !isLeftOut.has(id)), leftOut };
}

function partOf({ input }: Adoptable, { webhooks, leftOut }: Offer, chosen: readonly LiveWebhook[]): Adoption {
  const notChosen = webhooks
    .filter((one) => !chosen.includes(one))
    .map(({ id }) => ({ id, why: "It was not chosen." }));
  return adoption({ ...input, command: "init", webhooks: chosen, leftOut: [...leftOut, ...notChosen] });
}

/** Plans the new configuration in memory, shows the plan, and writes the files. */
async function writeAdopted(
  { context, baseUrl, isKeyTyped }: Connection,
  options: AdoptionOptions,
  { configuration, comments, counts }: Adoption,
): Promise<ExitCode> {
  const { config } = options;
  const text = yamlText({ ...configuration, service: serviceAt(baseUrl) }, context.catalog, comments);
  const exitCode = await showPlan(context, options, text);
  if (exitCode !== 0) {
    context.err("Nothing was written.\n");
    return exitCode;
  }
  context.out("\n");
  const about = `${countOf(counts.declared, "webhook")} with imports.`;
  if (!(await writeFiles(context, config, { text, about }))) throw exists(config);
  const option = configOption(config);
  const next = [
    ...(isKeyTyped ? [SET_KEY] : []),
    `Review ${config}, then check the plan: outreach plan${option}\nImport the webhooks, without a write to the service: outreach apply${option}\n`,
  ];
  context.out(`\n${context.paint("green", INITIALIZED)}\n\n${context.asCalled(next.join(""))}`);
  return 0;
}

function serviceAt(baseUrl: string): Configuration["service"] {
  return {
    baseUrl: { kind: "literal", value: baseUrl },
    apiKey: { kind: "secret", source: { kind: "env", name: API_KEY_VARIABLE } },
    locate: () => undefined,
  };
}

/** The exit code is that of the plan. */
async function showPlan(context: CommandContext, options: AdoptionOptions, text: string): Promise<ExitCode> {
  const inMemory = await withText(context, options.config, text);
  return withView(context, { json: false }, (view) =>
    withOpenRun(inMemory, { ...options, lock: false, operation: "plan", persists: false }, async (run) => {
      const planned = await plan(run, { ...PLAIN_CHOICES, approval: "open", withSecrets: true });
      view.plan(planned);
      return exitCodeOf(planned.status === "changed" ? "unchanged" : planned.status);
    }),
  );
}

/** The context with the configuration as it will be in the file. */
async function withText(
  context: CommandContext,
  config: string,
  text: string,
): Promise<CommandContext & { readonly configuration: Awaited<ReturnType<typeof configurationOf>> }> {
  return { ...context, configuration: await configurationOf(context, config, text) };
}

async function assertNew({ files, folder }: WorkingFolder, config: string): Promise<void> {
  if ((await files.kind(resolvePath(folder, config))) !== null) throw exists(config);
}

function exists(config: string): DiagnosticsError {
  return DiagnosticsError.of("init_exists", "The file exists", {
    detail: `${config} exists, and init never overwrites a file.`,
    hint: "To add live webhooks to this configuration, run outreach generate. For another file, pass -c PATH.",
  });
}

/** A new configuration with the state of another one would plan to delete what only that one declares. */
async function assertNothingManaged(context: CommandContext, options: AdoptionOptions): Promise<void> {
  const store = await openReadyStore(await withText(context, options.config, "version: 1\n"), options);
  const { document, pending } = await readState(store, context.random, context.stop);
  if (document.instances.length + pending.length === 0) return;
  throw DiagnosticsError.of("init_state_exists", "A state exists", {
    detail: `${store.name} has ${countOf(document.instances.length, "record")}, and a new configuration with this state would delete what it does not declare. Nothing was written.`,
    hint: `If the configuration is lost, write it again: outreach generate --all --out ${shellWord(options.config)}`,
  });
}
