import * as fs from "node:fs/promises";
import path from "node:path";
import type { PlaceFiles, PlacedFile } from "../core/model/ports.ts";
import { makeFolder } from "./make-folder.ts";
import { openFile } from "./open-file.ts";

/** Terraform runs these files as this user: nobody else may change them, whatever the umask says. */
const MODES = { folder: 0o755, executable: 0o755, file: 0o644 } as const;
const THERE_ALREADY: readonly unknown[] = ["ENOTEMPTY", "EEXIST"];

/** Writes to this machine's disk. A killed process leaves only a temporary folder next to the target. */
export const nodePlaceFiles: PlaceFiles = async (folder, files) => {
  if ((await Promise.all(files.map((file) => isPlaced(folder, file)))).every(Boolean)) return false;
  await makeFolder(path.dirname(folder), MODES.folder);
  const next = `${folder}.tmp-${crypto.randomUUID()}`;
  await fs.mkdir(next, { mode: MODES.folder });
  try {
    for (const file of files) await write(next, file);
    await moveInto(folder, next, files);
    await flush(path.dirname(folder));
  } finally {
    await fs.rm(next, { recursive: true, force: true });
  }
  return true;
};

async function moveInto(folder: string, next: string, files: readonly PlacedFile[]): Promise<void> {
  try {
    return await fs.rename(next, folder);
  } catch (error) {
    if (!THERE_ALREADY.includes((error as NodeJS.ErrnoException).code)) throw error;
  }
  for (const { name } of files) await fs.rename(path.join(next, name), path.join(folder, name));
  await flush(folder);
}

async function isPlaced(folder: string, { name, bytes, executable }: PlacedFile): Promise<boolean> {
  const file = path.join(folder, name);
  const there = await fs.readFile(file).catch(() => null);
  if (there === null || !there.equals(bytes)) return false;
  return !executable || fs.access(file, fs.constants.X_OK).then(...YES_OR_NO);
}

const YES_OR_NO = [() => true, () => false] as const;

async function write(folder: string, { name, bytes, executable }: PlacedFile): Promise<void> {
  const file = await openFile(path.join(folder, name), "wx", executable ? MODES.executable : MODES.file);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flush(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const opened = await openFile(folder, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
