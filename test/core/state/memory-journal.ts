import type { JournalBytes } from "../../../src/core/state/state-store.ts";

/** A journal in memory. */
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
    overwrite: (bytes, position) => {
      const all = Buffer.concat(chunks ?? []);
      all.set(bytes, position);
      chunks = [all];
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
