import * as fs from "node:fs";
import type { SharedRequests } from "./pace.ts";
import type { PacingClock, SharedLog } from "./pacer.ts";

/** The location of the log that the processes of one user and one key share. */
export interface SharedLogLocation {
  /** Created if absent, with access for its owner only; anything else is refused. Its parent must exist. */
  readonly folder: string;
  /** The user id; null on systems without user ids. */
  readonly owner: number | null;
  /** The file's name: a hash of the key. */
  readonly name: string;
  /** Unique among all processes, and among all pacers of this process. */
  readonly participant: string;
}

/** One participant's part of the file; times in ms since 1970. Each participant rewrites only its own part. */
interface Part {
  readonly participant: string;
  readonly sent: readonly number[];
  readonly pausedUntil: number;
}

const FORMAT = "outreach pacing 1";
const MAX_BYTES = 128 * 1024;
const MAX_PARTS = 64;
const MAX_SENT = 128;
/** How long requests are kept: the longest window of a small share. */
const MEMORY_MS = 240_000;
/** Pauses further ahead than this come from a changed clock. */
const MAX_PAUSE_MS = 120_000;
/** A process holds the lock for well under a millisecond. A lock this old belongs to a process that has ended. */
const STALE_LOCK_MS = 300;
const LOCK_PATIENCE_MS = 800;
const LOCK_POLLS_MS = [1, 2, 4, 8, 16] as const;
/** How long to continue without the file after an error. */
const ALONE_MS = 5000;
/** Files unused this long no longer matter. */
const UNUSED_MS = 600_000;
const MAX_CLEANED = 256;

const { O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } = fs.constants;
/** Windows lacks both. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as { readonly [flag: string]: number };

/**
 * A log in a small file. A problem with it never fails a run: the process continues alone, and the service's headers show
 * the others' requests. A lock file protects each cycle of reading, changing and replacing the file.
 */
export function sharedLog(clock: PacingClock, place: SharedLogLocation): SharedLog {
  const path = `${place.folder}/${place.name}`;
  const lock = lockFile(`${path}.lock`, place.participant, clock);
  let aloneUntilMs = Number.NEGATIVE_INFINITY;
  let cleaned = false;

  /** Throws on a file system error; then `decide` has not run, or its result is not shared. */
  function exchangeNow(decide: (others: SharedRequests) => SharedRequests): void {
    const parts = readParts(path).filter(({ participant }) => participant !== place.participant);
    const offsetMs = clock.now() - clock.monotonicMs();
    const own = decide(sharedRequests(parts, clock));
    const mine: Part = {
      participant: place.participant,
      sent: own.sentMs.slice(-MAX_SENT).map((at) => Math.round(at + offsetMs)),
      pausedUntil: Math.round(own.pausedUntilMs + offsetMs),
    };
    writeParts(path, [...parts.filter((part) => isCurrent(part, clock.now())).map((part) => capAtNow(part, clock.now())), mine].slice(-MAX_PARTS));
  }

  function cleanUpOnce(): void {
    if (cleaned) return;
    cleaned = true;
    removeUnused(place, clock.now());
  }

  return {
    exchange: async (decide) => {
      let decided = false;
      const once = (others: SharedRequests | null): SharedRequests => {
        decided = true;
        return decide(others);
      };
      const startedMs = clock.monotonicMs();
      for (let poll = 0; startedMs >= aloneUntilMs && clock.monotonicMs() - startedMs < LOCK_PATIENCE_MS; poll++) {
        try {
          openFolder(place);
          if (lock.withLock(() => exchangeNow(once))) return cleanUpOnce();
        } catch (error) {
          if (!isFileError(error)) throw error;
          aloneUntilMs = startedMs + ALONE_MS;
          break;
        }
        await clock.sleep(LOCK_POLLS_MS[poll] ?? 16, NEVER);
      }
      if (!decided) decide(null);
    },
    peek: () => {
      try {
        return sharedRequests(
          readParts(path).filter(({ participant }) => participant !== place.participant),
          clock,
        );
      } catch {
        return null;
      }
    },
  };
}

const NEVER = new AbortController().signal;

function isFileError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.code === "string";
}

/** Throws unless the folder belongs to this user alone. */
function openFolder({ folder, owner }: SharedLogLocation): void {
  let found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!found) {
    try {
      fs.mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    found = fs.lstatSync(folder);
  }
  const ours = owner === null || (found.uid === owner && (found.mode & 0o077) === 0);
  if (!found.isDirectory() || !ours) throw Object.assign(new Error(`${folder} is accessible to other users`), { code: "EACCES" });
}

/** Removes files that nobody has used for a while: those of other keys, and the remains of ended processes. */
function removeUnused({ folder }: SharedLogLocation, nowMs: number): void {
  try {
    for (const name of fs.readdirSync(folder).slice(0, MAX_CLEANED)) {
      const found = fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false });
      if (found?.isFile() && found.mtimeMs < nowMs - UNUSED_MS) fs.unlinkSync(`${folder}/${name}`);
    }
  } catch {
    // The next process tries again.
  }
}

function readParts(path: string): readonly Part[] {
  let file: number;
  try {
    file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  try {
    const { size } = fs.fstatSync(file);
    return size > MAX_BYTES ? [] : parseParts(fs.readFileSync(file, "utf8"));
  } finally {
    fs.closeSync(file);
  }
}

/** A damaged file counts as empty: the next writer replaces it. */
function parseParts(text: string): readonly Part[] {
  try {
    const { format, parts } = JSON.parse(text) as { readonly format?: unknown; readonly parts?: unknown };
    return format === FORMAT && Array.isArray(parts) ? parts.filter(isPart).slice(0, MAX_PARTS) : [];
  } catch {
    return [];
  }
}

function isPart(value: unknown): value is Part {
  const { participant, sent, pausedUntil } = (value ?? {}) as { readonly [name: string]: unknown };
  return typeof participant === "string" && Number.isFinite(pausedUntil) && Array.isArray(sent) && sent.length <= MAX_SENT && sent.every(Number.isFinite);
}

function isCurrent({ sent, pausedUntil }: Part, nowMs: number): boolean {
  return pausedUntil > nowMs || sent.some((at) => at > nowMs - MEMORY_MS);
}

/** Times in the future come from a clock that was set back: they count as now. */
function capAtNow(part: Part, nowMs: number): Part {
  return { ...part, sent: part.sent.map((at) => Math.min(at, nowMs)) };
}

/** Converts to this process's monotonic time. */
function sharedRequests(parts: readonly Part[], clock: PacingClock): SharedRequests {
  const now = clock.now();
  const offsetMs = now - clock.monotonicMs();
  const pauses = parts.map(({ pausedUntil }) => pausedUntil).filter((until) => until <= now + MAX_PAUSE_MS);
  return {
    sentMs: parts.flatMap((part) =>
      capAtNow(part, now)
        .sent.filter((at) => at > now - MEMORY_MS)
        .map((at) => at - offsetMs),
    ),
    pausedUntilMs: Math.max(Number.NEGATIVE_INFINITY, ...pauses) - offsetMs,
  };
}

function writeParts(path: string, parts: readonly Part[]): void {
  const draft = `${path}.new`;
  const file = fs.openSync(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    fs.writeFileSync(file, JSON.stringify({ format: FORMAT, parts }));
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(draft, path);
}

interface LockFile {
  /** Runs `run` and returns true, or returns false immediately if another process holds the lock. */
  withLock(run: () => void): boolean;
}

/** A lock file that exists while one process works. If it does not change for a while, its process was killed. */
function lockFile(path: string, participant: string, clock: PacingClock): LockFile {
  let seen = { mark: "", sinceMs: 0 };

  function create(): number | null {
    try {
      return fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
      throw error;
    }
  }

  function breakIfStale(): void {
    const mark = markOf(fs.lstatSync(path, { throwIfNoEntry: false }));
    const now = clock.monotonicMs();
    if (mark !== seen.mark) seen = { mark, sinceMs: now };
    if (mark === "" || now - seen.sinceMs < STALE_LOCK_MS) return;
    seen = { mark: "", sinceMs: 0 };
    const aside = `${path}.${participant}`;
    try {
      fs.renameSync(path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    // Another process may have broken the lock first and created its own: restore that one.
    if (markOf(fs.lstatSync(aside)) !== mark && !fs.existsSync(path)) fs.renameSync(aside, path);
    else fs.unlinkSync(aside);
  }

  return {
    withLock: (run) => {
      const file = create();
      if (file === null) {
        breakIfStale();
        return false;
      }
      try {
        run();
      } finally {
        const { ino } = fs.fstatSync(file);
        fs.closeSync(file);
        if (fs.lstatSync(path, { throwIfNoEntry: false })?.ino === ino) fs.unlinkSync(path);
      }
      return true;
    },
  };
}

function markOf(found: fs.Stats | undefined): string {
  return found ? `${String(found.ino)} ${String(found.mtimeMs)}` : "";
}
