import type { Clock, FileSystem } from "../../core/model/ports.ts";

/** What a plan has seen in the service's lists, and Terraform does not tell to the process that applies it. */
export interface SeenInList {
  /**
   * Managed objects that look in the list like what is about to be created: those that it takes the place of, where it is
   * created first, and those that differ in what the list does not show. Without the mark they would be unmanaged duplicates.
   */
  readonly lookalikes: readonly string[];
  /** What looks like something that was given up, and was seen to be managed: by this plan or by one before it. */
  readonly kept: readonly string[];
  /** What open creates were found to have made. Where the plan is not applied, Terraform does not know it, and it is to be found again. */
  readonly found: readonly string[];
  /** Of creates that were given up: what has turned up since. */
  readonly late: readonly { readonly type: string; readonly id: string }[];
}

/** Remembers across processes, for one workspace, service and key, what the last plan has seen. */
export interface PlanNotes {
  /** Called at the end of a plan, and adds to what was seen beside it. What cannot be stored has a create refused as a duplicate, which loses nothing. */
  store(seen: SeenInList): Promise<void>;
  isAlike(id: string): Promise<boolean>;
  isKept(id: string): Promise<boolean>;
  isFound(id: string): Promise<boolean>;
  late(): Promise<SeenInList["late"]>;
}

/** A plan that is older is not expected to be applied. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 16 * 1024 * 1024;

interface Known extends Pick<SeenInList, "late"> {
  readonly lookalikes: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
}

/** A file in the journal's folder for each scope, which is told by its digest. */
export function openPlanNotes(
  folder: string,
  { files, clock }: { readonly files: FileSystem; readonly clock: Clock },
  scope: () => Promise<string>,
): PlanNotes {
  const openedAtMs = clock.now();
  let seen: Promise<Known> | null = null;
  const pathOf = async (): Promise<string> => `${folder}/seen-${(await scope()).slice(0, 16)}.json`;
  async function read(sinceMs: number): Promise<Known> {
    try {
      const bytes = await files.read(await pathOf(), { maxBytes: MAX_BYTES });
      const { atMs, lookalikes, kept, found, late } = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as SeenInList & { readonly atMs: number };
      if (atMs > sinceMs) return { lookalikes: new Set(lookalikes), kept: new Set(kept), found: new Set(found), late };
    } catch {
      // There is none, or it is not whole: nothing is known.
    }
    return { lookalikes: new Set(), kept: new Set(), found: new Set(), late: [] };
  }
  const known = () => (seen ??= read(clock.now() - LIFETIME_MS));
  return {
    store: async (now) => {
      try {
        // Of the same run: a process of another configuration of the provider, with the same key.
        const beside = await read(openedAtMs);
        const late = new Map([...beside.late, ...now.late].map((one) => [one.id, one] as const));
        const all: SeenInList = {
          lookalikes: [...beside.lookalikes, ...now.lookalikes],
          kept: [...beside.kept, ...now.kept],
          found: [...beside.found, ...now.found],
          late: [...late.values()],
        };
        await files.makeFolder(folder);
        await files.writeDurably(await pathOf(), new TextEncoder().encode(JSON.stringify({ atMs: clock.now(), ...all })));
      } catch {
        // As said above.
      }
    },
    isAlike: async (id) => (await known()).lookalikes.has(id),
    isKept: async (id) => (await known()).kept.has(id),
    isFound: async (id) => (await known()).found.has(id),
    late: async () => (await known()).late,
  };
}
