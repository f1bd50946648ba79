import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { isRecord } from "../../core/model/shape.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import type { StateMark } from "../team-work.ts";

/** What a run of a team finds out about its state. */
export interface StateWatch {
  /** A store whose reads throw `state_older` where the state is older than one that was seen in its place. */
  readonly watchStore: (store: StateStore) => StateStore;
  /** The newest version that was seen. */
  readonly seen: () => StateMark | null;
  /** Whether the state is locked by a controller, with a lock that stays if that one is gone. */
  readonly isLeft: () => boolean;
}

/** The name of the controllers' runs for others who wait for the lock. */
export const OPERATION = "controller";

/** `before`: the version that was seen before. */
export function watchState(team: string, before: StateMark | null): StateWatch {
  let seen = before;
  let isLeft = false;
  const note = (place: string, bytes: Uint8Array): void => {
    seen = markOf(place, bytes) ?? seen;
  };
  return {
    seen: () => seen,
    isLeft: () => isLeft,
    watchStore: (store) => ({
      ...store,
      read: async (signal) => {
        const stored = await store.read(signal);
        const found = stored && markOf(store.name, stored.bytes);
        if (seen?.place === store.name && isOlder(found, seen))
          throw new DiagnosticsError([stateOlder(team, found, seen)]);
        if (stored) note(store.name, stored.bytes);
        return stored;
      },
      write: async (bytes, expected, signal) => {
        const version = await store.write(bytes, expected, signal);
        note(store.name, bytes);
        return version;
      },
      lock: async (holder, timeoutMs, signal, ...more) => {
        try {
          return await store.lock(holder, timeoutMs, signal, ...more);
        } catch (error) {
          const isLocked =
            error instanceof DiagnosticsError && error.diagnostics.some(({ code }) => code === "state_locked");
          if (isLocked && store.endsLocks !== true) isLeft = await isOfController(store, signal);
          throw error;
        }
      },
    }),
  };
}

/** True also where the server does not say who has the lock. */
async function isOfController(store: StateStore, signal: AbortSignal): Promise<boolean> {
  try {
    return (await store.heldLock(signal))?.operation === OPERATION;
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return true;
  }
}

/** Null for bytes that are no state: who decodes them says so. */
function markOf(place: string, bytes: Uint8Array): StateMark | null {
  try {
    const state: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isRecord(state)) return null;
    const { lineage, serial } = state;
    return typeof lineage === "string" && typeof serial === "number" ? { place, lineage, serial } : null;
  } catch {
    return null;
  }
}

function isOlder(found: StateMark | null, seen: StateMark): boolean {
  return found === null || found.lineage !== seen.lineage || found.serial < seen.serial;
}

function stateOlder(team: string, found: StateMark | null, seen: StateMark): Diagnostic {
  const now =
    found === null
      ? "does not exist"
      : found.lineage === seen.lineage
        ? `has serial ${String(found.serial)}`
        : "is another one, with another lineage";
  return {
    code: "state_older",
    severity: "error",
    summary: "An older state was restored",
    detail: `The state ${seen.place} ${now}, but a controller has seen serial ${String(seen.serial)}. What was sent since then is not recorded, so a run could send it again. Nothing was sent.`,
    hint: `Look for what the state does not record: outreach plan --team ${team}\nImport it, or accept the plan. Then continue: outreach controller resume ${team}`,
  };
}
