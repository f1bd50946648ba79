import { NEVER_ABORTED } from "../../core/model/async.ts";
import type { SharedRequests } from "./pace.ts";
import type { PacingClock, RequestCounts } from "./pacer.ts";
import { NODE_FILES, type PacingFiles, hasCode, isFileError } from "./pacing-files.ts";
import { pacingLock } from "./pacing-lock.ts";
import { readParts, writeParts } from "./request-counts-file.ts";

/** The location of the log that the processes of one user and one key share. */
export interface RequestCountsPlace {
  /** Created if absent, with access for its owner only; anything else is refused. Its parent must exist. */
  readonly folder: string;
  /** The user id; null on systems without user ids. */
  readonly owner: number | null;
  /** The file's name: a hash of the key. */
  readonly name: string;
  /** Unique among all processes, and among all pacers of this process. */
  readonly participant: string;
}

/** File system errors until a request goes without being shared. */
const ATTEMPTS = 5;
const LOCK_PATIENCE_MS = 800;
const LOCK_POLLS_MS = [1, 2, 4, 8, 16] as const;
/** Files unused this long no longer matter. */
const UNUSED_MS = 600_000;
const MAX_CLEANED = 256;

/**
 * A log in a small file. A problem with it never fails a run: the process continues alone, and the service's headers show
 * the others' requests. A lock file protects each cycle of reading, changing and replacing the file. Its times are those
 * of the system's monotonic clock, which all processes share and nobody can set.
 */
export function sharedCounts(clock: PacingClock, place: RequestCountsPlace, files: PacingFiles = NODE_FILES): RequestCounts {
  const path = `${place.folder}/${place.name}`;
  const lock = pacingLock(`${path}.lock`, place.participant, { clock, files });
  let cleaned = false;

  /** Throws on a file system error; then `decide` has not run, or its result is not shared. */
  function exchangeNow(decide: (others: readonly SharedRequests[]) => SharedRequests): void {
    const others = readParts(files, path, clock.monotonicMs()).filter(({ participant }) => participant !== place.participant);
    const parts = [...others, { participant: place.participant, ...decide(others) }];
    try {
      writeParts(files, path, parts);
    } catch (error) {
      if (!isFileError(error)) throw error;
      // At once: without the lock, another process could use the same slots.
      writeParts(files, path, parts);
    }
  }

  function peek(): readonly SharedRequests[] | null {
    try {
      if (!isPrivate(files, place)) return null;
      return readParts(files, path, clock.monotonicMs()).filter(({ participant }) => participant !== place.participant);
    } catch (error) {
      if (!isFileError(error)) throw error;
      return null;
    }
  }

  function cleanUpOnce(): void {
    if (cleaned) return;
    cleaned = true;
    removeUnused(files, place, clock.now());
  }

  return {
    exchange: async (decide) => {
      let own: SharedRequests | null = null;
      const once = (others: readonly SharedRequests[] | null): SharedRequests => (own ??= decide(others));
      const startedMs = clock.monotonicMs();
      for (let poll = 0, failures = 0; failures < ATTEMPTS && clock.monotonicMs() - startedMs < LOCK_PATIENCE_MS; poll++) {
        try {
          openFolder(files, place);
          if (lock.withLock(() => exchangeNow(once))) return cleanUpOnce();
        } catch (error) {
          if (!isFileError(error)) throw error;
          failures++;
        }
        await clock.sleep(LOCK_POLLS_MS[poll] ?? 16, NEVER_ABORTED);
      }
      once(peek());
    },
    peek,
  };
}

/** Throws unless the folder belongs to this user alone. */
function openFolder(files: PacingFiles, place: RequestCountsPlace): void {
  const { folder } = place;
  if (!files.lstatSync(folder, { throwIfNoEntry: false })) {
    try {
      files.mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
  if (!isPrivate(files, place)) throw Object.assign(new Error(`${folder} is accessible to other users`), { code: "EACCES" });
}

function isPrivate(files: PacingFiles, { folder, owner }: RequestCountsPlace): boolean {
  const found = files.lstatSync(folder);
  return found.isDirectory() && (owner === null || (found.uid === owner && (found.mode & 0o077) === 0));
}

/** Removes files that nobody has used for a while: those of other keys, and the remains of ended processes. */
function removeUnused(files: PacingFiles, { folder }: RequestCountsPlace, nowMs: number): void {
  try {
    for (const name of files.readdirSync(folder).slice(0, MAX_CLEANED)) {
      const found = files.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false });
      if (found?.isFile() && found.mtimeMs < nowMs - UNUSED_MS) files.unlinkSync(`${folder}/${name}`);
    }
  } catch {
    // The next process tries again.
  }
}
