import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { type StateDocument, decodeState } from "../../core/state/document.ts";
import { assertKnownTypes } from "../../core/state/known-types.ts";
import type { StateBackup, StateStore } from "../../core/state/state-store.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { firstFew } from "../../core/model/words.ts";
import type { Interrupt, Product } from "../context.ts";
import { type Records, noState } from "./records.ts";

/** An earlier version of a state, as a run has left it. */
export interface StateVersion {
  /** Null where the store does not tell. */
  readonly writtenAtMs: number | null;
  readonly document: StateDocument;
}

export interface FoundVersions {
  /** Newest first. */
  readonly versions: readonly StateVersion[];
  /** Why some could not be read, once each. */
  readonly unread: readonly string[];
}

/** Reading a version takes a request: a bucket may have thousands of them. */
const MAX_READ = 200;

/**
 * The earlier versions that a store keeps of this state, up to one of them. Left out: what another state has left at the place, and versions in
 * the middle of a run, or with an undecided write. Throws `versions_missing` where there are none.
 */
export async function readVersions(
  { stop, catalog }: Interrupt & Product,
  { store, open }: Records,
  upTo?: number,
): Promise<FoundVersions> {
  if (open.version === null) throw new DiagnosticsError([noState(store)]);
  if (store.backup === null && !store.history) throw noVersions(store);
  const { lineage, serial } = open.document;
  const found = new Map<number, StateVersion>();
  const unread = new Set<string>();
  for (const copy of await copiesOf(store, stop)) {
    try {
      const bytes = await copy.read(stop);
      const document = bytes && decodeState(bytes, copy.name);
      if (document) assertKnownTypes(catalog, document);
      const isVersion =
        document?.lineage === lineage &&
        document.run === undefined &&
        document.pending.length === 0 &&
        document.serial !== serial;
      if (isVersion && !found.has(document.serial))
        found.set(document.serial, { writtenAtMs: (await copy.writtenAtMs?.(stop)) ?? null, document });
    } catch (error) {
      if (!(error instanceof DiagnosticsError)) throw error;
      for (const { detail } of error.diagnostics) unread.add(detail);
    }
    if (upTo !== undefined && found.has(upTo)) break;
  }
  if (found.size === 0) throw noVersions(store, [...unread]);
  return {
    versions: [...found.values()].toSorted((a, b) => b.document.serial - a.document.serial),
    unread: [...unread],
  };
}

/** The version with this serial. Throws `version_unknown`, which names those that are kept. */
export async function versionOf(context: Interrupt & Product, records: Records, serial: number): Promise<StateVersion> {
  const { document } = records.open;
  if (serial === document.serial && records.open.version !== null) throw isCurrent(serial);
  const { versions } = await readVersions(context, records, serial);
  const version = versions.find((one) => one.document.serial === serial);
  if (version) return version;
  const { versions: kept, unread } = await readVersions(context, records);
  throw unknownVersion(serial, kept, unread);
}

/** When a version was written, to the second and in UTC. */
export function writtenText(writtenAtMs: number | null): string | null {
  return writtenAtMs === null ? null : isoTime(writtenAtMs).replace(/\.\d+Z$/, "Z");
}

async function copiesOf({ backup, history }: StateStore, stop: AbortSignal): Promise<readonly StateBackup[]> {
  const copies = (await history?.list(stop)) ?? [];
  const earlier = copies.flatMap(({ writtenAtMs, ...copy }) =>
    writtenAtMs === undefined ? [] : [{ ...copy, writtenAtMs: () => Promise.resolve(writtenAtMs) }],
  );
  return [...(backup ? [backup] : []), ...earlier].slice(0, MAX_READ);
}

const REVERT = "Revert the commit, and apply.";

function noVersions({ name, history, backup }: StateStore, unread: readonly string[] = []): DiagnosticsError {
  const why =
    history || backup
      ? `${name} has no earlier version that a run has left.`
      : `${name} keeps only the current state, so there is nothing to go back to.`;
  return DiagnosticsError.of("versions_missing", "No earlier version of the state", {
    detail: [why, ...unread].join(" "),
    hint: history && !backup ? `${REVERT} To keep versions from now on, turn on versioning of the bucket.` : REVERT,
  });
}

function isCurrent(serial: number): DiagnosticsError {
  return DiagnosticsError.of("version_unknown", "No such earlier version", {
    detail: `Serial ${String(serial)} is the current state.`,
    ways: [{ kind: "list-versions" }],
  });
}

const SHOWN = 5;

function unknownVersion(
  serial: number,
  versions: readonly StateVersion[],
  unread: readonly string[],
): DiagnosticsError {
  const shown = versions.map(
    ({ writtenAtMs, document }) =>
      `${String(document.serial)}${writtenAtMs === null ? "" : ` (${writtenText(writtenAtMs) ?? ""})`}`,
  );
  const others = unread.length === 0 ? "" : ` Others cannot be read: ${unread.join(" ")}`;
  return DiagnosticsError.of("version_unknown", "No such earlier version", {
    detail: `The state keeps no serial ${String(serial)}. It keeps ${firstFew(shown, SHOWN)}.${others}`,
    ways: [{ kind: "list-versions" }],
  });
}
