import * as fs from "node:fs/promises";
import path from "node:path";
import { withOwner } from "./with-owner.ts";

/**
 * Creates a folder and its parents; an existing folder is no error. Node's own recursive `mkdir` loops forever if an
 * existing folder reports ENOENT, as /proc does.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const above = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || above === folder) throw error;
    await makeFolder(above, mode);
    await makeOne(folder, mode);
  }
}

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await withOwner(folder, () => fs.mkdir(folder, { mode }));
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST" && (await fs.stat(folder)).isDirectory();
    if (!isThere) throw error;
  }
}
