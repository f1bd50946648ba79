import type { FileSystem } from "../../core/model/ports.ts";

/** Remembers across processes, for one service and key, the types of which the service allows one object per value of an attribute. */
export interface ExclusiveMemory {
  isKnown(type: string): Promise<boolean>;
  /** It never fails: what is not remembered, the service rejects again. */
  learned(type: string): Promise<void>;
}

const MAX_BYTES = 64 * 1024;

/** A file in the journal's folder for each scope, which is a digest. */
export function openExclusiveMemory(folder: string, { files }: { readonly files: FileSystem }, scope: () => Promise<string>): ExclusiveMemory {
  let known: Promise<Set<string>> | null = null;
  const pathOf = async (): Promise<string> => `${folder}/exclusive-${(await scope()).slice(0, 16)}.json`;
  async function read(): Promise<Set<string>> {
    try {
      const bytes = await files.read(await pathOf(), { maxBytes: MAX_BYTES });
      return new Set(JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as readonly string[]);
    } catch {
      // There is no such file, or it is torn.
      return new Set();
    }
  }
  const types = (): Promise<Set<string>> => (known ??= read());
  return {
    isKnown: async (type) => (await types()).has(type),
    learned: async (type) => {
      const all = await types();
      if (all.has(type)) return;
      all.add(type);
      try {
        await files.makeFolder(folder);
        await files.writeDurably(await pathOf(), new TextEncoder().encode(JSON.stringify([...all])));
      } catch {
        // See `learned`.
      }
    },
  };
}
