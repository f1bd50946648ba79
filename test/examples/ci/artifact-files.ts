import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The files of a folder that exist, by path. */
export function filesOf(folder: string, paths: readonly string[]): ReadonlyMap<string, Buffer> {
  return new Map(paths.filter((file) => existsSync(path.join(folder, file))).map((file) => [file, readFileSync(path.join(folder, file))]));
}

export function place(folder: string, files: ReadonlyMap<string, Buffer>): void {
  for (const [file, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
}
