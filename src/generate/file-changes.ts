import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Generated files, by path in the repository, and the folders that contain nothing else. */
export interface Generated {
  readonly files: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

/** What differs between generated files and the disk: files to write, and files in their folders to remove. */
interface FileChanges {
  readonly outdated: readonly string[];
  readonly leftOver: readonly string[];
}

export async function fileChanges({ files, folders }: Generated): Promise<FileChanges> {
  const same = await Promise.all(
    [...files].map(async ([file, text]) => (await readFile(path.join(ROOT, file), "utf8").catch(() => null)) === text),
  );
  const found = await Promise.all(
    folders.map((folder) => readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  const there = found
    .flat()
    .flatMap((entry) =>
      entry.isFile() ? [path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/")] : [],
    );
  return {
    outdated: [...files.keys()].filter((_, index) => !same[index]),
    leftOver: there.filter((file) => !files.has(file)).toSorted(),
  };
}

/** Carries out the changes. Programs that read a file meanwhile see its old or its new text, never a part of one. */
export async function writeChanges({ outdated, leftOver }: FileChanges, { files }: Generated): Promise<void> {
  for (const file of outdated) {
    const target = path.join(ROOT, file);
    const temporary = path.join(path.dirname(target), `.tmp-${String(process.pid)}`);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(temporary, files.get(file) ?? "");
    await rename(temporary, target);
  }
  for (const file of leftOver) await rm(path.join(ROOT, file), { force: true });
}
