import { DiagnosticsError } from "../model/diagnostic.ts";
import type { Random } from "../model/ports.ts";
import { canonicalJson } from "../model/value.ts";
import { type StateDocument, StateMoved, decodeState, emptyState, encodeMovedState, encodeState } from "./document.ts";
import { type OpenState, encodeForFile, readState, stateRestored } from "./open-state.ts";
import type { StateStore } from "./state-store.ts";

export interface Migration {
  readonly document: StateDocument;
  /** False if an earlier migration had copied the state already. */
  readonly isCopied: boolean;
  /** The name of the copy of the state that was replaced; null if there was none. */
  readonly kept: string | null;
}

export interface MigrationPorts {
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Stores a copy of the state that is replaced by force, and returns its name. */
  readonly keep: (state: Uint8Array) => Promise<string>;
}

/**
 * Moves a state to another store, both locked by the caller. The state is written, read back and compared before its old
 * place is changed; that then only says where the state is, so that nobody continues there. May be repeated after a failure at
 * any point. Throws `migrate_conflict`, and changes nothing, if the new place has another state, unless `isForced`.
 */
export async function migrateState(
  { from, to }: { readonly from: StateStore; readonly to: StateStore },
  { random, signal, keep }: MigrationPorts,
  isForced: boolean,
): Promise<Migration> {
  const there = await readTarget(to, { random, signal });
  const source = await readSource(from, { to, there }, { random, signal });
  if (source === "moved") return { document: there.document, isCopied: false, kept: null };
  if (source.restored)
    throw new DiagnosticsError([stateRestored(from, { document: source.document, journal: source.restored })], {
      undecided: true,
    });
  const holdsSame = there.isState && there.version !== null && isSame(there.document, source.document);
  // A copy has a later serial. The same one may be one place under two names, which the lock does not notice if it is switched off.
  const isCopied = holdsSame && there.document.serial > source.document.serial;
  const isOverwritten = !holdsSame && there.isState && there.version !== null && !isEmpty(there.document);
  if (isOverwritten && !isForced) throw conflict({ from, to }, source.document, there.document);
  const kept = isOverwritten ? await keep(await encodeForFile(to, there.document)) : null;
  if (!isCopied) await copy(to, source.document, { there, signal });
  if (holdsSame && (await from.read(signal))?.version !== source.version) throw onePlace(from.name, to.name);
  const { lineage, serial } = source.document;
  await from.write(
    encodeMovedState({ format: 1, lineage, serial: serial + 1, movedTo: to.name }),
    source.version,
    signal,
  );
  await from.journal?.remove();
  return { document: source.document, isCopied: !isCopied, kept };
}

interface Target extends Pick<OpenState, "document" | "version"> {
  /** False if the place only says where its state has moved. */
  readonly isState: boolean;
}

type ReadPorts = Pick<MigrationPorts, "random" | "signal">;

async function readTarget(to: StateStore, { random, signal }: ReadPorts): Promise<Target> {
  try {
    return { ...(await readState(to, random, signal)), isState: true };
  } catch (error) {
    if (!(error instanceof StateMoved)) throw error;
    // A crash may have left the journal of a state that moved: its events are in that state.
    await to.journal?.remove();
    const stored = await to.read(signal);
    const { lineage, serial } = error.moved;
    return {
      document: { ...emptyState({ lineage, salt: "", planKey: "" }), serial },
      version: stored?.version ?? null,
      isState: false,
    };
  }
}

async function readSource(
  from: StateStore,
  { to, there }: { readonly to: StateStore; readonly there: Target },
  { random, signal }: ReadPorts,
): Promise<OpenState | "moved"> {
  try {
    const source = await readState(from, random, signal);
    if (source.version === null) throw nothingToMigrate(from.name);
    return source;
  } catch (error) {
    if (
      !(error instanceof StateMoved) ||
      !there.isState ||
      there.document.lineage !== error.moved.lineage ||
      error.moved.movedTo !== to.name
    )
      throw error;
    await from.journal?.remove();
    return "moved";
  }
}

/** Throws if the store does not return what was written. */
async function copy(
  to: StateStore,
  document: StateDocument,
  { there, signal }: { readonly there: Target; readonly signal: AbortSignal },
): Promise<void> {
  const written = {
    ...document,
    serial: Math.max(document.serial, there.version === null ? 0 : there.document.serial) + 1,
  };
  await to.write(encodeState(written), there.version, signal);
  const stored = await to.read(signal);
  if (stored === null || canonicalJson(decodeState(stored.bytes, to.name)) !== canonicalJson(written))
    throw notCopied(to.name);
}

/** The serial grows by the migration itself. */
function isSame(one: StateDocument, other: StateDocument): boolean {
  return canonicalJson({ ...one, serial: 0 }) === canonicalJson({ ...other, serial: 0 });
}

function isEmpty({ instances, pending, lostCreates }: StateDocument): boolean {
  return instances.length === 0 && pending.length === 0 && lostCreates.length === 0;
}

function nothingToMigrate(name: string): DiagnosticsError {
  return DiagnosticsError.of("state_missing", "No state to migrate", {
    detail: `${name} does not exist. Nothing was changed.`,
    hint: "Check the name of the old place.",
  });
}

function onePlace(from: string, to: string): DiagnosticsError {
  return DiagnosticsError.of("migrate_same_place", "Nothing to migrate", {
    detail: `${from} and ${to} are the same place, or another run has changed the state meanwhile. Both places have their state.`,
    hint: "Name the place that the state moves from, and let the command lock both.",
  });
}

function conflict(
  { from, to }: { readonly from: StateStore; readonly to: StateStore },
  source: StateDocument,
  there: StateDocument,
): DiagnosticsError {
  const sizeOf = ({ lineage, serial, instances }: StateDocument): string =>
    `lineage ${lineage}, serial ${String(serial)}, records: ${String(instances.length)}`;
  return DiagnosticsError.of("migrate_conflict", "The new place already holds a state", {
    detail: `${to.name} already holds a state (${sizeOf(there)}), and ${from.name} holds another one (${sizeOf(source)}). Both stay as they are.`,
    ways: [{ kind: "overwrite-state" }],
  });
}

function notCopied(name: string): DiagnosticsError {
  return DiagnosticsError.of("migrate_failed", "The state was not migrated", {
    detail: `${name} does not return the state that was written to it. The old place is unchanged.`,
    hint: "Check the settings of the store, then run the command again.",
  });
}
