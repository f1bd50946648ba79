import { DiagnosticsError } from "../model/diagnostic.ts";
import type { Clock } from "../model/ports.ts";
import type { JournalBytes, StateStore } from "./state-store.ts";
import { lockAbsent, lockOther, stateChanged, stateLocked } from "./store-errors.ts";

const LOCK_POLL_MS = 200;

/** A state in memory, for tests and for embedding. Keeps every promise of the interface but survival. */
export function memoryStore(clock: Clock): StateStore {
  let held: { readonly id: string; readonly holder: string } | null = null;
  const holding = (): typeof held => held;
  let current: { readonly bytes: Uint8Array; readonly version: string } | null = null;
  let writes = 0;
  let locks = 0;
  return {
    name: "memory",
    read: () => Promise.resolve(current && { ...current, bytes: current.bytes.slice() }),
    write: (bytes, expected) => {
      if ((current?.version ?? null) !== expected) return Promise.reject(new DiagnosticsError([stateChanged("memory")]));
      current = { bytes: bytes.slice(), version: String(++writes) };
      return Promise.resolve(current.version);
    },
    lock: async (holder, timeoutMs, signal) => {
      const deadlineMs = clock.monotonicMs() + timeoutMs;
      for (let other = holding(); other; other = holding()) {
        if (clock.monotonicMs() >= deadlineMs) throw new DiagnosticsError([stateLocked("memory", other.id, other.holder)]);
        await clock.sleep(LOCK_POLL_MS, signal);
      }
      const mine = { id: String(++locks), holder: holder.who };
      held = mine;
      return {
        id: mine.id,
        release: () => {
          if (held === mine) held = null;
          return Promise.resolve();
        },
      };
    },
    forceUnlock: (id) => {
      if (held?.id !== id) return Promise.reject(new DiagnosticsError([held ? lockOther("memory", { id, held: held.id }) : lockAbsent("memory")]));
      held = null;
      return Promise.resolve();
    },
    journal: memoryJournal(),
  };
}

export function memoryJournal(): JournalBytes {
  let chunks: Uint8Array[] | null = null;
  return {
    name: "memory",
    read: () => Promise.resolve(chunks && new Uint8Array(Buffer.concat(chunks))),
    append: (bytes) => {
      chunks = chunks ?? [];
      chunks.push(bytes);
      return Promise.resolve();
    },
    remove: () => {
      chunks = null;
      return Promise.resolve();
    },
    setAside: (tag) => {
      chunks = null;
      return Promise.resolve(`memory.${tag}`);
    },
  };
}
