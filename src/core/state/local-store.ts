import { createHash } from "node:crypto";
import { DiagnosticsError } from "../model/diagnostic.ts";
import type { AppendFile, FileSystem } from "../model/ports.ts";
import { fateOf, hiddenBy } from "../model/process-fate.ts";
import type { JournalBytes, LockHolder, StateLock, StateStore, StorePorts } from "./state-store.ts";
import { lockAbsent, lockLost, lockOther, lockUnreadable, noFolderForState, stateChanged, stateIsFolder, stateLocked } from "./store-errors.ts";

const MAX_STATE_BYTES = 256 * 1024 * 1024;
const LOCK_POLL_MS = 200;

/**
 * A state in a file. A write goes to a temporary file in the same folder, is flushed, and takes the file's place by a
 * rename; the folder is flushed; the version before is kept as `PATH.backup`. The lock is the file `PATH.lock`, the
 * journal `PATH.journal`. Symbolic links are refused. Mode 0600.
 */
export function localStore(path: string, ports: StorePorts): StateStore {
  const { files } = ports;
  const folder = folderOf(path);
  const backup = `${path}.backup`;
  let held: HeldLock | null = null;
  return {
    name: path,
    isOnThisMachine: true,
    assertReady: (signal) => assertPlace(path, files, signal),
    read: async (signal) => {
      signal.throwIfAborted();
      const bytes = await readState(files, path);
      return bytes === null ? null : { bytes, version: versionOf(bytes) };
    },
    write: async (bytes, expected, signal) => {
      signal.throwIfAborted();
      await held?.assertOwn();
      const before = await readState(files, path);
      if ((before === null ? null : versionOf(before)) !== expected) throw new DiagnosticsError([stateChanged(path)]);
      await files.makeFolder(folder);
      const temporary = `${path}.tmp`;
      await writeNew(files, temporary, bytes);
      if (before !== null) {
        await writeNew(files, `${backup}.tmp`, before);
        await files.rename(`${backup}.tmp`, backup);
      }
      await files.rename(temporary, path);
      await files.syncFolder(folder);
      return versionOf(bytes);
    },
    lock: async (holder, timeoutMs, signal) => {
      const lock = await acquireLock(path, ports, { holder, timeoutMs, signal });
      held = lock;
      return {
        ...lock,
        release: async () => {
          if (held === lock) held = null;
          await lock.release();
        },
      };
    },
    forceUnlock: async (id, signal) => {
      signal.throwIfAborted();
      await forceUnlock(path, ports, id);
    },
    backup: {
      name: backup,
      read: async (signal) => {
        signal.throwIfAborted();
        return files.read(backup, { maxBytes: MAX_STATE_BYTES });
      },
    },
    journal: { ...journalFile(`${path}.journal`, files), assertLocked: async () => held?.assertOwn() },
  };
}

/** A typing mistake must not make folders, nor begin an empty state somewhere else. */
async function assertPlace(path: string, files: FileSystem, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if ((await files.kind(path)) === "folder") throw new DiagnosticsError([stateIsFolder(path)]);
  const folder = folderOf(path);
  if ((await files.kind(await files.realPath(folder).catch(() => folder))) !== "folder") throw new DiagnosticsError([noFolderForState(path)]);
}

/** Replaces what a crash or another program has left there: it would follow a link, and a file would keep its mode. */
async function writeNew(files: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  await files.remove(path);
  await files.createExclusively(path, bytes);
}

async function readState(files: FileSystem, path: string): Promise<Uint8Array | null> {
  try {
    return await files.read(path, { maxBytes: MAX_STATE_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") throw error;
    throw new DiagnosticsError([
      {
        code: "state_symlink",
        severity: "error",
        summary: "The state is a symbolic link",
        detail: `${path} is a symbolic link. A state is replaced as a whole, which would cut the link.`,
        hint: "Name the file itself.",
        ways: [{ kind: "choose-state" }],
      },
    ]);
  }
}

/** A journal in a file: appended in the order of the calls and flushed, never rewritten. */
export function journalFile(path: string, files: FileSystem): JournalBytes {
  let opening: Promise<AppendFile> | null = null;
  const open = async (): Promise<AppendFile> => {
    await files.makeFolder(folderOf(path));
    const file = await files.openAppend(path);
    await files.syncFolder(folderOf(path));
    return file;
  };
  return {
    name: path,
    read: () => files.read(path, { maxBytes: MAX_STATE_BYTES }),
    append: async (bytes) => {
      opening ??= open();
      await (await opening).append(bytes);
    },
    remove: async () => {
      await (await opening)?.close();
      opening = null;
      await files.remove(path);
      await files.syncFolder(folderOf(path));
    },
    setAside: async (tag) => {
      const aside = `${path}.${tag}`;
      await files.rename(path, aside);
      await files.syncFolder(folderOf(path));
      return aside;
    },
  };
}

interface HeldLock extends StateLock {
  /** Throws `lock_lost`, and aborts `lost`, where the lock file is gone or another run's. */
  assertOwn(): Promise<void>;
}

interface LockRequest {
  readonly holder: LockHolder;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function acquireLock(path: string, ports: StorePorts, { holder, timeoutMs, signal }: LockRequest): Promise<HeldLock> {
  signal.throwIfAborted();
  const { files, clock, random } = ports;
  const lockPath = `${path}.lock`;
  const id = random.uuid();
  const bytes = new TextEncoder().encode(`${JSON.stringify({ id, ...holder })}\n`);
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  await files.makeFolder(folderOf(path));
  const written = `${lockPath}.${id}`;
  try {
    await files.createExclusively(written, bytes);
    while (!(await placeLock(files, { written, lockPath, bytes }))) {
      if (await removeStaleLock(lockPath, ports)) continue;
      if (clock.monotonicMs() >= deadlineMs) throw await describeHolder(path, lockPath, ports);
      await clock.sleep(LOCK_POLL_MS, signal);
    }
  } finally {
    await files.remove(written);
  }
  const isOwn = async (): Promise<boolean> => {
    const held = await readLock(lockPath, files);
    return held !== null && held !== "unreadable" && held.id === id;
  };
  const lost = new AbortController();
  return {
    id,
    lost: lost.signal,
    assertOwn: async () => {
      if (await isOwn()) return;
      const error = new DiagnosticsError([lockLost(path, id)]);
      lost.abort(error);
      throw error;
    },
    release: async () => {
      if (await isOwn()) await files.remove(lockPath);
    },
  };
}

const NO_HARD_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** The lock appears whole or not at all: a run killed while it takes the lock must not leave an unreadable one. False when there is one. */
async function placeLock(
  files: FileSystem,
  { written, lockPath, bytes }: { readonly written: string; readonly lockPath: string; readonly bytes: Uint8Array },
): Promise<boolean> {
  try {
    await files.link(written, lockPath).catch((error: NodeJS.ErrnoException) => {
      if (!NO_HARD_LINKS.includes(error.code)) throw error;
      return files.createExclusively(lockPath, bytes);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** A lock is stale only if the very process that wrote it has certainly ended. */
async function removeStaleLock(lockPath: string, ports: StorePorts): Promise<boolean> {
  const { files, process } = ports;
  const held = await readLock(lockPath, files);
  if (held === null || held === "unreadable") return held === null;
  if ((await fateOf(held, process)) !== "ended") return false;
  return takeAway(lockPath, held.id, ports);
}

async function forceUnlock(path: string, ports: StorePorts, id: string): Promise<void> {
  const lockPath = `${path}.lock`;
  const held = await readLock(lockPath, ports.files);
  if (held === null) throw new DiagnosticsError([lockAbsent(path)]);
  if (held === "unreadable") throw new DiagnosticsError([lockUnreadable(path, lockPath)]);
  if (held.id !== id || !(await takeAway(lockPath, id, ports))) throw new DiagnosticsError([lockOther(path, { id, held: held.id })]);
}

/** Removes the lock with this id. False when somebody else has locked the state since: that lock is put back. */
async function takeAway(lockPath: string, id: string, { files, random }: StorePorts): Promise<boolean> {
  const aside = `${lockPath}.${random.uuid()}`;
  try {
    await files.rename(lockPath, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
  const moved = await readLock(aside, files);
  if (moved !== null && moved !== "unreadable" && moved.id !== id) {
    await files.link(aside, lockPath);
    await files.remove(aside);
    return false;
  }
  await files.remove(aside);
  return true;
}

async function readLock(lockPath: string, files: FileSystem): Promise<(LockHolder & { readonly id: string }) | "unreadable" | null> {
  const bytes = await files.read(lockPath, { maxBytes: 65_536 });
  if (bytes === null) return null;
  try {
    const held = JSON.parse(new TextDecoder().decode(bytes)) as (LockHolder & { readonly id: string }) | null;
    return typeof held?.id === "string" && typeof held.host === "string" && typeof held.pid === "number" ? held : "unreadable";
  } catch {
    return "unreadable";
  }
}

async function describeHolder(path: string, lockPath: string, { files, process }: StorePorts): Promise<DiagnosticsError> {
  const held = await readLock(lockPath, files);
  if (held === null) return new DiagnosticsError([stateLocked(path, null, { holder: "a run that has just ended" })]);
  if (held === "unreadable") return new DiagnosticsError([lockUnreadable(path, lockPath)]);
  const holder = `${held.who} on ${held.host} (process ${String(held.pid)}, ${held.operation}, since ${held.since})`;
  return new DiagnosticsError([stateLocked(path, held.id, { holder, hidden: hiddenBy(held, process) })]);
}

function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  if (end < 0) return ".";
  return end === 0 ? "/" : path.slice(0, end);
}

function versionOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
