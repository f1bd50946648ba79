import type { Clock, FileSystem } from "../../core/model/ports.ts";

/**
 * Remembers across processes which objects are about to be replaced by one that looks the same in the service's list.
 * With `create_before_destroy` the new one is created first, by a process to which Terraform does not tell the old one's
 * id: without the mark, the old one would be an unmanaged twin.
 */
export interface ReplacedMarks {
  /** Called while a plan is made; a folder that cannot be written to is no reason to fail. */
  add(id: string): Promise<void>;
  has(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** A plan that is older is not expected to be applied. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 64;

/** One small file a mark: `replaced-ID`, with the time when it was made. */
export function replacedMarks(folder: string, { files, clock }: { readonly files: FileSystem; readonly clock: Clock }): ReplacedMarks {
  const pathOf = (id: string): string => `${folder}/replaced-${encodeURIComponent(id)}`;
  return {
    add: async (id) => {
      try {
        await files.makeFolder(folder);
        await files.writeDurably(pathOf(id), new TextEncoder().encode(String(clock.now())));
      } catch {
        // Then the create is refused as a twin, which loses nothing.
      }
    },
    has: async (id) => {
      const bytes = await files.read(pathOf(id), { maxBytes: MAX_BYTES }).catch(() => null);
      return bytes !== null && clock.now() - Number(new TextDecoder().decode(bytes)) < LIFETIME_MS;
    },
    remove: (id) => files.remove(pathOf(id)).catch(() => undefined),
  };
}
