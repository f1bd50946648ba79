import type { Clock, FileSystem } from "../../core/model/ports.ts";

/** What a plan saw in the service's lists. Terraform does not pass it to the process that applies the plan. */
export interface SeenInList {
  /**
   * Managed objects that look like a planned create in the list: those that it replaces, where the create comes first, and
   * those that differ only in attributes the list does not show. Without this note they would count as unmanaged duplicates.
   */
  readonly lookalikes: readonly string[];
  /** Managed objects that look like a create that was given up, seen by this plan or an earlier one. */
  readonly kept: readonly string[];
  /** Objects that open creates made. If the plan is not applied, Terraform does not know them, and they have to be found again. */
  readonly found: readonly string[];
  /** Objects of lost creates that appeared later, and managed ones that returned after they were missing. */
  readonly late: readonly { readonly type: string; readonly id: string; readonly wasManaged?: true }[];
}

/** Keeps across processes what the last plan saw, for one workspace, service and key. */
export interface PlanNotes {
  /** Called at the end of a plan; merges with notes of the same run. If storing fails, a create is refused as a duplicate, which loses nothing. */
  store(seen: SeenInList): Promise<void>;
  isAlike(id: string): Promise<boolean>;
  isKept(id: string): Promise<boolean>;
  isFound(id: string): Promise<boolean>;
  late(): Promise<SeenInList["late"]>;
}

/** Older plans are not expected to be applied. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 16 * 1024 * 1024;

interface Known extends Pick<SeenInList, "late"> {
  readonly lookalikes: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
}

/** One file in the journal's folder for each scope, named by its digest. */
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
      // Missing or damaged: nothing is known.
    }
    return { lookalikes: new Set(), kept: new Set(), found: new Set(), late: [] };
  }
  const known = () => (seen ??= read(clock.now() - LIFETIME_MS));
  return {
    store: async (now) => {
      try {
        // From the same run: another configuration of the provider with the same key.
        const others = await read(openedAtMs);
        const late = new Map([...others.late, ...now.late].map((one) => [one.id, one] as const));
        const all: SeenInList = {
          lookalikes: [...others.lookalikes, ...now.lookalikes],
          kept: [...others.kept, ...now.kept],
          found: [...others.found, ...now.found],
          late: [...late.values()],
        };
        await files.makeFolder(folder);
        await files.writeDurably(await pathOf(), new TextEncoder().encode(JSON.stringify({ atMs: clock.now(), ...all })));
      } catch {
        // See `store`: losing the notes is safe.
      }
    },
    isAlike: async (id) => (await known()).lookalikes.has(id),
    isKept: async (id) => (await known()).kept.has(id),
    isFound: async (id) => (await known()).found.has(id),
    late: async () => (await known()).late,
  };
}
