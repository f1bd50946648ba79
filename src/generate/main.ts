import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { GENERATED_FOLDERS, generatedFiles } from "./generated-files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Writes the generated files that are out of date. With `--check`, names them and fails. */
async function main(options: readonly string[]): Promise<number> {
  process.chdir(ROOT);
  const files = await generatedFiles();
  const outdated = await outdatedFiles(files);
  const left = await leftOver(files);
  if (options.includes("--check")) {
    for (const file of [...outdated, ...left]) process.stderr.write(`out of date: ${file}\n`);
    if (outdated.length + left.length > 0) process.stderr.write("Run npm run generate.\n");
    return outdated.length + left.length > 0 ? 1 : 0;
  }
  for (const file of outdated) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, files.get(file) ?? "");
    process.stdout.write(`written: ${file}\n`);
  }
  for (const file of left) {
    await rm(file);
    process.stdout.write(`removed: ${file}\n`);
  }
  return 0;
}

async function outdatedFiles(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const same = await Promise.all([...files].map(async ([file, text]) => (await readFile(file, "utf8").catch(() => null)) === text));
  return [...files.keys()].filter((_, index) => !same[index]);
}

async function leftOver(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const found = await Promise.all(GENERATED_FOLDERS.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])));
  const there = found.flat().flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name).split(path.sep).join("/")] : []));
  return there.filter((file) => !files.has(file)).toSorted();
}

process.exitCode = await main(process.argv.slice(2));
