import { type Diagnostic, DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import { isoTime } from "../../../core/model/iso-time.ts";
import type { LockHolder } from "../../../core/state/state-store.ts";
import { type LoadedConfiguration, loadSection, stateSetting } from "../configuration/load-configuration.ts";
import type { StatePathOptions } from "../program/options.ts";
import { resolvePath } from "../configuration/read-configuration.ts";
import type { CommandContext } from "../command-context.ts";

export function lockHolder({ process, clock }: CommandContext, operation: string): LockHolder {
  const { who, host, bootId, pid, startedAt } = process;
  return { operation, who, host, bootId, pid, startedAt, since: isoTime(clock.now()) };
}

/** A typo must not make folders, nor start from an empty state somewhere else. */
export async function assertStatePlace({ files, folder }: CommandContext, path: string): Promise<void> {
  const full = resolvePath(folder, path);
  const parent = full.slice(0, Math.max(1, full.lastIndexOf("/")));
  const isFolder = (await files.kind(full)) === "folder";
  if (!isFolder && (await files.kind(await files.realPath(parent).catch(() => parent))) === "folder") return;
  throw new DiagnosticsError([
    {
      code: "state_place",
      severity: "error",
      summary: isFolder ? "The state is a folder" : "No folder for the state",
      detail: isFolder ? `${path} is a folder, but the state is a file.` : `The state would be ${path}, but its folder does not exist.`,
      hint: isFolder ? "Name a file with --state." : "Create the folder, or correct --state or state.path.",
    },
  ]);
}

/** `--state`, then `OUTREACH_STATE` (both from the working folder), then the configuration's own. */
export function statePath(context: CommandContext, options: StatePathOptions, loaded: LoadedConfiguration): string {
  const named = namedState(context, options);
  if (named !== null) return named;
  const { value, diagnostics } = stateSetting(loaded);
  if (value === null || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  const full = resolvePath(loaded.configuration.folder, value);
  return full.startsWith(`${context.folder}/`) ? full.slice(context.folder.length + 1) : full;
}

/** The same, for commands that need nothing else: of the configuration only `state` and the variables have to be sound. */
export async function statePathAlone(context: CommandContext, options: StatePathOptions): Promise<string> {
  const named = namedState(context, options);
  if (named !== null) return named;
  const { value: loaded, diagnostics } = await loadSection(context, options, "state").catch((error: unknown) => {
    throw error instanceof DiagnosticsError ? new DiagnosticsError(error.diagnostics.map(orNameState)) : error;
  });
  const missing = diagnostics.filter(({ code }) => code === "variable_missing");
  if (stateSetting(loaded).value === null && missing.length > 0) throw new DiagnosticsError(missing.map(orNameState));
  return statePath(context, options, loaded);
}

function orNameState(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, hint: `${diagnostic.hint === undefined ? "" : `${diagnostic.hint}\n`}Or name the state itself with --state PATH.` };
}

function namedState({ environment }: CommandContext, { state }: StatePathOptions): string | null {
  const named = state ?? environment["OUTREACH_STATE"] ?? "";
  return named === "" ? null : named;
}
