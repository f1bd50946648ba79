import { type Diagnostic, DiagnosticsError, type Result, hasErrors } from "../../../core/model/diagnostic.ts";
import { isoTime } from "../../../core/model/time.ts";
import type { Web } from "../../../core/model/ports.ts";
import { chooseStore, isUrl } from "../../../core/state/backends.ts";
import type { LockHolder, OpenStore, StateStore, StorePorts } from "../../../core/state/state-store.ts";
import { type LoadContext, type LoadedConfiguration, loadSection, settingValue, withoutConfiguration } from "../configuration/load-configuration.ts";
import type { StatePathOptions } from "../program/options.ts";
import { resolvePath } from "../configuration/read-configuration.ts";
import { duration } from "../program/duration.ts";
import type { Closing, Environment, Interrupt, Masks, Ports, WorkingFolder } from "../command-context.ts";

/** What opening a store needs. */
export type StoreContext = Closing & Environment & Interrupt & Masks & Ports & WorkingFolder;

export function lockHolder({ process, clock }: Ports, operation: string): LockHolder {
  const { who, host, bootId, pidNamespace, pid, startedAt } = process;
  return { operation, who, host, bootId, pidNamespace, pid, startedAt, since: isoTime(clock.now()) };
}

/** The store of a command's state: by `--state`, else by `OUTREACH_STATE` (paths from the working folder), else by the configuration. */
export async function openStore(context: StoreContext, options: StatePathOptions, loaded: LoadedConfiguration): Promise<StateStore> {
  return opened(context, namedStore(context, options) ?? configuredStore(context, loaded), loaded);
}

/** The same for commands that need nothing else: of the configuration only `state` and the variables have to be sound. */
export async function openStoreAlone(context: LoadContext & StoreContext, options: StatePathOptions): Promise<StateStore> {
  const named = namedStore(context, options);
  if (named !== null) return opened(context, named, withoutConfiguration(context));
  const { value: loaded, diagnostics } = await loadSection(context, options, "state").catch((error: unknown) => {
    throw error instanceof DiagnosticsError ? new DiagnosticsError(error.diagnostics.map(orNameState)) : error;
  });
  const configured = configuredStore(context, loaded);
  const missing = diagnostics.filter(({ unknown }) => unknown === "value");
  if (configured.value === null && missing.length > 0) throw new DiagnosticsError(missing.map(orNameState));
  return opened(context, configured, loaded);
}

/** Opens the chosen store, and closes it when the command has ended. */
async function opened(context: StoreContext, { value: open, diagnostics }: Result<OpenStore | null>, loaded: LoadedConfiguration): Promise<StateStore> {
  if (open === null || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  const store = await open(storePorts(context, loaded));
  context.atEnd(() => store.close());
  return store;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** What the chosen store needs. Only what it uses is loaded. */
function storePorts(context: StoreContext, loaded: LoadedConfiguration): StorePorts {
  const { environment, files, clock, random, process, redactor } = context;
  const hide = (secret: string): void => redactor.add(secret);
  let opening: Promise<Web> | null = null;
  const openWeb = async (): Promise<Web> => {
    const { nodeWeb } = await import("../../../service/api/node-web.ts");
    const web = nodeWeb(clock, { environment, hide });
    context.atEnd(() => Promise.resolve(web.close()));
    return web;
  };
  return {
    files,
    clock,
    random,
    process,
    environment,
    hide,
    web: () => (opening ??= openWeb()),
    reveal: async (source) => {
      const { revealOnce } = await import("./reveal-secrets.ts");
      const resolved = await revealOnce(context, loaded)(source);
      if ("value" in resolved) return resolved.value;
      const { detail, hint } = resolved;
      throw new DiagnosticsError([{ code: "state_secret_missing", severity: "error", summary: "No secret for the state", detail, hint }]);
    },
    timeoutMs: duration(context, "OUTREACH_TIMEOUT", DEFAULT_TIMEOUT_MS),
  };
}

function namedStore({ environment }: Environment, { state }: StatePathOptions): Result<OpenStore | null> | null {
  const named = state ?? environment["OUTREACH_STATE"] ?? "";
  return named === "" ? null : chooseStore({ named }, environment);
}

/** Where the configuration has it. */
export function configuredStore(context: Environment & WorkingFolder, loaded: LoadedConfiguration): Result<OpenStore | null> {
  const { backend, settings, locate } = loaded.configuration.state;
  const read = Object.entries(settings).map(([name, argument]) => {
    const { value, diagnostics } = settingValue(argument, loaded, (written) => locate?.([name], written));
    return { name, value: name === "path" && typeof value === "string" ? fromWorkingFolder(context, loaded, value) : value, diagnostics };
  });
  if (read.some(({ value }) => value === null)) return { value: null, diagnostics: read.flatMap(({ diagnostics }) => diagnostics) };
  const { value, diagnostics } = chooseStore(
    { backend, settings: Object.fromEntries(read.map((setting) => [setting.name, setting.value])) },
    context.environment,
  );
  const located = diagnostics.map((diagnostic) => {
    const place = locate?.(diagnostic.path ?? []);
    return place ? { ...diagnostic, place } : diagnostic;
  });
  return { value, diagnostics: located };
}

function fromWorkingFolder({ folder }: WorkingFolder, { configuration }: LoadedConfiguration, path: string): string {
  if (isUrl(path)) return path;
  const full = resolvePath(configuration.folder, path);
  return full.startsWith(`${folder}/`) ? full.slice(folder.length + 1) : full;
}

function orNameState(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, hint: `${diagnostic.hint === undefined ? "" : `${diagnostic.hint}\n`}Or name the state itself with --state PATH.` };
}
