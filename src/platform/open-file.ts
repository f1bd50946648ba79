import { fdatasync, fsync } from "node:fs";
import * as fs from "node:fs/promises";
import { promisify } from "node:util";
import { withOwner } from "./with-owner.ts";

/** Opens a file as Node does. The files of Yarn's Plug'n'Play cannot flush themselves, so the descriptor is flushed. */
export async function openFile(path: string, flags: string | number, mode?: number): Promise<fs.FileHandle> {
  const file = await withOwner(path, () => fs.open(path, flags, mode));
  const sync = (): Promise<void> => promisify(fsync)(file.fd);
  const datasync = (): Promise<void> => promisify(fdatasync)(file.fd);
  return Object.assign(file, { sync, datasync });
}
