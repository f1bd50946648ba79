import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { PacingFiles } from "../../src/service/api/pacing-files.ts";

interface Entry {
  readonly ino: number;
  text: string;
  mtimeMs: number;
}

export interface MemoryFiles extends PacingFiles {
  readonly names: () => readonly string[];
  /** Called before each operation with its name; may throw. */
  fault: (operation: string) => void;
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** One folder of files in memory that all its users share. Only what the shared log uses is there. */
export function memoryFiles(nowMs: () => number): MemoryFiles {
  const entries = new Map<string, Entry>();
  const open = new Map<number, Entry>();
  let [inodes, descriptors, hasFolder] = [0, 0, false];
  const stats = (entry: Entry): Stats =>
    ({
      ino: entry.ino,
      mtimeMs: entry.mtimeMs,
      size: entry.text.length,
      mode: 0o100600,
      uid: 0,
      isFile: () => true,
      isDirectory: () => false,
    }) as Stats;
  const folder = {
    ino: 0,
    mtimeMs: 0,
    size: 0,
    mode: 0o40700,
    uid: 0,
    isFile: () => false,
    isDirectory: () => true,
  } as Stats;
  const found = (path: string): Entry => {
    const entry = entries.get(path);
    if (!entry) throw failure("ENOENT");
    return entry;
  };
  const held = (descriptor: number): Entry => {
    const entry = open.get(descriptor);
    if (!entry) throw failure("EBADF");
    return entry;
  };
  const operations = {
    closeSync: (descriptor: number) => void open.delete(descriptor),
    fstatSync: (descriptor: number) => stats(held(descriptor)),
    linkSync: (from: string, to: string) => {
      const entry = found(from);
      if (entries.has(to)) throw failure("EEXIST");
      entries.set(to, entry);
    },
    lstatSync: (path: string, options?: { readonly throwIfNoEntry?: boolean }) => {
      if (path === FOLDER && hasFolder) return folder;
      if (options?.throwIfNoEntry === false && !entries.has(path)) return undefined;
      return stats(found(path));
    },
    mkdirSync: () => void (hasFolder = true),
    openSync: (path: string, flags: number) => {
      if (flags & constants.O_EXCL && entries.has(path)) throw failure("EEXIST");
      if (flags & constants.O_CREAT && !entries.has(path))
        entries.set(path, { ino: ++inodes, text: "", mtimeMs: nowMs() });
      const entry = found(path);
      if (flags & constants.O_TRUNC) entry.text = "";
      open.set(++descriptors, entry);
      return descriptors;
    },
    readFileSync: (descriptor: number) => held(descriptor).text,
    readdirSync: () => [...entries.keys()].map((path) => path.slice(FOLDER.length + 1)),
    renameSync: (from: string, to: string) => {
      entries.set(to, found(from));
      entries.delete(from);
    },
    unlinkSync: (path: string) => {
      found(path);
      entries.delete(path);
    },
    writeFileSync: (descriptor: number, text: string) => {
      const entry = held(descriptor);
      entry.text = text;
      entry.mtimeMs = nowMs();
    },
  };
  const all: MemoryFiles = {
    fault: () => undefined,
    names: () => [...entries.keys()],
    ...(Object.fromEntries(
      Object.entries(operations).map(([name, run]) => [
        name,
        (...words: never[]) => {
          all.fault(name);
          return (run as (...inner: never[]) => unknown)(...words);
        },
      ]),
    ) as unknown as PacingFiles),
  };
  return all;
}

/** The only folder there is. */
export const FOLDER = "/user";
