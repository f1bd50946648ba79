import { constants } from "node:fs";
import path from "node:path";
import type { Disk, DiskFile } from "../../../../src/platform/node-files.ts";

interface Inode {
  bytes: Buffer;
  /** What is on the disk itself: null before the first flush. */
  flushed: Buffer | null;
}

export interface ForgetfulDisk extends Disk {
  /** How many operations there were. */
  readonly count: number;
  /** The files that are open. */
  readonly openFiles: ReadonlySet<string>;
  /** The power fails before the operation with this number (from 0): it and all later ones do not happen. */
  failAt(at: number): void;
  /** After a power failure: what was not flushed is gone. `names`: whether unflushed changes of a folder happen to survive. */
  restart(names: "kept" | "lost"): void;
}

/** A disk in memory that forgets what was not flushed: content by `sync`, `datasync` or O_DSYNC, names by `sync` of the folder. */
export function forgetfulDisk(): ForgetfulDisk {
  let names = new Map<string, Inode>();
  let flushedNames = new Map<string, Inode>();
  const opened = new Set<string>();
  let [count, failsAt] = [0, Number.POSITIVE_INFINITY];

  async function operation(): Promise<void> {
    await Promise.resolve();
    if (count++ >= failsAt) throw failure("EPOWER", "the power failed");
  }

  function at(file: string): Inode {
    const inode = names.get(file);
    if (!inode) throw failure("ENOENT", file);
    return inode;
  }

  function folder(file: string): DiskFile {
    const no = (): never => {
      throw failure("EISDIR", file);
    };
    const sync = async (): Promise<void> => {
      await operation();
      for (const known of [...flushedNames.keys()].filter((one) => path.dirname(one) === file))
        flushedNames.delete(known);
      for (const [name, inode] of names) if (path.dirname(name) === file) flushedNames.set(name, inode);
    };
    return {
      stat: no,
      read: no,
      writeFile: no,
      appendFile: no,
      write: no,
      sync,
      datasync: sync,
      close: () => Promise.resolve(),
    };
  }

  function handle(file: string, inode: Inode, isDirect: boolean): DiskFile {
    opened.add(file);
    let position = 0;
    const add = async (bytes: Uint8Array): Promise<void> => {
      await operation();
      inode.bytes = Buffer.concat([inode.bytes, bytes]);
      if (isDirect) inode.flushed = inode.bytes;
    };
    const flush = async (): Promise<void> => {
      await operation();
      inode.flushed = inode.bytes;
    };
    return {
      stat: () => Promise.resolve({ size: inode.bytes.length }),
      read: (into) => {
        const bytesRead = inode.bytes.copy(into, 0, position);
        position += bytesRead;
        return Promise.resolve({ bytesRead });
      },
      writeFile: add,
      appendFile: add,
      write: async (bytes, offset, length, start) => {
        await operation();
        const after = inode.bytes.subarray(start + length);
        inode.bytes = Buffer.concat([inode.bytes.subarray(0, start), bytes.subarray(offset, offset + length), after]);
      },
      sync: flush,
      datasync: flush,
      close: () => Promise.resolve(void opened.delete(file)),
    };
  }

  return {
    get count() {
      return count;
    },
    openFiles: opened,
    failAt: (operationNumber) => ([count, failsAt] = [0, operationNumber]),
    restart: (kept) => {
      const survivors = kept === "kept" ? names : flushedNames;
      names = new Map(
        [...survivors].map(([name, { flushed }]) => [
          name,
          { bytes: flushed ?? Buffer.alloc(0), flushed: flushed ?? Buffer.alloc(0) },
        ]),
      );
      flushedNames = new Map(names);
      opened.clear();
      [count, failsAt] = [0, Number.POSITIVE_INFINITY];
    },
    open: async (file, flags) => {
      await operation();
      if ([...names.keys()].some((one) => path.dirname(one) === file)) return folder(file);
      const isNumber = typeof flags === "number";
      const creates = isNumber ? (flags & constants.O_CREAT) !== 0 : flags.startsWith("w");
      if (flags === "wx" && names.has(file)) throw failure("EEXIST", file);
      if (creates && !names.has(file)) names.set(file, { bytes: Buffer.alloc(0), flushed: null });
      const inode = at(file);
      if (isNumber && (flags & constants.O_TRUNC) !== 0) inode.bytes = Buffer.alloc(0);
      return handle(file, inode, isNumber && (flags & constants.O_DSYNC) !== 0);
    },
    rename: async (from, to) => {
      await operation();
      names.set(to, at(from));
      names.delete(from);
    },
    link: async (from, to) => {
      await operation();
      if (names.has(to)) throw failure("EEXIST", to);
      names.set(to, at(from));
    },
    rm: async (file) => {
      await operation();
      names.delete(file);
    },
    readdir: (file) =>
      Promise.resolve([...names.keys()].flatMap((one) => (path.dirname(one) === file ? [path.basename(one)] : []))),
    lstat: (file) => Promise.reject(failure("ENOSYS", file)),
    realpath: (file) => Promise.resolve(file),
  };
}

function failure(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code });
}
