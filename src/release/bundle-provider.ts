import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { COMMON_JS } from "../frontends/cli/commands/provider/provider-archive.ts";
import { type BundledProgram, filesIn } from "./bundled-libraries.ts";
import { unusedModules } from "./replace-modules.ts";
import { nodePlaceFiles } from "../platform/node-place-files.ts";

const ENTRY = fileURLToPath(new URL("../frontends/terraform/main.ts", import.meta.url));

/** Terraform shows the first line of a provider that does not speak its protocol. */
const NODE_CHECK =
  'if (!process.getBuiltinModule) { console.log("The provider needs Node 20.19 or later, and this is " + process.version + "."); process.exit(1); }';

/** Writes the provider as one executable script. It needs `node` on the PATH, and does not run on Windows. Returns the files in it. */
export async function buildProvider(file: string): Promise<readonly string[]> {
  const { script, files } = await bundleProvider("script");
  await nodePlaceFiles(path.dirname(file), [
    { name: "package.json", bytes: COMMON_JS, executable: false },
    { name: path.basename(file), bytes: script, executable: true },
  ]);
  return files;
}

/** Bundles the provider into one CommonJS file. A script is executable. */
export async function bundleProvider(kind: "script" | "module"): Promise<BundledProgram> {
  const { outputFiles, metafile } = await build({
    entryPoints: [ENTRY],
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "inline",
    plugins: [unusedModules],
    ...(kind === "script" ? { banner: { js: `#!/usr/bin/env node\n${NODE_CHECK}` } } : {}),
    logLevel: "warning",
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error("esbuild wrote nothing");
  return { script: bundle.contents, files: filesIn(metafile) };
}
