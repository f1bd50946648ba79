import type { Clock, FileSystem } from "../../core/model/ports.ts";

/**
 * Remembers across processes which objects are managed although they look in the service's list as what is about to be
 * created: to the process that creates, Terraform tells neither what stays as it is, nor, with `create_before_destroy`,
 * the old object. Without the mark, such an object would be an unmanaged twin.
 */
export interface ReplacedMarks {
  /** Called while a plan is made; a folder that cannot be written to is no reason to fail. */
  add(id: string): Promise<void>;
  /** Those that only look alike, all at once; takes the place of what was set before. */
  set(ids: readonly string[]): Promise<void>;
  has(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** A plan that is older is not expected to be applied. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 64;
const MAX_ALIKE_BYTES = 16 * 1024 * 1024;

/** One small file a mark, `replaced-ID`, with the time when it was made; and one for all that only look alike. */
export function replacedMarks(folder: string, { files, clock }: { readonly files: FileSystem; readonly clock: Clock }): ReplacedMarks {
  const pathOf = (id: string): string => `${folder}/replaced-${encodeURIComponent(id)}`;
  const alikePath = `${folder}/managed-alike.json`;
  let alike: Promise<ReadonlySet<string>> | null = null;
  /** What cannot be stored has the create refused as a twin, which loses nothing. */
  async function write(path: string, text: string): Promise<void> {
    try {
      await files.makeFolder(folder);
      await files.writeDurably(path, new TextEncoder().encode(text));
    } catch {
      // As said above.
    }
  }
  async function readAlike(): Promise<ReadonlySet<string>> {
    try {
      const bytes = await files.read(alikePath, { maxBytes: MAX_ALIKE_BYTES });
      const { atMs, ids } = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as { readonly atMs: number; readonly ids: readonly string[] };
      return new Set(clock.now() - atMs < LIFETIME_MS ? ids : []);
    } catch {
      return new Set();
    }
  }
  return {
    add: (id) => write(pathOf(id), String(clock.now())),
    set: (ids) => write(alikePath, JSON.stringify({ atMs: clock.now(), ids })),
    has: async (id) => {
      if ((await (alike ??= readAlike())).has(id)) return true;
      const bytes = await files.read(pathOf(id), { maxBytes: MAX_BYTES }).catch(() => null);
      return bytes !== null && clock.now() - Number(new TextDecoder().decode(bytes)) < LIFETIME_MS;
    },
    remove: (id) => files.remove(pathOf(id)).catch(() => undefined),
  };
}
