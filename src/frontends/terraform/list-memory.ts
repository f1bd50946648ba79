import { type ListFindings, type PastLists, learnt, pastOf } from "../../core/apply/live/list-records.ts";
import type { Clock, FileSystem } from "../../core/model/ports.ts";
import type { ListKnowledge } from "../../core/state/document.ts";

/** Remembers across processes, for one service and key, what the service has shown of its lists. Nothing of it fails: without a record, less is known. */
export interface ListMemory {
  past(type: string): Promise<PastLists>;
  /** Whether the service allows one object of a type per value of its exclusive attribute. */
  isExclusive(type: string): Promise<boolean>;
  learnedExclusive(type: string): Promise<void>;
  /** When an object was created that no list has shown since, although one was read; undefined otherwise. */
  hiddenSinceMs(type: string, id: string): Promise<number | undefined>;
  /** Called at the end of a process, with what its lists have shown, by type, and the objects that it has created. */
  store(findings: ReadonlyMap<string, ListFindings>, created?: Created): Promise<void>;
}

/** When the objects of a process were created, by type and id. */
export type Created = ReadonlyMap<string, ReadonlyMap<string, number>>;

const MAX_BYTES = 1024 * 1024;

/** `hidden`: the created objects that no list has shown, and when they were created, in milliseconds since the epoch by the local clock. */
type Known = { readonly [type: string]: ListKnowledge & { readonly hidden?: { readonly [id: string]: number } } };

/** A file in the journal's folder for each scope, which is a digest. */
export function openListMemory(
  folder: string,
  { files, clock }: { readonly files: FileSystem; readonly clock: Clock },
  scope: () => Promise<string>,
): ListMemory {
  const pathOf = async (): Promise<string> => `${folder}/lists-${(await scope()).slice(0, 16)}.json`;
  /** What this process has learned: another process may overwrite the file. */
  const exclusive = new Set<string>();
  async function read(): Promise<Known> {
    try {
      const bytes = await files.read(await pathOf(), { maxBytes: MAX_BYTES });
      return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as Known;
    } catch {
      // There is no such file, or it is torn.
      return {};
    }
  }
  let first: Promise<Known> | null = null;
  async function store(findings: ReadonlyMap<string, ListFindings>, created: Created = new Map()): Promise<void> {
    const before = await read();
    const fresh = [...new Set([...findings.keys(), ...exclusive])].flatMap((type) => {
      const known = before[type] ?? {};
      const found = findings.get(type);
      const now = found ? withHidden(learnt(known, found, clock.now()), found, created.get(type) ?? new Map()) : known;
      const after = exclusive.has(type) && !now.exclusive ? { ...now, exclusive: true as const } : now;
      return after === known ? [] : [[type, after] as const];
    });
    if (fresh.length === 0) return;
    try {
      await files.makeFolder(folder);
      await files.writeDurably(await pathOf(), new TextEncoder().encode(JSON.stringify({ ...before, ...Object.fromEntries(fresh) })));
    } catch {
      // The next process tries again.
    }
  }
  return {
    past: async (type) => pastOf((await read())[type], clock.now()),
    hiddenSinceMs: async (type, id) => (await (first ??= read()))[type]?.hidden?.[id],
    isExclusive: async (type) => exclusive.has(type) || (await (first ??= read()))[type]?.exclusive === true,
    learnedExclusive: async (type) => {
      exclusive.add(type);
      await store(new Map());
    },
    store,
  };
}

function withHidden(before: Known[string], { listed }: ListFindings, created: ReadonlyMap<string, number>): Known[string] {
  const { hidden = {}, ...known } = before;
  const left = Object.entries({ ...hidden, ...Object.fromEntries(created) }).filter(([id]) => listed?.has(id) !== true);
  if (left.length === Object.keys(hidden).length && left.every(([id]) => hidden[id] !== undefined)) return before;
  return left.length === 0 ? known : { ...known, hidden: Object.fromEntries(left) };
}
