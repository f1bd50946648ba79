import * as fs from "node:fs";

export type { Stats } from "node:fs";

/** The file operations of the shared log: Node's, synchronous because each exchange must be over before the lock counts as stale. */
export type PacingFiles = Pick<
  typeof fs,
  | "closeSync"
  | "fstatSync"
  | "linkSync"
  | "lstatSync"
  | "mkdirSync"
  | "openSync"
  | "readFileSync"
  | "readdirSync"
  | "renameSync"
  | "unlinkSync"
  | "writeFileSync"
>;

export const NODE_FILES: PacingFiles = fs;

export const { O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } = fs.constants;
/** Windows lacks both. */
export const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as { readonly [flag: string]: number };

/** Closes a file. The descriptor is free even if this fails, and what was written is checked when it is read. */
export function close(files: PacingFiles, file: number): void {
  try {
    files.closeSync(file);
  } catch (error) {
    if (!isFileError(error)) throw error;
  }
}

/** Removes a file, if it is there and can be removed. */
export function discard(files: PacingFiles, path: string): void {
  try {
    files.unlinkSync(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
  }
}

export function isFileError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.code === "string";
}

export function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}
