import { versionOf } from "../checksum.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import { OwnLocks } from "../own-lock.ts";
import { dirname } from "node:path";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { AppendFile, FileSystem, MachinePorts } from "../../model/ports.ts";
import type { JournalBytes, StateStore, HeldLockInfo, StateLock } from "../state-store.ts";
import {
  noFolderForState,
  stateChanged,
  stateIsFolder,
  stateNotReplaced,
  stateIsNoFile,
  lockAbsent,
  lockOther,
  lockUnreadable,
  stateLocked,
} from "../store-errors.ts";
import { fateOf, hiddenBy } from "../../model/process-fate.ts";
import { isoTime } from "../../model/iso-time.ts";
import { type Lock, LockFiles, type LockContent } from "./lock-file.ts";
import { type HeldByOther, type LockRequest, waitForLock } from "../wait-for-lock.ts";

const MAX_STATE_BYTES = 256 * 1024 * 1024;

/**
 * A state in a file. A write goes to a temporary file in the same folder, is flushed, and takes the file's place by a
 * rename; the folder is flushed; the version before is kept as `PATH.backup`. The lock is the file `PATH.lock`, the
 * journal `PATH.journal`. Symbolic links are refused. Mode 0600.
 */
export function localStore(path: string, ports: MachinePorts): StateStore {
  const { files } = ports;
  const folder = dirname(path);
  const backup = `${path}.backup`;
  let isReplaced = false;
  const journal = journalFile(`${path}.journal`, files, async () => {
    for (const file of isReplaced ? [] : [backup, path]) {
      const bytes = await files.read(file, { maxBytes: MAX_STATE_BYTES, followLinks: true });
      if (bytes !== null) await replace(files, file, bytes);
    }
  });
  const locks = new OwnLocks(path);
  return {
    name: path,
    isOnThisMachine: true,
    isAtomic: false,
    assertReady: (signal) => assertPlace(path, files, signal),
    read: async (signal) => {
      signal.throwIfAborted();
      const bytes = await readState(files, path);
      return bytes === null ? null : { bytes, version: versionOf(bytes) };
    },
    write: async (bytes, expected, signal) => {
      signal.throwIfAborted();
      await locks.assertOwn(signal);
      const before = await readState(files, path);
      if ((before === null ? null : versionOf(before)) !== expected) throw new DiagnosticsError([stateChanged(path)]);
      await files.makeFolder(folder);
      if (before !== null) await replace(files, backup, before);
      await replace(files, path, bytes);
      isReplaced = true;
      await files.syncFolder(folder);
      return versionOf(bytes);
    },
    lock: (holder, timeoutMs, signal, waitsFor = () => undefined) =>
      acquireLock(path, ports, { holder, timeoutMs, signal, waitsFor, locks }),
    forceUnlock: (id, signal) => removeLock(path, ports, { id, signal }),
    heldLock: (signal) => seenLock(path, ports, signal),
    backup: {
      name: backup,
      read: async (signal) => {
        signal.throwIfAborted();
        return files.read(backup, { maxBytes: MAX_STATE_BYTES });
      },
    },
    journal: { ...journal, assertLocked: () => locks.assertOwn(NEVER_ABORTED) },
    close: () => journal.close(),
  };
}

/** A typing mistake must not make folders, nor begin an empty state somewhere else. */
async function assertPlace(path: string, files: FileSystem, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if ((await files.kind(path)) === "folder") throw new DiagnosticsError([stateIsFolder(path)]);
  // Opening a named pipe waits for ever, with the lock held.
  for (const file of [path, `${path}.lock`, `${path}.journal`])
    if ((await files.kind(file)) === "other") throw new DiagnosticsError([stateIsNoFile(file)]);
  const folder = dirname(path);
  if ((await files.kind(await files.realPath(folder).catch(() => folder))) !== "folder")
    throw new DiagnosticsError([noFolderForState(path)]);
}

async function replace(files: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  // What a crash or another program has left there would be followed if it is a link, and keep its mode.
  await files.remove(temporary);
  await files.createExclusively(temporary, bytes);
  try {
    await files.rename(temporary, path);
  } catch (error) {
    await files.remove(temporary);
    throw new DiagnosticsError([stateNotReplaced(error)], { cause: error });
  }
}

async function readState(files: FileSystem, path: string): Promise<Uint8Array | null> {
  try {
    return await files.read(path, { maxBytes: MAX_STATE_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") throw error;
    throw DiagnosticsError.of("state_symlink", "The state is a symbolic link", {
      detail: `${path} is a symbolic link. A state is replaced as a whole, which would cut the link.`,
      hint: "Name the file itself.",
      ways: [{ kind: "choose-state" }],
    });
  }
}

/**
 * A journal in a file: appended in the order of the calls and flushed, and begun by one run only, with or without the lock.
 * `check` is called before anything is appended; if it rejects, no journal begins.
 */
export function journalFile(
  path: string,
  files: FileSystem,
  check: () => Promise<void>,
): JournalBytes & { close(): Promise<void> } {
  let opening: Promise<AppendFile> | null = null;
  const open = async (): Promise<AppendFile> => {
    await files.makeFolder(dirname(path));
    const file = await openNew(files, path);
    await check().catch(async (error: unknown) => {
      await file.close();
      await files.remove(path);
      throw error;
    });
    await files.syncFolder(dirname(path));
    return file;
  };
  return {
    name: path,
    read: () => files.read(path, { maxBytes: MAX_STATE_BYTES }),
    append: async (bytes) => {
      opening ??= open();
      await (await opening).append(bytes);
    },
    overwrite: async (bytes, position) => (await opening)?.overwrite(bytes, position),
    remove: async () => {
      await (await opening)?.close();
      opening = null;
      await files.remove(path);
      await files.syncFolder(dirname(path));
    },
    setAside: async (tag) => {
      const aside = `${path}.${tag}`;
      await files.rename(path, aside);
      await files.syncFolder(dirname(path));
      return aside;
    },
    // A failed run leaves it open. What was appended is on the disk already.
    close: async () => {
      await opening?.then((file) => file.close()).catch(() => undefined);
      opening = null;
    },
  };
}

async function openNew(files: FileSystem, path: string): Promise<AppendFile> {
  try {
    return await files.openAppend(path, { exclusive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new DiagnosticsError([stateChanged(path)]);
  }
}

const POLL_MS = 200;
/** How long a lock file may lack its content: without hard links, others see the file first. */
const UNFINISHED_MS = 1000;

/** Locks the state in the file `PATH`, with the file `PATH.lock`. */
async function acquireLock(
  path: string,
  ports: MachinePorts,
  request: LockRequest & { readonly locks: OwnLocks },
): Promise<StateLock> {
  request.signal.throwIfAborted();
  const own: Lock = { id: ports.random.uuid(), ...request.holder };
  await ports.files.makeFolder(dirname(path));
  const lock = lockFiles(path, own, ports);
  try {
    await lock.sweep(async (other) => (await fateOf(other, ports.process)) === "running");
    await takeLock(lock, path, ports, request);
  } finally {
    await lock.tidy();
  }
  return request.locks.hold(own.id, { isOwn: () => lock.isOwn(), remove: () => lock.release() });
}

/** Removes the lock with this id by force. */
async function removeLock(
  path: string,
  ports: MachinePorts,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const lock = lockFiles(path, ownLock(ports, "unlock"), ports);
  try {
    for (;;) {
      const seen = await lock.look();
      if (seen.kind === "free") throw new DiagnosticsError([lockAbsent(path)]);
      if (seen.kind === "unreadable") throw new DiagnosticsError([lockUnreadable(path, seen.file)]);
      if (seen.last.id !== id) throw new DiagnosticsError([lockOther(path, { id, held: seen.last.id })]);
      // Its holder releases it right now: two must not do it at once.
      if (seen.claims > 0 && (await fateOf(seen.last, ports.process)) === "running")
        await ports.clock.sleep(POLL_MS, signal);
      else if (await lock.remove(seen)) return;
    }
  } finally {
    await lock.tidy();
  }
}

/** The lock file's content. Throws `state_locked` if it cannot be read. */
async function seenLock(path: string, ports: MachinePorts, signal: AbortSignal): Promise<HeldLockInfo | null> {
  signal.throwIfAborted();
  const seen = await lockFiles(path, ownLock(ports, "state lock"), ports).look();
  if (seen.kind === "free") return null;
  if (seen.kind === "unreadable") throw new DiagnosticsError([lockUnreadable(path, seen.file)]);
  const { id, who, operation, since } = seen.last;
  return { id, who, operation, since, holder: holderText(seen.last), fate: await fateOf(seen.last, ports.process) };
}

function ownLock({ process, clock, random }: MachinePorts, operation: string): Lock {
  const { who, host, bootId, pidNamespace, pid, startedAt } = process;
  return { id: random.uuid(), operation, who, host, bootId, pidNamespace, pid, startedAt, since: isoTime(clock.now()) };
}

function lockFiles(path: string, own: Lock, { files }: MachinePorts): LockFiles {
  return new LockFiles(`${path}.lock`, own, files);
}

async function takeLock(
  lock: LockFiles,
  path: string,
  { clock, process }: MachinePorts,
  request: LockRequest,
): Promise<void> {
  await waitForLock(
    async () => {
      for (;;) {
        const seen = await lock.look();
        const isEnded = seen.kind === "held" && (await fateOf(seen.last, process)) === "ended";
        if (seen.kind !== "free" && !isEnded) return { held: heldByOther(path, seen, process) };
        if (seen.kind === "free" ? await lock.create() : await lock.replace(seen)) return { taken: lock };
      }
    },
    { ...request, clock },
  );
}

function heldByOther(
  path: string,
  seen: Exclude<LockContent, { kind: "free" }>,
  process: MachinePorts["process"],
): HeldByOther {
  if (seen.kind === "unreadable")
    return { holder: null, problem: lockUnreadable(path, seen.file), lastsMs: UNFINISHED_MS, pollMs: POLL_MS };
  const holder = holderText(seen.last);
  return {
    holder,
    problem: stateLocked(path, seen.last.id, { holder, hidden: hiddenBy(seen.last, process) }),
    pollMs: POLL_MS,
  };
}

function holderText({ who, host, pid, operation, since }: Lock): string {
  return `${who} on ${host} (process ${String(pid)}, ${operation}, since ${since})`;
}
