import { type Diagnostic, DiagnosticsError, type Result, hasErrors } from "../../../core/model/diagnostic.ts";
import { isoTime } from "../../../core/model/time.ts";
import type { Value } from "../../../core/model/value.ts";
import { type OpenStore, chooseStore, isUrl } from "../../../core/state/backends.ts";
import type { LockHolder, StateStore } from "../../../core/state/state-store.ts";
import { type LoadContext, type LoadedConfiguration, loadSection, settingText } from "../configuration/load-configuration.ts";
import type { StatePathOptions } from "../program/options.ts";
import { resolvePath } from "../configuration/read-configuration.ts";
import type { Environment, Ports, WorkingFolder } from "../command-context.ts";

export function lockHolder({ process, clock }: Ports, operation: string): LockHolder {
  const { who, host, bootId, pidNamespace, pid, startedAt } = process;
  return { operation, who, host, bootId, pidNamespace, pid, startedAt, since: isoTime(clock.now()) };
}

/** The store of a command's state: by `--state`, else by `OUTREACH_STATE` (paths from the working folder), else by the configuration. */
export async function openStore(context: Environment & Ports & WorkingFolder, options: StatePathOptions, loaded: LoadedConfiguration): Promise<StateStore> {
  return opened(context, namedStore(context, options) ?? configuredStore(context, loaded));
}

/** The same for commands that need nothing else: of the configuration only `state` and the variables have to be sound. */
export async function openStoreAlone(context: LoadContext & Ports, options: StatePathOptions): Promise<StateStore> {
  const named = namedStore(context, options);
  if (named !== null) return opened(context, named);
  const { value: loaded, diagnostics } = await loadSection(context, options, "state").catch((error: unknown) => {
    throw error instanceof DiagnosticsError ? new DiagnosticsError(error.diagnostics.map(orNameState)) : error;
  });
  const configured = configuredStore(context, loaded);
  const missing = diagnostics.filter(({ unknown }) => unknown === "value");
  if (configured.value === null && missing.length > 0) throw new DiagnosticsError(missing.map(orNameState));
  return opened(context, configured);
}

async function opened(context: Ports & WorkingFolder, { value: open, diagnostics }: Result<OpenStore | null>): Promise<StateStore> {
  if (open === null || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  return open(context);
}

function namedStore({ environment }: Environment, { state }: StatePathOptions): Result<OpenStore | null> | null {
  const named = state ?? environment["OUTREACH_STATE"] ?? "";
  return named === "" ? null : chooseStore({ named });
}

/** Where the configuration has it. */
export function configuredStore(context: WorkingFolder, loaded: LoadedConfiguration): Result<OpenStore | null> {
  const { backend, settings, locate } = loaded.configuration.state;
  const read = Object.entries(settings).map(([name, argument]) => {
    const isText = argument.kind !== "literal" || typeof argument.value === "string";
    const { value, diagnostics }: Result<Value> = isText
      ? settingText(argument, loaded, (written) => locate?.([name], written))
      : { value: argument.value, diagnostics: [] };
    return { name, value: name === "path" && typeof value === "string" ? fromWorkingFolder(context, loaded, value) : value, diagnostics };
  });
  if (read.some(({ value }) => value === null)) return { value: null, diagnostics: read.flatMap(({ diagnostics }) => diagnostics) };
  const { value, diagnostics } = chooseStore({ backend, settings: Object.fromEntries(read.map((setting) => [setting.name, setting.value])) });
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
