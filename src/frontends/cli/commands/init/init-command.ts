import { countOf } from "../../../../core/model/words.ts";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { Ports } from "../../../../operations/context.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { assertBaseUrl } from "../../../../operations/configuration/base-url.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import { isUrl, withoutCredentials } from "../../../../core/state/backends.ts";
import { migrateState } from "../../../../core/state/migrate-state.ts";
import type { StateStore } from "../../../../core/state/state-store.ts";
import { newFile, writeStarter } from "./write-starter.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withState } from "../../program/command-options.ts";
import { DEFAULT_STATE } from "../../../yaml/sections.ts";
import { defaultStates } from "../../../../operations/state/unmigrated-state.ts";
import { locked, openReadyStore } from "../../../../operations/state/records.ts";
import { keepState } from "../../../../operations/state/unstored-state.ts";

interface InitOptions extends CommandOptions {
  readonly baseUrl?: string;
  readonly migrateState: boolean;
  readonly from?: string;
  readonly force: boolean;
}

export const definition: CommandDefinition<InitOptions> = {
  description: "writes a starter configuration; or moves the state to another backend",
  example: { lines: ["outreach init", "outreach init --base-url https://api.example.com/api"] },
  declare: (command) =>
    withState(command)
      .option("--base-url <url>", "the base URL of the service, to write into the configuration")
      .option("--migrate-state", "move the state from another place to the configured one", false)
      .option(
        "--from <place>",
        `with --migrate-state: the path or URL of the state to move (default: ${DEFAULT_STATE} next to the configuration)`,
      )
      .option(
        "--force",
        "with --migrate-state: replace a state that is in the new place, and keep a copy of it",
        false,
      ),
  run: (context, { options, given }) => {
    const { migrateState: migrates } = options;
    const stray = given
      .map(({ long }) => String(long))
      .find((option) => (migrates ? ONLY_NEW.has(option) : !ONLY_NEW.has(option) && !COMMON.has(option)));
    if (stray !== undefined) throw strayOption(stray, migrates);
    return migrates ? migrate(context, options) : init(context, options);
  },
};

/** The options of a new configuration, and those that are also of a migration. */
const ONLY_NEW: ReadonlySet<string> = new Set(["--base-url"]);
const COMMON: ReadonlySet<string> = new Set(["--config"]);

/** Writes the starter configuration, and sends nothing. */
async function init(context: CommandContext, { baseUrl, config }: InitOptions): Promise<ExitCode> {
  if (baseUrl !== undefined) assertBaseUrl(baseUrl);
  await writeStarter(context, await newFile(context, config), baseUrl ?? null);
  return 0;
}

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
      const { document, isCopied, kept } = await migrateState(
        { from, to },
        { random: context.random, signal, keep },
        options.force,
      );
      const { length } = document.instances;
      const what = `the state with ${countOf(length, "record")}`;
      context.out(
        isCopied
          ? `${context.paint("green", "Migrated")} ${what} from ${from.name} to ${to.name}.\n`
          : `${to.name} already has ${what}.\n`,
      );
      context.out(
        `${from.name} now only says where the state is.${kept === null ? "" : ` The state that was in the new place is in ${kept}.`}\n`,
      );
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
async function stateBefore(context: Ports, options: InitOptions, to: string): Promise<string> {
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

function strayOption(option: string, migrates: boolean): DiagnosticsError {
  return DiagnosticsError.of("option_conflict", "Conflicting options", {
    detail: migrates ? `${option} does not apply to --migrate-state.` : `${option} applies to --migrate-state only.`,
    hint: migrates ? "Pass one of them." : "Pass --migrate-state, too.",
  });
}
