import { versionOf } from "../checksum.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import { OwnLocks } from "../own-lock.ts";
import { dirname } from "node:path";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { AppendFile, FileSystem } from "../../model/ports.ts";
import { acquireLock, removeLock, seenLock } from "./local-lock.ts";
import type { JournalBytes, StateStore, LocalPorts } from "../state-store.ts";
import { noFolderForState, stateChanged, stateIsFolder, stateIsNoFile } from "../store-errors.ts";

const MAX_STATE_BYTES = 256 * 1024 * 1024;

/**
 * A state in a file. A write goes to a temporary file in the same folder, is flushed, and takes the file's place by a
 * rename; the folder is flushed; the version before is kept as `PATH.backup`. The lock is the file `PATH.lock`, the
 * journal `PATH.journal`. Symbolic links are refused. Mode 0600.
 */
export function localStore(path: string, ports: LocalPorts): StateStore {
  const { files } = ports;
  const folder = dirname(path);
  const backup = `${path}.backup`;
  const journal = journalFile(`${path}.journal`, files);
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
    lock: (holder, timeoutMs, signal, waitsFor = () => undefined) => acquireLock(path, ports, { holder, timeoutMs, signal, waitsFor, locks }),
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
  for (const file of [path, `${path}.lock`, `${path}.journal`]) if ((await files.kind(file)) === "other") throw new DiagnosticsError([stateIsNoFile(file)]);
  const folder = dirname(path);
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
    throw DiagnosticsError.of("state_symlink", "The state is a symbolic link", {
      detail: `${path} is a symbolic link. A state is replaced as a whole, which would cut the link.`,
      hint: "Name the file itself.",
      ways: [{ kind: "choose-state" }],
    });
  }
}

/** A journal in a file: appended in the order of the calls and flushed, and begun by one run only, with or without the lock. */
export function journalFile(path: string, files: FileSystem): JournalBytes & { close(): Promise<void> } {
  let opening: Promise<AppendFile> | null = null;
  const open = async (): Promise<AppendFile> => {
    await files.makeFolder(dirname(path));
    const file = await openNew(files, path);
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
