import { posix } from "node:path";
import { blockOf } from "../../core/model/address.ts";
import { type Diagnostic, DiagnosticsError, warningOf } from "../../core/model/diagnostic.ts";
import type { FileSystem } from "../../core/model/ports.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import { StateMoved, UnreadableState, decodeState } from "../../core/state/document.ts";
import { parseEnvelope } from "../../core/state/encryption/envelope-format.ts";
import type { OpenState } from "../../core/state/open-state.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import { DEFAULT_STATE, teamState } from "../../frontends/yaml/sections.ts";
import type { Ports } from "../context.ts";
import { resolvePath } from "../configuration/named-file.ts";
import type { OperationOptions } from "../options.ts";

/** The files next to a configuration that may have its state by default, from the working folder: the team's, and the common one. */
export async function defaultStates(
  { files, folder }: Ports,
  { config, team }: OperationOptions,
): Promise<readonly string[]> {
  const full = resolvePath(folder, config);
  const isFolder = (await files.kind(full)) === "folder";
  return [...team.slice(0, 1).map(teamState), DEFAULT_STATE].map((name) => {
    const path = isFolder ? resolvePath(full, name) : full.replace(/[^/]*$/, name);
    return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
  });
}

/**
 * Throws `state_not_migrated` where a remote store or a team has no state yet, and the default place has one, or says where
 * it has moved: a new state would create everything for the second time.
 */
export async function assertMigrated(
  context: Ports,
  options: OperationOptions,
  { store, open }: { readonly store: StateStore; readonly open: OpenState },
): Promise<void> {
  if (open.version !== null || (store.isOnThisMachine && options.team.length === 0)) return;
  const files = await defaultStates(context, options);
  for (const [index, file] of files.entries()) {
    const bytes = await context.files.read(resolvePath(context.folder, file));
    const found = bytes === null || file === store.name ? null : await placeOfRecords(bytes, file, store);
    // A common state that has moved belongs to one of the teams, and only that one knows where.
    const isElsewhere = found !== file && options.team.length > 0 && index === files.length - 1;
    if (found !== null && !isElsewhere) throw notMigrated(store.name, file, found);
  }
}

/**
 * Warns where the state of a folder does not exist yet, and one next to the folder manages what the folder declares: a
 * configuration that became a folder leaves its state behind.
 */
export async function stateNextToFolder(
  { files, folder }: Ports,
  { config }: OperationOptions,
  { store, declared }: { readonly store: StateStore; readonly declared: readonly string[] },
): Promise<readonly Diagnostic[]> {
  const full = posix.resolve(folder, config);
  if (!store.isOnThisMachine || (await files.kind(full)) !== "folder") return [];
  const next = posix.dirname(full);
  for (const name of (await files.list(next)).toSorted()) {
    if (!name.endsWith(STATE_ENDING)) continue;
    const file = posix.relative(folder, `${next}/${name}`);
    const managed = new Set(
      (await recordsIn(files, { file, path: `${next}/${name}`, store })).map(({ address }) => blockOf(address)),
    );
    const both = declared.filter((address) => managed.has(address));
    if (both[0] !== undefined) return [nextToFolder(store.name, file, { first: both[0], count: both.length })];
  }
  return [];
}

const STATE_ENDING = ".state.json";

/** What a state next to the folder records, as far as it can be read: nobody has named it. */
async function recordsIn(
  files: FileSystem,
  { file, path, store: { encryption } }: { readonly file: string; readonly path: string; readonly store: StateStore },
) {
  try {
    const bytes = (await files.kind(path)) === "file" ? await files.read(path) : null;
    if (bytes === null) return [];
    return decodeState(encryption ? (await encryption.open(bytes, "state", file)).bytes : bytes, file).instances;
  } catch (error) {
    if (error instanceof DiagnosticsError || error instanceof StateMoved || error instanceof UnreadableState) return [];
    throw error;
  }
}

function nextToFolder(
  name: string,
  file: string,
  { first, count }: { readonly first: string; readonly count: number },
): Diagnostic {
  const others = count > 1 ? ` and ${String(count - 1)} more of the same addresses` : "";
  return warningOf("state_next_to_folder", "Another state has these addresses", {
    detail: `${name} does not exist yet, but ${file}, next to the folder of the configuration, manages ${first}${others}. An apply with a new state would create them a second time.`,
    hint: `If it is the state of this configuration, move it: mv ${shellWord(file)} ${shellWord(name)}`,
  });
}

/** The file itself, or the place that its state has moved to; null for a file without records. */
async function placeOfRecords(bytes: Uint8Array, file: string, { encryption }: StateStore): Promise<string | null> {
  try {
    const plain = encryption && parseEnvelope(bytes) ? (await encryption.open(bytes, "state", file)).bytes : bytes;
    return decodeState(plain, file).instances.length > 0 ? file : null;
  } catch (error) {
    if (error instanceof StateMoved) return error.moved.movedTo;
    if (error instanceof UnreadableState) return null;
    // Nobody knows what is encrypted with another key.
    if (error instanceof DiagnosticsError) return file;
    throw error;
  }
}

function notMigrated(name: string, file: string, found: string): DiagnosticsError {
  const isThere = found === file;
  return DiagnosticsError.of("state_not_migrated", "The state was not migrated", {
    detail: `${name} has no state yet, but ${file} ${isThere ? "has one" : `says that it has moved to ${found}`}. Starting again would create everything in it a second time. Nothing was sent.`,
    hint: `${found === name ? "Check that the settings of the state reach the same place as before. " : ""}If ${file} is the state of another configuration, give it another name there, and name it with --state.${found === name ? "" : " If it is the state of this configuration, move it:"}`,
    ways: found === name ? [] : [{ kind: "migrate-state", from: found }],
  });
}
