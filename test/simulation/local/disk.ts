import { constants } from "node:fs";
import path from "node:path";
import type { Disk, DiskFile } from "../../../src/platform/node-files.ts";
import type { Decisions } from "../world.ts";
import type { Folder } from "./folder.ts";

type Fate = "well" | "error" | "torn";

/** A folder as a process uses it: each operation may fail, and the process may die between any two effects. */
export function simulatedDisk(folder: Folder, decisions: Decisions): Disk {
  /** What becomes of an operation, and whether it is carried out. */
  function decide<T extends Fate>(what: string, file: string, options: readonly [T, ...T[]]): T {
    const point = `${what} ${maskedName(file)}`;
    const fate = decisions.choose(point, options);
    decisions.does(`${point}: ${fate}`);
    return fate;
  }
  function attempt(what: string, file: string): void {
    if (decide(what, file, ["well", "error"]) === "error") throw seen(failure("EIO", file));
  }
  function seen(error: Error & { readonly code: string }): Error {
    decisions.sees(error.code);
    return error;
  }
  function changed(what: string, file: string): void {
    decisions.mayDie(`${what} ${maskedName(file)}`);
  }

  function no(): never {
    throw failure("EISDIR", folder.path);
  }

  function handle(file: string, inode: number, isDirect: boolean): DiskFile {
    let position = 0;
    const add = async (bytes: Uint8Array): Promise<void> => {
      const fate = decide("write", file, ["well", "error", "torn"]);
      if (fate === "error") throw seen(failure("ENOSPC", file));
      const written = fate === "torn" ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
      folder.append(inode, written);
      changed("write", file);
      if (isDirect && fate !== "torn") folder.flush(inode);
      if (isDirect) changed("flush", file);
      if (fate === "torn") throw seen(failure("ENOSPC", file));
    };
    const flush = async (): Promise<void> => {
      attempt("flush", file);
      folder.flush(inode);
      changed("flush", file);
    };
    return {
      stat: async () => ({ size: folder.bytes(inode).length }),
      read: async (into) => {
        const bytes = folder.bytes(inode).subarray(position);
        if (bytes.length > 0) decisions.sees(bytes);
        into.set(bytes);
        position += bytes.length;
        return { bytesRead: bytes.length };
      },
      writeFile: add,
      appendFile: add,
      // Only an encrypted journal overwrites anything.
      write: no,
      sync: flush,
      datasync: flush,
      close: async () => undefined,
    };
  }

  return {
    open: async (file, flags) => {
      if (file === folder.path) return openFolder();
      const isNumber = typeof flags === "number";
      const creates = isNumber ? (flags & constants.O_CREAT) !== 0 : flags.startsWith("w");
      if (!creates && isTemporary(file))
        throw new Error(`${file} is read, although a crash may have left anything there`);
      attempt(creates ? "create" : "read", file);
      const before = folder.at(file);
      if (before === undefined && !creates) throw seen(failure("ENOENT", file));
      if (before !== undefined && (isNumber ? (flags & constants.O_EXCL) !== 0 : flags === "wx"))
        throw seen(failure("EEXIST", file));
      const inode = before ?? folder.create(file);
      if (isNumber && (flags & constants.O_TRUNC) !== 0) folder.truncate(inode);
      if (creates) changed("create", file);
      return handle(file, inode, isNumber && (flags & constants.O_DSYNC) !== 0);
    },
    rename: async (from, to) => {
      attempt("rename", from);
      if (folder.at(from) === undefined) throw seen(failure("ENOENT", from));
      folder.rename(from, to);
      changed("rename", to);
    },
    link: async (from, to) => {
      attempt("link", to);
      if (folder.at(from) === undefined) throw seen(failure("ENOENT", from));
      if (folder.at(to) !== undefined) throw seen(failure("EEXIST", to));
      folder.link(from, to);
      changed("link", to);
    },
    rm: async (file) => {
      // Nothing is there, and nothing happens: an error would be that of the next operation.
      if (folder.at(file) === undefined) return;
      attempt("remove", file);
      folder.remove(file);
      changed("remove", file);
    },
    readdir: async () => {
      const names = folder.names();
      decisions.sees(names.join(" "));
      return names;
    },
    lstat: async (file) => {
      const isFolder = file === folder.path;
      if (!isFolder && folder.at(file) === undefined) throw seen(failure("ENOENT", file));
      return { isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false };
    },
    realpath: async (file) => file,
  };

  function openFolder(): DiskFile {
    const sync = async (): Promise<void> => {
      attempt("sync", folder.path);
      folder.sync();
      changed("sync", folder.path);
    };
    return {
      stat: no,
      read: no,
      writeFile: no,
      appendFile: no,
      write: no,
      sync,
      datasync: sync,
      close: async () => undefined,
    };
  }
}

const masked = new Map<string, string>();

/** Without the random ids of locks: equal runs have equal points. */
export function maskedName(file: string): string {
  const before = masked.get(file);
  if (before !== undefined) return before;
  const name = path.basename(file).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
  masked.set(file, name);
  return name;
}

/** Whether a file is written, renamed and removed, but never read. */
export function isTemporary(file: string): boolean {
  return file.endsWith(".tmp");
}

function failure(code: string, what: string): Error & { readonly code: string } {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
