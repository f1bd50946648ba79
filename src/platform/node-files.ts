import * as fs from "node:fs/promises";
import type { FileSystem } from "../core/model/ports.ts";
import { makeFolder } from "./make-folder.ts";

const PRIVATE = 0o600;
/** The umask takes away what the user does not want. */
const PUBLIC = 0o666;
/** Makes each write durable in a single call. Only Linux implements the flag reliably. */
const DURABLE = process.platform === "linux" ? fs.constants.O_DSYNC : 0;

/** This machine's file system. */
export function nodeFiles(): FileSystem {
  return {
    read: async (path, { maxBytes = Number.MAX_SAFE_INTEGER, followLinks = false } = {}) => {
      const file = await ifThere(() => fs.open(path, fs.constants.O_RDONLY | (followLinks ? 0 : fs.constants.O_NOFOLLOW)));
      if (!file) return null;
      try {
        if ((await file.stat()).size > maxBytes) throw Object.assign(new Error(`${path} is larger than ${String(maxBytes)} bytes`), { code: "EFBIG" });
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
    writeDurably: (path, bytes) => writeAndSync(path, "w", bytes, PRIVATE),
    createExclusively: (path, bytes, { isPublic = false } = {}) => writeAndSync(path, "wx", bytes, isPublic ? PUBLIC : PRIVATE),
    openAppend: async (path, { isPublic = false } = {}) => {
      const { O_APPEND, O_CREAT, O_WRONLY } = fs.constants;
      const file = await fs.open(path, O_APPEND | O_CREAT | O_WRONLY | DURABLE, isPublic ? PUBLIC : PRIVATE);
      let turn: Promise<unknown> = Promise.resolve();
      return {
        append: (bytes) => {
          const next = turn.then(async () => {
            await file.appendFile(bytes);
            if (DURABLE === 0) await file.datasync();
          });
          // A torn write must stay the last line, so a failure stops all later appends.
          turn = next;
          return next;
        },
        close: () => file.close(),
      };
    },
    rename: (from, to) => fs.rename(from, to),
    link: (from, to) => fs.link(from, to),
    remove: (path) => fs.rm(path, { force: true }),
    syncFolder: async (path) => {
      if (process.platform === "win32") return;
      const folder = await fs.open(path, "r");
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
    makeFolder: (path) => makeFolder(path),
    list: async (path) => (await ifThere(() => fs.readdir(path))) ?? [],
    kind: async (path) => {
      const found = await ifThere(() => fs.lstat(path));
      if (!found) return null;
      if (found.isFile()) return "file";
      if (found.isDirectory()) return "folder";
      return found.isSymbolicLink() ? "link" : "other";
    },
    realPath: (path) => fs.realpath(path),
  };
}

async function writeAndSync(path: string, flag: "w" | "wx", bytes: Uint8Array, mode: number): Promise<void> {
  const file = await fs.open(path, flag, mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function ifThere<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}
