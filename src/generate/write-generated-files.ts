import path from "node:path";
import { builtSources, BUILT_FOLDERS } from "./built-sources.ts";
import { type Generated, fileChanges, writeChanges } from "./file-changes.ts";
import { GENERATED_FOLDERS, generatedFiles } from "./generated-files.ts";

/** Writes the generated files that are out of date. With `--check`, names them and fails. */
async function main(options: readonly string[]): Promise<number> {
  const files = await generatedFiles();
  const generated: Generated = {
    files: new Map([...(await builtSources()), ...files]),
    folders: [...BUILT_FOLDERS, ...GENERATED_FOLDERS],
  };
  const changes = await fileChanges(generated);
  const { outdated, leftOver } = changes;
  if (options.includes("--check")) {
    for (const file of [...outdated, ...leftOver]) process.stderr.write(`out of date: ${file}\n`);
    if (outdated.length + leftOver.length > 0) process.stderr.write("Run npm run generate.\n");
    return outdated.length + leftOver.length > 0 ? 1 : 0;
  }
  await writeChanges(changes, generated);
  for (const file of outdated) process.stdout.write(`written: ${file}\n`);
  for (const file of leftOver) process.stdout.write(`removed: ${file}\n`);
  return 0;
}

/** What a page takes from a file that people write, such as the example of a resource. */
function reportMissing({ code, path: file }: NodeJS.ErrnoException): number | null {
  if (code !== "ENOENT" || file === undefined) return null;
  process.stderr.write(`${path.relative("", file)} is missing: write it, and run npm run generate again.\n`);
  return 1;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  const exitCode = error instanceof Error ? reportMissing(error) : null;
  if (exitCode === null) throw error;
  return exitCode;
});
