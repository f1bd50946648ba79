import { NEVER_ABORTED } from "../../core/model/async.ts";
import { type SharedRequests, RESERVED_MS } from "./pace.ts";
import type { PacingClock, RequestCounts } from "./pacer.ts";
import {
  NODE_FILES,
  type PacingFiles,
  hasCode,
  isFileError,
  O_CREAT,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  close,
  discard,
  O_EXCL,
  type Stats,
} from "./pacing-files.ts";
import { type Part, currentParts, partsOf, partsToWrite } from "./shared-parts.ts";
import { FULL_MARGIN_MS } from "./travel.ts";

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
export function sharedCounts(
  clock: PacingClock,
  place: RequestCountsPlace,
  files: PacingFiles = NODE_FILES,
): RequestCounts {
  const path = `${place.folder}/${place.name}`;
  const lock = pacingLock(`${path}.lock`, place.participant, { clock, files });
  let cleaned = false;

  /** Throws on a file system error; then `decide` has not run, or its result is not shared. */
  function exchangeNow(decide: (others: readonly SharedRequests[]) => SharedRequests): void {
    const others = readParts(files, path, clock.monotonicMs()).filter(
      ({ participant }) => participant !== place.participant,
    );
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
      for (
        let poll = 0, failures = 0;
        failures < ATTEMPTS && clock.monotonicMs() - startedMs < LOCK_PATIENCE_MS;
        poll++
      ) {
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
  if (!isPrivate(files, place))
    throw Object.assign(new Error(`${folder} is accessible to other users`), { code: "EACCES" });
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

const FORMAT = "outreach pacing 1";
const MAX_BYTES = 256 * 1024;

/** The parts that still count. A damaged file counts as empty: the next writer replaces it. */
function readParts(files: PacingFiles, path: string, nowMs: number): readonly Part[] {
  let file: number;
  try {
    file = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
  try {
    const { size } = files.fstatSync(file);
    return size > MAX_BYTES ? [] : parseParts(files.readFileSync(file, "utf8"), nowMs);
  } finally {
    close(files, file);
  }
}

function parseParts(text: string, nowMs: number): readonly Part[] {
  try {
    const { format, parts } = JSON.parse(text) as { readonly format?: unknown; readonly parts?: unknown };
    if (format !== FORMAT) return [];
    const ours = partsOf(parts).filter((part) => !isAhead(part, nowMs));
    return currentParts(ours, nowMs);
  } catch {
    return [];
  }
}

/**
 * Whether a part is from before the system started, or from a machine with another clock. If its requests counted as now, a
 * process that cannot replace the file would wait for ever, and one beside a busy machine until that one is done.
 */
function isAhead({ countedMs, held, heldUntilMs }: Part, nowMs: number): boolean {
  // Times are rounded up.
  return countedMs.some((at) => at > nowMs + FULL_MARGIN_MS + 1) || (held > 0 && heldUntilMs > nowMs + RESERVED_MS + 1);
}

function writeParts(files: PacingFiles, path: string, parts: readonly Part[]): void {
  const draft = `${path}.new`;
  const file = files.openSync(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    files.writeFileSync(file, JSON.stringify({ format: FORMAT, parts: partsToWrite(parts) }));
  } catch (error) {
    discard(files, draft);
    throw error;
  } finally {
    close(files, file);
  }
  files.renameSync(draft, path);
}

/** A process holds the lock for well under a millisecond. A lock this old belongs to a process that has ended. */
const STALE_LOCK_MS = 300;

interface PacingLock {
  /** Runs `run` and returns true, or returns false immediately if another process holds the lock. */
  withLock(run: () => void): boolean;
}

/** A lock file that exists while one process works. If it does not change for a while, its process was killed. */
function pacingLock(
  path: string,
  participant: string,
  { clock, files }: { readonly clock: PacingClock; readonly files: PacingFiles },
): PacingLock {
  let seen = { mark: "", sinceMs: 0 };

  function breakIfStale(): void {
    const mark = current();
    const now = clock.monotonicMs();
    if (mark !== seen.mark) seen = { mark, sinceMs: now };
    if (mark === "" || now - seen.sinceMs < STALE_LOCK_MS) return;
    seen = { mark: "", sinceMs: 0 };
    const aside = `${path}.${participant}`;
    try {
      files.renameSync(path, aside);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return;
      throw error;
    }
    try {
      // Another process may have broken the lock first and created its own: restore that one.
      if (markOf(files.lstatSync(aside)) !== mark) files.linkSync(aside, path);
    } finally {
      discard(files, aside);
    }
  }

  /** If this fails, the others wait until the lock counts as stale. */
  function release(mark: string): void {
    try {
      if (current() === mark) files.unlinkSync(path);
    } catch (error) {
      if (!isFileError(error)) throw error;
    }
  }

  function current(): string {
    return markOf(files.lstatSync(path, { throwIfNoEntry: false }));
  }

  return {
    withLock: (run) => {
      const mark = create(path, files);
      if (mark === null) {
        breakIfStale();
        return false;
      }
      try {
        run();
      } finally {
        release(mark);
      }
      return true;
    },
  };
}

/** The mark of the new lock, or null if another process holds it. */
function create(path: string, files: PacingFiles): string | null {
  let file: number;
  try {
    file = files.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return null;
    throw error;
  }
  try {
    return markOf(files.fstatSync(file));
  } catch (error) {
    discard(files, path);
    throw error;
  } finally {
    close(files, file);
  }
}

function markOf(found: Stats | undefined): string {
  return found ? `${String(found.ino)} ${String(found.mtimeMs)}` : "";
}
