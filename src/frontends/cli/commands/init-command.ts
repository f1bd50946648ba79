import { countOf } from "../../../core/model/words.ts";
import { posix } from "node:path";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { FileSystem } from "../../../core/model/ports.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import type { Environment, Hints, WorkingFolder } from "../../../operations/context.ts";
import type { CommandContext, ExitCode, Output } from "../command-context.ts";
import { namedPath, resolvePath } from "../../../operations/configuration/named-file.ts";
import { isUrl, withoutCredentials } from "../../../core/state/backends.ts";
import { migrateState } from "../../../core/state/migrate-state.ts";
import type { StateStore } from "../../../core/state/state-store.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { DEFAULT_CONFIG } from "../../../operations/options.ts";
import { type StateOptions, withState } from "../program/command-options.ts";
import { DEFAULT_STATE } from "../../yaml/sections.ts";
import { defaultStates } from "../../../operations/state/unmigrated-state.ts";
import { locked, openReadyStore } from "../../../operations/state/records.ts";
import { keepState } from "../../../operations/state/unstored-state.ts";

interface InitOptions extends StateOptions {
  readonly migrateState: boolean;
  readonly from?: string;
  readonly force: boolean;
}

export const initCommand: CommandDefinition<InitOptions> = {
  name: "init",
  description: "writes a starter configuration, or moves the state to another backend",
  example: { lines: ["outreach init"] },
  declare: (command) =>
    withState(command)
      .option("--migrate-state", "move the state from another place to the configured one", false)
      .option("--from <place>", `with --migrate-state: the path or URL of the state to move (default: ${DEFAULT_STATE} next to the configuration)`)
      .option("--force", "with --migrate-state: replace a state that is in the new place, and keep a copy of it", false),
  run: (context, { options, given }) => {
    const stray = options.migrateState ? undefined : given.find((name) => name !== "config");
    if (stray !== undefined) throw onlyForMigration(stray);
    return options.migrateState ? migrate(context, options) : init(context, options);
  },
};

/** Moves a state to the configured place, without a question: neither side is lost. */
async function migrate(context: CommandContext, options: InitOptions): Promise<ExitCode> {
  const to = await openReadyStore(context, options);
  const place = options.from ?? (await stateBefore(context, options, to.name));
  const from = unlockedBy(await openReadyStore(context, { ...options, state: place }), place);
  if (from.name === to.name) throw samePlace(to.name);
  const operation = "init --migrate-state";
  return locked(context, { store: from, options, operation }, () =>
    locked(context, { store: to, options, operation }, async (signal): Promise<ExitCode> => {
      const keep = (state: Uint8Array): Promise<string> => keepState(context, state, "replaced");
      const { document, isCopied, kept } = await migrateState({ from, to }, { random: context.random, signal, keep }, options.force);
      const { length } = document.instances;
      const what = `the state with ${countOf(length, "record")}`;
      context.out(isCopied ? `${context.paint("green", "Migrated")} ${what} from ${from.name} to ${to.name}.\n` : `${to.name} already has ${what}.\n`);
      context.out(`${from.name} now only says where the state is.${kept === null ? "" : ` The state that was in the new place is in ${kept}.`}\n`);
      return 0;
    }),
  );
}

/** The store of a state that is not the configured one: the ways out name its place, without credentials. */
function unlockedBy(store: StateStore, place: string): StateStore {
  const state = isUrl(place) ? withoutCredentials(place) : place;
  const named = (error: unknown): never => {
    if (!(error instanceof DiagnosticsError)) throw error;
    const diagnostics = error.diagnostics.map((one) =>
      one.ways ? { ...one, ways: one.ways.map((way) => (way.kind === "unlock" ? { ...way, state } : way)) } : one,
    );
    throw new DiagnosticsError(diagnostics, { cause: error });
  };
  return {
    ...store,
    lock: async (...request) => {
      const lock = await store.lock(...request).catch(named);
      return { ...lock, release: () => lock.release().catch(named) };
    },
  };
}

/** The default place that has a state. */
async function stateBefore(context: WorkingFolder, options: InitOptions, to: string): Promise<string> {
  const places = await defaultStates(context, options);
  const others = places.length > 1 ? places.filter((place) => place !== to) : places;
  for (const place of others) if ((await context.files.kind(resolvePath(context.folder, place))) !== null) return place;
  return others[0] ?? DEFAULT_STATE;
}

function samePlace(name: string): DiagnosticsError {
  return DiagnosticsError.of("migrate_same_place", "Nothing to migrate", {
    detail: `The configured state is ${name} itself.`,
    hint: "Configure the new place under state, then run the command again with --from OLD_PLACE.",
  });
}

function onlyForMigration(name: string): DiagnosticsError {
  return DiagnosticsError.of("option_conflict", "Conflicting options", {
    detail: `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} applies to --migrate-state only.`,
    hint: "Pass --migrate-state, too.",
  });
}

/** Writes a starter configuration, and keeps the state next to it out of version control. Never overwrites a file. */
async function init(
  { asCalled, environment, files, folder, out, paint }: Environment & Hints & Output & WorkingFolder,
  { config: given }: InitOptions,
): Promise<ExitCode> {
  const name = (await files.kind(resolvePath(folder, given))) === "folder" || given.endsWith("/") ? `${given.replace(/\/+$/, "")}/${DEFAULT_CONFIG}` : given;
  const config = name.replace(/^\.\//, "");
  const inside = config.slice(0, config.lastIndexOf("/") + 1);
  const path = resolvePath(folder, config);
  await makeFolderOf(files, path, config);
  const created = await createIfAbsent(files, path, `${schemaLine(folder, path)}\n${CONFIGURATION}`);
  out(created ? `Created ${config}: edit it to declare your webhooks.\n` : `${config} exists and is unchanged.\n`);
  const ignored = `${inside}.gitignore`;
  const added = await addLines(files, (await namedPath({ files, folder }, ignored)) ?? resolvePath(folder, ignored), IGNORED);
  out(added.length === 0 ? `${ignored} needs no change.\n` : `Added to ${ignored}: ${added.join(", ")}\n`);
  const option = config === DEFAULT_CONFIG ? "" : ` -c ${shellWord(config)}`;
  const settings = unsetText(environment);
  const next = `${settings}${settings === "" ? "Review" : "Then review"} the plan: outreach plan${option}\n`;
  out(`\n${paint("green", "outreach has been initialized.")}\n\n${asCalled(next)}`);
  return 0;
}

/** What is still to be set. */
function unsetText(environment: Environment["environment"]): string {
  const unset = ["OUTREACH_BASE_URL", "OUTREACH_API_KEY"].filter((name) => (environment[name] ?? "") === "");
  if (unset.length === 0) return "";
  const orSandbox = unset[0] === "OUTREACH_BASE_URL" ? ", or start a local copy of the service with outreach sandbox" : "";
  return `Set ${unset.join(" and ")}${orSandbox}.\n`;
}

async function makeFolderOf(files: FileSystem, path: string, config: string): Promise<void> {
  try {
    await files.makeFolder(posix.dirname(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw DiagnosticsError.of("init_not_a_folder", "Not a folder", {
      detail: `${config} cannot be created: a part of its path is a file.`,
      hint: "Name another file with -c PATH.",
    });
  }
}

/** Editors complete and check the file with the schema of a local installation. */
function schemaLine(folder: string, path: string): string {
  const up = posix.relative(posix.dirname(path), folder);
  return `# yaml-language-server: $schema=${up === "" ? "" : `${up}/`}node_modules/outreach-as-code/schemas/config.schema.json`;
}

async function createIfAbsent(files: FileSystem, path: string, text: string): Promise<boolean> {
  try {
    await files.createExclusively(path, new TextEncoder().encode(text), { isPublic: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Appends the lines that the file lacks, and returns them. */
async function addLines(files: FileSystem, path: string, lines: readonly string[]): Promise<readonly string[]> {
  const before = new TextDecoder().decode((await files.read(path)) ?? new Uint8Array());
  const there = new Set(before.split("\n").map((line) => line.trim()));
  const missing = lines.filter((line) => !there.has(line));
  if (missing.length === 0) return [];
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const file = await files.openAppend(path, { isPublic: true });
  try {
    await file.append(new TextEncoder().encode(`${gap}${REASON}\n${missing.join("\n")}\n`));
  } finally {
    await file.close();
  }
  return missing;
}

const REASON = "# Files of outreach: the state, its backup, the journal and the lock, and saved plans";
const IGNORED = ["*.state.json", "*.state.json.*", "*.plan"];

const CONFIGURATION = `# Webhooks of the outreach automation service, and leads to unsubscribe.
# outreach validate checks this file, outreach plan shows the changes, outreach apply makes them.
version: 1

service:
  # OUTREACH_BASE_URL, when set, wins over this.
  # base_url: https://api.example.com/api
  api_key: { env: OUTREACH_API_KEY }

# The state records what outreach manages. It contains no secrets. For CI, use a remote backend: http, s3 or pg.
state:
  backend: local
  path: outreach.state.json

# Values that differ between runs: --var stage=production, or OUTREACH_VAR_stage.
# variables:
#   stage: { default: staging }

# Campaigns to look up by name. outreach only reads them.
# data:
#   campaign:
#     q3: { name: "Q3 launch" }
#   campaigns:
#     live: { status: running }

# webhooks:
#   # One webhook: replies in one campaign go to the CRM, signed with a secret from the environment.
#   crm-replies:
#     target_url: https://crm.example.com/hooks/replies
#     type: emailsReplied
#     campaign: q3
#     secret: { env: CRM_HOOK_SECRET }
#
#   # Many webhooks: one for each event type and each running campaign, each with a URL of its own.
#   audit:
#     target_url: https://audit.example.com/hook?event=\${each.type}&campaign=\${each.campaign_id}
#     types: [emailsSent, emailsBounced]
#     campaigns: live

# Leads to unsubscribe from a campaign, once each. The service documents no way to undo it.
# lead_unsubscriptions:
#   asked-to-stop:
#     campaign: q3
#     emails: [ada@example.com]

# outputs:
#   q3_id: \${data.outreach_campaign.q3.id}
`;
