import type { PacingClock } from "./pacer.ts";
import { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, type PacingFiles, type Stats, close, discard, hasCode, isFileError } from "./pacing-files.ts";

/** A process holds the lock for well under a millisecond. A lock this old belongs to a process that has ended. */
const STALE_LOCK_MS = 300;

export interface PacingLock {
  /** Runs `run` and returns true, or returns false immediately if another process holds the lock. */
  withLock(run: () => void): boolean;
}

/** A lock file that exists while one process works. If it does not change for a while, its process was killed. */
export function pacingLock(path: string, participant: string, { clock, files }: { readonly clock: PacingClock; readonly files: PacingFiles }): PacingLock {
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
