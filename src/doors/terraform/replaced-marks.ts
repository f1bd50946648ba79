import type { Clock, FileSystem } from "../../core/model/ports.ts";

/**
 * Remembers across processes which objects are about to be replaced by one that looks the same in the service's list.
 * With `create_before_destroy` the new one is created first, by a process to which Terraform does not tell the old one's
 * id: without the mark, the old one would be an unmanaged twin.
 */
export interface ReplacedMarks {
  /** Called while a plan is made; a folder that cannot be written to is no reason to fail. */
  add(id: string): Promise<void>;
  /** As `add`, where it may yet turn out that the object stays. */
  guess(id: string): Promise<void>;
  /** The object stays: what was guessed of it, maybe by an earlier process, is forgotten. */
  stays(id: string): Promise<void>;
  has(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** A plan that is older is not expected to be applied. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 64;

const [MARK, GUESS] = ["replaced-", "maybe-replaced-"];

/** One small file a mark: `replaced-ID` or `maybe-replaced-ID`, with the time when it was made. */
export function replacedMarks(folder: string, { files, clock }: { readonly files: FileSystem; readonly clock: Clock }): ReplacedMarks {
  let guesses: Promise<Set<string>> | null = null;
  const guessed = (): Promise<Set<string>> =>
    (guesses ??= files.list(folder).then(
      (names) => new Set(names.filter((name) => name.startsWith(GUESS))),
      () => new Set(),
    ));
  const remove = (name: string): Promise<void> => files.remove(`${folder}/${name}`).catch(() => undefined);
  async function write(name: string): Promise<void> {
    try {
      await files.makeFolder(folder);
      await files.writeDurably(`${folder}/${name}`, new TextEncoder().encode(String(clock.now())));
    } catch {
      // Then the create is refused as a twin, which loses nothing.
    }
  }
  async function isThere(name: string): Promise<boolean> {
    const bytes = await files.read(`${folder}/${name}`, { maxBytes: MAX_BYTES }).catch(() => null);
    return bytes !== null && clock.now() - Number(new TextDecoder().decode(bytes)) < LIFETIME_MS;
  }
  return {
    add: (id) => write(nameOf(MARK, id)),
    guess: async (id) => {
      (await guessed()).add(nameOf(GUESS, id));
      await write(nameOf(GUESS, id));
    },
    stays: async (id) => {
      if ((await guessed()).delete(nameOf(GUESS, id))) await remove(nameOf(GUESS, id));
    },
    has: async (id) => (await isThere(nameOf(MARK, id))) || isThere(nameOf(GUESS, id)),
    remove: async (id) => {
      await remove(nameOf(MARK, id));
      await remove(nameOf(GUESS, id));
    },
  };
}

function nameOf(kind: string, id: string): string {
  return `${kind}${encodeURIComponent(id)}`;
}
