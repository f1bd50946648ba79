import * as fs from "node:fs";
import type { SharedRequests } from "./pace.ts";
import type { PacingClock, SharedLog } from "./pacing.ts";

/** Where the processes of one user that use one key meet. */
export interface MeetingPlace {
  /** Made when absent, open to its owner alone; nothing else is accepted. Its parent must be there. */
  readonly folder: string;
  /** The user's number; null where there is none. */
  readonly owner: number | null;
  /** The file's name: a hash of the key. */
  readonly name: string;
  /** Unlike every other process's, and every other pacer's of this process. */
  readonly participant: string;
}

/** What the file holds; times in ms since 1970. Every participant rewrites its own part alone. */
interface Part {
  readonly participant: string;
  readonly sent: readonly number[];
  readonly pausedUntil: number;
}

const FORMAT = "outreach pacing 1";
const MAX_BYTES = 128 * 1024;
const MAX_PARTS = 64;
const MAX_SENT = 128;
/** How long requests are remembered: the longest window of a small share. */
const MEMORY_MS = 240_000;
/** How far ahead a pause may reach: further comes of a clock that was set. */
const MAX_PAUSE_MS = 120_000;
/** The lock is held for well under a millisecond: one that stays this long belongs to a process that has gone. */
const LOCK_GONE_MS = 300;
const LOCK_PATIENCE_MS = 800;
const LOCK_POLLS_MS = [1, 2, 4, 8, 16] as const;
/** How long to pace alone after trouble with the file. */
const RETREAT_MS = 5000;
/** Well after the last of it can matter. */
const FORGOTTEN_MS = 600_000;
const MAX_SWEPT = 256;

const { O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } = fs.constants;
/** Windows has neither. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as { readonly [flag: string]: number };

/**
 * A log in a small file. Its use is never a reason to fail: whatever goes wrong with it, the caller goes on alone, and the
 * service's headers tell what the others do. The file is read, changed and replaced in one go under a lock file.
 */
export function sharedLog(clock: PacingClock, place: MeetingPlace): SharedLog {
  const path = `${place.folder}/${place.name}`;
  const lock = lockFile(`${path}.lock`, place.participant, clock);
  let aloneUntilMs = Number.NEGATIVE_INFINITY;
  let swept = false;

  /** Throws when the file system does; then `decide` has not run, or what it returned is not told. */
  function exchangeNow(decide: (others: SharedRequests) => SharedRequests): void {
    const parts = readParts(path).filter(({ participant }) => participant !== place.participant);
    const offsetMs = clock.now() - clock.monotonicMs();
    const own = decide(sharedRequests(parts, clock));
    const mine: Part = {
      participant: place.participant,
      sent: own.sentMs.slice(-MAX_SENT).map((at) => Math.round(at + offsetMs)),
      pausedUntil: Math.round(own.pausedUntilMs + offsetMs),
    };
    writeParts(path, [...parts.filter((part) => isCurrent(part, clock.now())).map((part) => untilNow(part, clock.now())), mine].slice(-MAX_PARTS));
  }

  function tidyOnce(): void {
    if (swept) return;
    swept = true;
    sweep(place, clock.now());
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
          if (lock.withLock(() => exchangeNow(once))) return tidyOnce();
        } catch (error) {
          if (!isFileTrouble(error)) throw error;
          aloneUntilMs = startedMs + RETREAT_MS;
          break;
        }
        await clock.sleep(LOCK_POLLS_MS[poll] ?? 16, NEVER);
      }
      if (!decided) decide(null);
    },
    look: () => {
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

function isFileTrouble(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.code === "string";
}

/** Throws unless nobody else can put anything there. */
function openFolder({ folder, owner }: MeetingPlace): void {
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
  if (!found.isDirectory() || !ours) throw Object.assign(new Error(`${folder} is not this user's alone`), { code: "EACCES" });
}

/** Takes away what nobody has used for a while: files of other keys, and what ended processes left. */
function sweep({ folder }: MeetingPlace, nowMs: number): void {
  try {
    for (const name of fs.readdirSync(folder).slice(0, MAX_SWEPT)) {
      const found = fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false });
      if (found?.isFile() && found.mtimeMs < nowMs - FORGOTTEN_MS) fs.unlinkSync(`${folder}/${name}`);
    }
  } catch {
    // Left to the next one.
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

/** What is damaged counts as empty: it is replaced by the next writer. */
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

/** What lies ahead has come of a clock that was set back: it counts as sent now, and is written down so. */
function untilNow(part: Part, nowMs: number): Part {
  return { ...part, sent: part.sent.map((at) => Math.min(at, nowMs)) };
}

/** In this process's monotonic time. */
function sharedRequests(parts: readonly Part[], clock: PacingClock): SharedRequests {
  const now = clock.now();
  const offsetMs = now - clock.monotonicMs();
  const pauses = parts.map(({ pausedUntil }) => pausedUntil).filter((until) => until <= now + MAX_PAUSE_MS);
  return {
    sentMs: parts.flatMap((part) =>
      untilNow(part, now)
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
  /** Whether it ran: not while another process holds the lock. Nothing is waited for. */
  withLock(run: () => void): boolean;
}

/** A file that exists while one process works. One that does not change for a while was left by a process that was killed. */
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

  function breakIfLeft(): void {
    const mark = markOf(fs.lstatSync(path, { throwIfNoEntry: false }));
    const now = clock.monotonicMs();
    if (mark !== seen.mark) seen = { mark, sinceMs: now };
    if (mark === "" || now - seen.sinceMs < LOCK_GONE_MS) return;
    seen = { mark: "", sinceMs: 0 };
    const aside = `${path}.${participant}`;
    try {
      fs.renameSync(path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    // Another process may have broken it first and made its own: that one goes back.
    if (markOf(fs.lstatSync(aside)) !== mark && !fs.existsSync(path)) fs.renameSync(aside, path);
    else fs.unlinkSync(aside);
  }

  return {
    withLock: (run) => {
      const file = create();
      if (file === null) {
        breakIfLeft();
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
