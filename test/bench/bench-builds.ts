import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { replaceModules } from "../../src/release/replace-modules.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const UNPACED = fileURLToPath(new URL("unpaced.ts", import.meta.url));

/** Bundles the bare loop into one file in a folder. Returns the file. */
export async function buildPosts(folder: string): Promise<string> {
  const outfile = path.join(folder, "posts.mjs");
  await build({
    absWorkingDir: ROOT,
    entryPoints: [fileURLToPath(new URL("./bare-posts.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return outfile;
}

/** Builds the command without its pacer into a folder. Returns its file. */
export async function buildUnpacedCommand(folder: string): Promise<string> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: { outreach: "src/frontends/cli/start.ts" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [
      replaceModules("unpaced", [{ module: /\/service\/api\/pacer\.ts$/, importer: null, by: { path: UNPACED } }]),
    ],
  });
  return path.join(folder, "outreach.mjs");
}
