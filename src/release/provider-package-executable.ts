import { execFile } from "node:child_process";
import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
/** The marker that Node looks for in its own executable, from its documentation of single executable applications. */
const BLOB_NAME = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const SEGMENT = "NODE_SEA";

/**
 * Prepares a program to run from Node's own executable. `node` must run on this machine. The result is the same on every
 * platform: it has no code cache, which would fit only one processor and one version of Node.
 */
export async function makeBlob(program: Uint8Array, { node, folder }: { readonly node: string; readonly folder: string }): Promise<string> {
  // Names without a folder, because the result contains the name of the program.
  const names = { main: "provider.js", output: "provider.blob" };
  await writeFile(path.join(folder, names.main), program);
  await writeFile(path.join(folder, "provider.json"), JSON.stringify({ ...names, disableExperimentalSEAWarning: true }));
  await execute(node, ["--experimental-sea-config", "provider.json"], { cwd: folder, env: {} });
  return path.join(folder, names.output);
}

/** Copies Node's executable, so that it runs only the program in `blob`. It can be for another platform. */
export async function embed(node: string, { blob, folder }: { readonly blob: string; readonly folder: string }): Promise<Uint8Array> {
  const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
  const copy = path.join(folder, `${path.basename(path.dirname(path.dirname(node)))}.embedded`);
  await copyFile(node, copy);
  await chmod(copy, 0o755);
  try {
    // A separate process: it computes for seconds, and prints useless warnings about section names.
    await execute(process.execPath, [postject, copy, BLOB_NAME, blob, "--sentinel-fuse", FUSE, "--macho-segment-name", SEGMENT]);
    return await readFile(copy);
  } finally {
    await rm(copy, { force: true });
  }
}
