import { DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import type { Clock } from "../../../src/core/model/ports.ts";
import type { HeldLockInfo, StateStore } from "../../../src/core/state/state-store.ts";
import { waitForLock } from "../../../src/core/state/wait-for-lock.ts";
import { lockAbsent, lockLost, lockOther, stateChanged, stateLocked } from "../../../src/core/state/store-errors.ts";

const LOCK_POLL_MS = 200;
const NAME = "memory";

/** What stores in memory share, as processes share a server. */
export interface MemoryPlace {
  stored: { readonly bytes: Uint8Array; readonly version: string } | null;
  before: Uint8Array | undefined;
  held: Pick<HeldLockInfo, "id" | "who" | "operation" | "since"> | null;
  /** How many versions and locks there were. */
  counts: { writes: number; locks: number };
}

export function memoryPlace(): MemoryPlace {
  return { stored: null, before: undefined, held: null, counts: { writes: 0, locks: 0 } };
}

/** A state in memory. Keeps every promise of the interface but survival; its intents are inside the state. */
export function memoryStore(clock: Clock, place: MemoryPlace = memoryPlace()): StateStore {
  let own: { readonly id: string; readonly lost: AbortController } | null = null;
  return {
    name: NAME,
    isOnThisMachine: true,
    isAtomic: true,
    assertReady: async (signal) => Promise.resolve(signal.throwIfAborted()),
    read: async (signal) => {
      await Promise.resolve(signal.throwIfAborted());
      return place.stored && { ...place.stored, bytes: place.stored.bytes.slice() };
    },
    write: async (bytes, expected, signal) => {
      await Promise.resolve(signal.throwIfAborted());
      if (own && place.held?.id !== own.id) {
        own.lost.abort(new DiagnosticsError([lockLost(NAME, own.id)]));
        throw own.lost.signal.reason;
      }
      if ((place.stored?.version ?? null) !== expected) throw new DiagnosticsError([stateChanged(NAME)]);
      place.before = place.stored?.bytes;
      place.stored = { bytes: bytes.slice(), version: String(++place.counts.writes) };
      return place.stored.version;
    },
    lock: async ({ who, operation, since }, timeoutMs, signal, waitsFor = () => undefined) => {
      signal.throwIfAborted();
      const tryLock = async () => {
        await Promise.resolve();
        const other = place.held;
        if (other)
          return {
            held: {
              holder: other.who,
              problem: stateLocked(NAME, other.id, { holder: other.who }),
              pollMs: LOCK_POLL_MS,
            },
          };
        const taken = { id: String(++place.counts.locks), lost: new AbortController() };
        place.held = { id: taken.id, who, operation, since };
        return { taken };
      };
      const mine = await waitForLock(tryLock, { timeoutMs, signal, waitsFor, clock });
      own = mine;
      return {
        id: mine.id,
        lost: mine.lost.signal,
        release: async () => {
          await Promise.resolve();
          if (own === mine) own = null;
          if (place.held?.id === mine.id) place.held = null;
        },
      };
    },
    forceUnlock: async (id, signal) => {
      await Promise.resolve(signal.throwIfAborted());
      const { held } = place;
      if (held?.id !== id)
        throw new DiagnosticsError([held ? lockOther(NAME, { id, held: held.id }) : lockAbsent(NAME)]);
      place.held = null;
    },
    heldLock: async (signal) => {
      await Promise.resolve(signal.throwIfAborted());
      return place.held && { ...place.held, holder: place.held.who, fate: "unknown" };
    },
    backup: {
      name: `${NAME}.backup`,
      read: async (signal) => {
        await Promise.resolve(signal.throwIfAborted());
        return place.before?.slice() ?? null;
      },
    },
    journal: null,
    close: () => Promise.resolve(),
  };
}
