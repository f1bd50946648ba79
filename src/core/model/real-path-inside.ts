import type { FileSystem } from "./ports.ts";

/** The path with every symbolic link resolved; null if that is outside of `folder`. Throws Node's errors, such as `ENOENT`. */
export async function realPathInside(files: FileSystem, folder: string, path: string): Promise<string | null> {
  const [real, root] = [await files.realPath(path), await files.realPath(folder)];
  return real === root || real.startsWith(root.endsWith("/") ? root : `${root}/`) ? real : null;
}
