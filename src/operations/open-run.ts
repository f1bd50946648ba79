import type { SeenLock } from "../core/apply/recovery/unrecorded.ts";
import type { RunPorts } from "../core/apply/run/run-ports.ts";
import { type Diagnostic, DiagnosticsError, type Result, hasErrors, warningOf } from "../core/model/diagnostic.ts";
import { assertKnownTypes } from "../core/state/known-types.ts";
import { type OpenState, readState } from "../core/state/open-state.ts";
import type { StateStore } from "../core/state/state-store.ts";
import type { CallerOptions } from "../service/api/caller.ts";
import { readClient, reserveWrites } from "../service/api/client.ts";
import { rateLimit } from "../service/api/pace.ts";
import type { OperationContext } from "./context.ts";
import { type ServiceAddress, callerOptions, openService } from "./service/connection.ts";
import { forReceivers } from "./configuration/own-secrets.ts";
import { revealOnce } from "./configuration/reveal-secrets.ts";
import { duration } from "./configuration/environment-names.ts";
import { type LoadedConfiguration, loadConfiguration, loadSettings } from "./configuration/load-configuration.ts";
import type { OperationOptions } from "./options.ts";
import { loggedLevels, openLog } from "./service/log.ts";
import { declaresPersonalData, learnState } from "./personal-data.ts";
import { statePlace } from "./configuration/shown-settings.ts";
import { locked } from "./state/records.ts";
import { keyChangeNote } from "./state/state-encryption.ts";
import { ambientValues } from "./configuration/given-values.ts";
import { openStore } from "./state/state-place.ts";
import { assertMigrated, stateNextToFolder } from "./state/unmigrated-state.ts";
import { keepUnstoredState } from "./state/unstored-state.ts";

/** An open configuration, state and service: the input of every command that plans or changes something. */
export interface OpenRun {
  readonly context: OperationContext;
  readonly loaded: LoadedConfiguration;
  readonly store: StateStore;
  readonly open: OpenState;
  readonly ports: RunPorts;
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_LISTING_DELAY_MS = { answered: 10_000, unanswered: 60_000 };

export interface RunOptions extends OperationOptions {
  /** The name of the operation, for users who wait for the lock. */
  readonly operation: string;
  /** False for operations that store nothing. */
  readonly persists?: boolean;
  /** What the operation needs of the configuration: `settings`, only where service and state are; `blocks`, no list that a command prints. By default all of it. */
  readonly needs?: "settings" | "blocks" | "everything";
  /** The configuration, where it was loaded before. */
  readonly loaded?: Result<LoadedConfiguration>;
  /** Checks configuration and store, before anything is read from the store or sent. */
  readonly check?: (opened: Pick<OpenRun, "loaded" | "store">) => void;
  /** Changes the state that was read, as for a first saved plan, which has created lineage and salt. */
  readonly begin?: (open: OpenState) => OpenState;
}

/**
 * Opens a run, passes it to `use`, and always closes it. Throws `DiagnosticsError` before `use` if
 * something required is missing.
 */
export async function withOpenRun<T>(
  context: OperationContext,
  options: RunOptions,
  use: (run: OpenRun) => Promise<T>,
): Promise<T> {
  const {
    operation,
    lock = true,
    persists = true,
    needs = "everything",
    check = () => undefined,
    begin = (open: OpenState) => open,
  } = options;
  const { value: loaded, diagnostics } =
    needs === "settings"
      ? { value: await loadSettings(context, options, "service", "state"), diagnostics: [] }
      : sound(
          options.loaded ??
            (await loadConfiguration(context, options, {
              runsLists: options.secrets !== false && needs === "everything",
            })),
        );
  logUnusedVariables(context, loaded);
  const store = await openStore(context, options, loaded);
  check({ loaded, store });
  await store.assertReady(context.stop);
  return locked(context, { store, options, operation }, async (stop) => {
    const open = begin(await readState(store, context.random, stop, { setsAside: persists }));
    learnState(context, open.document);
    const isNamed =
      options.state !== undefined || (store.isOnThisMachine && (context.environment["OUTREACH_STATE"] ?? "") !== "");
    if (!isNamed) await assertMigrated(context, options, { store, open });
    assertKnownTypes(context.catalog, open.document);
    const service = await openService(context, loaded);
    const caller = callerOptions(context, service);
    const declared = loaded.configuration.blocks.map(({ type, name }) => `${type}.${name}`);
    const lost =
      open.version === null
        ? [...(await lostState(store, stop)), ...(await stateNextToFolder(context, options, { store, declared }))]
        : [];
    try {
      const run: OpenRun = {
        context,
        loaded,
        store,
        open,
        diagnostics: [
          ...diagnostics,
          ...lost,
          ...(persists && !lock ? unguarded(store) : []),
          ...keyChangeNote(store, open),
        ],
        ports: runPorts(context, {
          loaded,
          service,
          caller,
          stop,
          seenLock: lock ? null : () => lookedUp(store, stop),
        }),
      };
      return await use(
        options.begin === undefined && declaresPersonalData(loaded.configuration, context.catalog)
          ? await withFirstSalt(run)
          : run,
      );
    } finally {
      caller.transport.close();
    }
  });
}

/**
 * Before the first state, every run of every process gets the same salt: a masked address that one has printed is accepted by the next, and plans
 * of the same content are the same. Only somebody with the API key can compute it.
 */
export async function withFirstSalt(run: OpenRun): Promise<OpenRun> {
  const { context, open, ports, loaded } = run;
  if (open.version !== null) return run;
  const document = {
    ...open.document,
    salt: await ports.fingerprint(Buffer.from(statePlace(loaded)).toString("hex"), ports.service.apiKey),
  };
  learnState(context, document);
  return { ...run, open: { ...open, document } };
}

/** Variables of the environment that set nothing: a pipeline may set those of several configurations. */
function logUnusedVariables(context: OperationContext, { configuration }: LoadedConfiguration): void {
  if (!loggedLevels(context).includes("info")) return;
  const declared = new Set(configuration.variables.map(({ name }) => name));
  const ambient = ambientValues(context, configuration);
  for (const name of ambient.keys())
    if (!declared.has(name))
      openLog(context)(
        "info",
        `${ambient.get(name)?.from ?? name} sets no variable: the configuration does not declare ${name}.`,
      );
}

/** Throws for mistakes. */
function sound(loaded: Result<LoadedConfiguration>): Result<LoadedConfiguration> {
  const { value, diagnostics } = loaded;
  if (hasErrors(diagnostics))
    throw new DiagnosticsError([...diagnostics, ...value.evaluate({ known: new Map(), instances: [] }).diagnostics]);
  return loaded;
}

/** Without the lock, only a conditional write keeps two runs apart. */
function unguarded({ name, isAtomic, isOnThisMachine }: StateStore): readonly Diagnostic[] {
  if (isAtomic || isOnThisMachine) return [];
  return [
    warningOf("state_unguarded", "Nothing guards the state", {
      detail: `${name} cannot refuse an outdated write. Without the lock, this run can overwrite what another run has stored at the same time.`,
      hint: "Omit --lock=false, unless no other run is active.",
    }),
  ];
}

/** To begin a new state where one existed is probably a mistake: it would send unsubscriptions again. */
async function lostState({ name, backup }: StateStore, signal: AbortSignal): Promise<readonly Diagnostic[]> {
  if (!backup || (await backup.read(signal)) === null) return [];
  return [
    warningOf("state_lost", "The state is missing, but a backup exists", {
      detail: `${name} is not there, so nothing counts as managed or sent; ${backup.name} holds what it was before its last change.`,
      ways: [{ kind: "replace-state", file: backup.name, isForced: false }],
    }),
  ];
}

/** Without the lock, a run only reads. Who may read the state need not be allowed to see its lock. */
async function lookedUp(store: StateStore, signal: AbortSignal): Promise<SeenLock> {
  if (store.locksToLook) return "hidden";
  try {
    return await store.heldLock(signal);
  } catch (error) {
    if (error instanceof DiagnosticsError) return "hidden";
    throw error;
  }
}

interface PortInputs {
  readonly loaded: LoadedConfiguration;
  readonly service: ServiceAddress;
  readonly caller: CallerOptions;
  readonly stop: AbortSignal;
  /** Null where this run has the lock. */
  readonly seenLock: NonNullable<RunPorts["seenLock"]> | null;
}

function runPorts(context: OperationContext, { loaded, service, caller, stop, seenLock }: PortInputs): RunPorts {
  const fingerprints = new Map<string, (secret: string) => Promise<string>>();
  const client = readClient(caller);
  return {
    catalog: context.catalog,
    readClient: client,
    rate: { limit: rateLimit(service.rateShare), reads: client.requests },
    access: { reserve: (count, signal) => reserveWrites(caller, count, signal) },
    clock: context.clock,
    random: context.random,
    process: context.process,
    service,
    reveal: async (source) => forReceivers(context, source, await revealOnce(context, loaded)(source)),
    fingerprint: (salt, secret) => {
      const under = fingerprints.get(salt) ?? context.fingerprinter(salt);
      fingerprints.set(salt, under);
      return under(secret);
    },
    listingDelayMs: {
      answered: duration(context, "OUTREACH_SETTLE", DEFAULT_LISTING_DELAY_MS.answered),
      unanswered: duration(context, "OUTREACH_SETTLE", DEFAULT_LISTING_DELAY_MS.unanswered),
    },
    ...(seenLock ? { seenLock } : {}),
    waiting: (durationMs) => context.notify({ kind: "waiting-for-list", durationMs }),
    keepUnstored: (state) => keepUnstoredState(context, state),
    signal: stop,
  };
}
