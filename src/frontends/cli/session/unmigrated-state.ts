import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { StateMoved, UnreadableState, decodeState } from "../../../core/state/document.ts";
import type { OpenState } from "../../../core/state/open-state.ts";
import type { StateStore } from "../../../core/state/state-store.ts";
import { DEFAULT_STATE } from "../../yaml/default-state.ts";
import type { WorkingFolder } from "../command-context.ts";
import { resolvePath } from "../configuration/read-configuration.ts";
import type { ConfigOptions } from "../program/options.ts";

/** The file next to a configuration that has its state by default, from the working folder. */
export async function defaultState({ files, folder }: WorkingFolder, { config }: Pick<ConfigOptions, "config">): Promise<string> {
  const full = resolvePath(folder, config);
  const path = (await files.kind(full)) === "folder" ? resolvePath(full, DEFAULT_STATE) : full.replace(/[^/]*$/, DEFAULT_STATE);
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

/**
 * Throws `state_not_migrated` where a remote store has no state yet, and a state is in the default place: a new state would
 * create everything for the second time.
 */
export async function assertMigrated(
  context: WorkingFolder,
  options: Pick<ConfigOptions, "config">,
  { store, open }: { readonly store: StateStore; readonly open: OpenState },
): Promise<void> {
  if (store.isOnThisMachine || open.version !== null) return;
  const file = await defaultState(context, options);
  const bytes = await context.files.read(resolvePath(context.folder, file));
  if (bytes !== null && (await holdsRecords(bytes, file, store))) throw new DiagnosticsError([notMigrated(store.name, file)]);
}

async function holdsRecords(bytes: Uint8Array, file: string, { encryption }: StateStore): Promise<boolean> {
  try {
    const plain = encryption ? (await encryption.open(bytes, "state", file)).bytes : bytes;
    return decodeState(plain, file).instances.length > 0;
  } catch (error) {
    if (error instanceof StateMoved || error instanceof UnreadableState) return false;
    // Nobody knows what is encrypted with another key.
    if (error instanceof DiagnosticsError) return true;
    throw error;
  }
}

function notMigrated(name: string, file: string): Diagnostic {
  return {
    code: "state_not_migrated",
    severity: "error",
    summary: "The state was not migrated",
    detail: `${name} has no state yet, but ${file} has one. Starting again would create everything in it a second time. Nothing was sent.`,
    hint: `If ${file} belongs to something else, give it another name.`,
    ways: [{ kind: "migrate-state", from: file }],
  };
}
