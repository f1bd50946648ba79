import type { Clock, FileSystem } from "../../core/model/ports.ts";

/**
 * Remembers across processes which objects are managed although they look in the service's list as what is about to be
 * created: to the process that creates, Terraform tells neither what stays as it is, nor, with `create_before_destroy`,
 * the old object. Without the mark, such an object would be an unmanaged twin.
 */
export interface ReplacedMarks {
  /** Called while a plan is made; a folder that cannot be written to is no reason to fail. */
  add(id: string): Promise<void>;
  has(id: string): Promise<boolean>;
  /** What the end of a plan has seen of the list; takes the place of what was seen before. */
  setSeen(seen: SeenInList): Promise<void>;
  /** Of creates that were given up: what has turned up since. */
  late(): Promise<SeenInList["late"]>;
  remove(id: string): Promise<void>;
}

export interface SeenInList {
  /** Managed objects that only look like what is about to be created, or like what was given up. */
  readonly alike: readonly string[];
  readonly late: readonly { readonly type: string; readonly id: string }[];
}

/** A plan that is older is not expected to be applied. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 64;
const MAX_SEEN_BYTES = 16 * 1024 * 1024;

/** One small file a mark, `replaced-ID`, with the time when it was made; and one for what the last plan has seen. */
export function replacedMarks(folder: string, { files, clock }: { readonly files: FileSystem; readonly clock: Clock }): ReplacedMarks {
  const pathOf = (id: string): string => `${folder}/replaced-${encodeURIComponent(id)}`;
  const seenPath = `${folder}/seen-in-list.json`;
  let seen: Promise<SeenInList & { readonly ids: ReadonlySet<string> }> | null = null;
  /** What cannot be stored has the create refused as a twin, which loses nothing. */
  async function write(path: string, text: string): Promise<void> {
    try {
      await files.makeFolder(folder);
      await files.writeDurably(path, new TextEncoder().encode(text));
    } catch {
      // As said above.
    }
  }
  async function readSeen(): Promise<SeenInList & { readonly ids: ReadonlySet<string> }> {
    try {
      const bytes = await files.read(seenPath, { maxBytes: MAX_SEEN_BYTES });
      const { atMs, alike, late } = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as SeenInList & { readonly atMs: number };
      if (clock.now() - atMs < LIFETIME_MS) return { alike, late, ids: new Set(alike) };
    } catch {
      // There is none, or it is not whole: nothing is known.
    }
    return { alike: [], late: [], ids: new Set() };
  }
  return {
    add: (id) => write(pathOf(id), String(clock.now())),
    setSeen: (now) => write(seenPath, JSON.stringify({ atMs: clock.now(), ...now })),
    late: async () => (await (seen ??= readSeen())).late,
    has: async (id) => {
      if ((await (seen ??= readSeen())).ids.has(id)) return true;
      const bytes = await files.read(pathOf(id), { maxBytes: MAX_BYTES }).catch(() => null);
      return bytes !== null && clock.now() - Number(new TextDecoder().decode(bytes)) < LIFETIME_MS;
    },
    remove: (id) => files.remove(pathOf(id)).catch(() => undefined),
  };
}
