import { execFile } from "node:child_process";
import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
/** What Node looks for in itself, as its documentation of single executables says. */
const BLOB_NAME = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const SEGMENT = "NODE_SEA";

/**
 * Turns a program into the form that Node runs out of its own executable, with the Node at `node`, which has to run here. The
 * form is the same on every platform: it holds no code cache, which would be for one processor and one version of Node.
 */
export async function makeBlob(program: Uint8Array, { node, folder }: { readonly node: string; readonly folder: string }): Promise<string> {
  // Names without a folder: the form holds the program's.
  const names = { main: "provider.js", output: "provider.blob" };
  await writeFile(path.join(folder, names.main), program);
  await writeFile(path.join(folder, "provider.json"), JSON.stringify({ ...names, disableExperimentalSEAWarning: true }));
  await execute(node, ["--experimental-sea-config", "provider.json"], { cwd: folder, env: {} });
  return path.join(folder, names.output);
}

/** A copy of Node's executable that runs the program in `blob`, and nothing else. It may be for another platform than this one. */
export async function embed(node: string, { blob, folder }: { readonly blob: string; readonly folder: string }): Promise<Uint8Array> {
  const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
  const copy = path.join(folder, `${path.basename(path.dirname(path.dirname(node)))}.embedded`);
  await copyFile(node, copy);
  await chmod(copy, 0o755);
  try {
    // A process of its own: it computes for seconds, and its warnings about names of sections are of no use.
    await execute(process.execPath, [postject, copy, BLOB_NAME, blob, "--sentinel-fuse", FUSE, "--macho-segment-name", SEGMENT]);
    return await readFile(copy);
  } finally {
    await rm(copy, { force: true });
  }
}
