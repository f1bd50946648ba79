import { countingLength, remembered } from "../../core/apply/live/list-records.ts";
import type { Clock, FileSystem } from "../../core/model/ports.ts";
import type { SeenLength } from "../../core/state/document.ts";

/** Remembers across processes, for one service and key, how long the service's lists have been: evidence for when one may be truncated. */
export interface ListLengths {
  /** 0 when no length counts. */
  longestSeen(type: string): Promise<number>;
  /** Called at the end of a process, with its longest answers by type. It never fails: without a record, nothing counts as missing. */
  store(lengths: ReadonlyMap<string, number>): Promise<void>;
}

const MAX_BYTES = 1024 * 1024;

type Lengths = { readonly [type: string]: SeenLength };

/** A file in the journal's folder for each scope, which is a digest. */
export function openListLengths(
  folder: string,
  { files, clock }: { readonly files: FileSystem; readonly clock: Clock },
  scope: () => Promise<string>,
): ListLengths {
  const pathOf = async (): Promise<string> => `${folder}/lists-${(await scope()).slice(0, 16)}.json`;
  async function read(): Promise<Lengths> {
    try {
      const bytes = await files.read(await pathOf(), { maxBytes: MAX_BYTES });
      return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as Lengths;
    } catch {
      // There is no such file, or it is torn.
      return {};
    }
  }
  return {
    longestSeen: async (type) => countingLength((await read())[type], clock.now()),
    store: async (lengths) => {
      const before = await read();
      const fresh = [...lengths].flatMap(([type, length]) => {
        const seen = remembered(before[type], length, clock.now());
        return seen && seen !== before[type] ? [[type, seen] as const] : [];
      });
      if (fresh.length === 0) return;
      try {
        await files.makeFolder(folder);
        await files.writeDurably(await pathOf(), new TextEncoder().encode(JSON.stringify({ ...before, ...Object.fromEntries(fresh) })));
      } catch {
        // The next process tries again.
      }
    },
  };
}
