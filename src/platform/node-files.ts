import { resolve } from "node:path";
import * as fs from "node:fs/promises";
import type { AppendFile, FileSystem } from "../core/model/ports.ts";
import { makeFolder } from "./make-folder.ts";
import { openFile } from "./open-file.ts";

const PRIVATE = 0o600;
/** The umask takes away what the user does not want. */
const PUBLIC = 0o666;

/** No file that this tool reads is larger. */
const MAX_BYTES = 256 * 1024 * 1024;

/** An open file, as Node has it. No `readFile`: with Yarn's Plug'n'Play, it fails for a file in a package. */
export interface DiskFile {
  stat(): Promise<{ readonly size: number }>;
  read(into: Uint8Array, offset: number, length: number, position: null): Promise<{ readonly bytesRead: number }>;
  writeFile(bytes: Uint8Array): Promise<void>;
  appendFile(bytes: Uint8Array): Promise<void>;
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<unknown>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The functions of `node:fs/promises` that a file system is made of. A test passes in a disk that forgets what was not flushed. */
export interface Disk {
  open(path: string, flags: string | number, mode?: number): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: boolean }): Promise<void>;
  readdir(path: string): Promise<string[]>;
  lstat(path: string): Promise<{ isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }>;
  realpath(path: string): Promise<string>;
}

const REPLACE = fs.constants.O_CREAT | fs.constants.O_NOFOLLOW | fs.constants.O_TRUNC | fs.constants.O_WRONLY;

const CHUNK_BYTES = 1024 * 1024;

/** Reads to the end. A pipe has no size, and a device may never end. */
async function readAll(
  file: DiskFile,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): Promise<Uint8Array> {
  const { size } = await file.stat();
  if (size > maxBytes) throw tooLarge(path, maxBytes);
  const parts: Uint8Array[] = [];
  // One more byte than expected leaves room to see the end.
  let room = new Uint8Array(size > 0 ? size + 1 : CHUNK_BYTES);
  for (let total = 0; ;) {
    const { bytesRead } = await file.read(room, 0, room.length, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    total += bytesRead;
    if (total > maxBytes) throw tooLarge(path, maxBytes);
    parts.push(room.subarray(0, bytesRead));
    room = bytesRead < room.length ? room.subarray(bytesRead) : new Uint8Array(CHUNK_BYTES);
  }
}

function tooLarge(path: string, maxBytes: number): Error {
  return Object.assign(new Error(`${path} is larger than ${String(maxBytes)} bytes`), { code: "EFBIG" });
}

const NODE_DISK: Disk = { ...fs, open: openFile };

/** This machine's file system. */
export function nodeFiles(disk: Disk = NODE_DISK, platform: NodeJS.Platform = process.platform): FileSystem {
  // Makes each append durable in a single call. Only Linux implements the flag reliably.
  const durable = platform === "linux" ? fs.constants.O_DSYNC : 0;
  return {
    read: async (path, { maxBytes = MAX_BYTES, followLinks = false } = {}) => {
      const file = await ifThere(() =>
        disk.open(path, fs.constants.O_RDONLY | (followLinks ? 0 : fs.constants.O_NOFOLLOW)),
      );
      if (!file) return null;
      try {
        return await readAll(file, { path, maxBytes });
      } finally {
        await file.close();
      }
    },
    writeDurably: (path, bytes) => writeAndSync(disk, path, { flag: REPLACE, bytes, mode: PRIVATE }),
    createExclusively: (path, bytes, { isPublic = false } = {}) =>
      writeAndSync(disk, path, { flag: "wx", bytes, mode: isPublic ? PUBLIC : PRIVATE }),
    openAppend: (path, options) => openAppend(disk, path, { durable, ...options }),
    rename: (from, to) => disk.rename(from, to),
    link: (from, to) => disk.link(from, to),
    remove: (path) => disk.rm(path, { force: true }),
    syncFolder: async (path) => {
      if (platform === "win32") return;
      const folder = await disk.open(path, "r");
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
    makeFolder: (path) => makeFolder(path),
    list: async (path) => (await ifThere(() => disk.readdir(path))) ?? [],
    kind: async (path) => {
      const found = await ifThere(() => disk.lstat(path));
      if (!found) return null;
      if (found.isFile()) return "file";
      if (found.isDirectory()) return "folder";
      return found.isSymbolicLink() ? "link" : "other";
    },
    realPath: (path) => disk.realpath(path),
  };
}

interface AppendOptions {
  /** The flag that makes each append durable; 0 where a call does it. */
  readonly durable: number;
  readonly isPublic?: boolean;
  readonly exclusive?: boolean;
}

async function openAppend(
  disk: Disk,
  path: string,
  { durable, isPublic = false, exclusive = false }: AppendOptions,
): Promise<AppendFile> {
  const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants;
  const flags = O_APPEND | O_CREAT | O_WRONLY | durable | (exclusive ? O_EXCL : 0);
  const file = await disk.open(path, flags, isPublic ? PUBLIC : PRIVATE);
  /** What is open for appending writes at the end only, and flushes each time. */
  let unflushed: DiskFile | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (act: () => Promise<unknown>): Promise<void> => {
    const next = turn.then(async () => {
      try {
        await act();
      } catch (error) {
        throw withPath(error, path);
      }
    });
    // A torn write must stay the last line, so a failure stops all later appends.
    turn = next;
    return next;
  };
  return {
    append: (bytes) =>
      inTurn(async () => {
        await file.appendFile(bytes);
        if (durable === 0) await file.datasync();
      }),
    overwrite: (bytes, position) =>
      inTurn(async () => {
        unflushed ??= await disk.open(path, O_WRONLY | O_NOFOLLOW);
        await unflushed.write(bytes, 0, bytes.length, position);
      }),
    close: async () => {
      await unflushed?.close();
      await file.close();
    },
  };
}

interface WholeFile {
  readonly flag: number | "wx";
  readonly bytes: Uint8Array;
  readonly mode: number;
}

async function writeAndSync(disk: Disk, path: string, { flag, bytes, mode }: WholeFile): Promise<void> {
  const file = await disk.open(path, flag, mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    // A part of a file takes the last room of a full disk, and nobody can use it.
    if (flag === "wx") await disk.rm(path, { force: true }).catch(() => undefined);
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

/** Adds the path to an error about an open file: Node.js only says that a write failed, not where. */
function withPath(error: unknown, path: string): unknown {
  if (error instanceof Error && !error.message.includes(path)) error.message += ` '${path}'`;
  return error;
}

const NOT_THERE: readonly unknown[] = ["ENOENT", "ENOTDIR"];

async function ifThere<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (NOT_THERE.includes((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

/** The file system as a process finds it whose working folder this is. */
export function filesInFolder(folder: string, files: FileSystem = nodeFiles()): FileSystem {
  const at = (file: string): string => resolve(folder, file);
  return {
    read: (file, options) => files.read(at(file), options),
    writeDurably: (file, bytes) => files.writeDurably(at(file), bytes),
    createExclusively: (file, bytes, options) => files.createExclusively(at(file), bytes, options),
    openAppend: (file, options) => files.openAppend(at(file), options),
    rename: (from, to) => files.rename(at(from), at(to)),
    link: (from, to) => files.link(at(from), at(to)),
    remove: (file) => files.remove(at(file)),
    syncFolder: (file) => files.syncFolder(at(file)),
    makeFolder: (file) => files.makeFolder(at(file)),
    list: (file) => files.list(at(file)),
    kind: (file) => files.kind(at(file)),
    realPath: (file) => files.realPath(at(file)),
  };
}
