import { writeFile } from "node:fs/promises";
import path from "node:path";
import { bundleExecutable } from "../../../../src/release/bundle-executable.ts";
import { embed, makeBlob } from "../../../../src/release/runtimes.ts";

/** Builds the single executable with the Node that runs here, which needs no download. Returns its file. Works on Linux: elsewhere it lacks a signature. */
export async function buildExecutable(folder: string): Promise<string> {
  const blob = await makeBlob(await bundleExecutable(), { node: process.execPath, folder }, { isForHere: true });
  const file = path.join(folder, "outreach");
  await writeFile(file, await embed(process.execPath, { blob, folder }), { mode: 0o755 });
  return file;
}
