import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { cliConfiguration, executableName, layOutMirror, packageFolders, platformName, scriptPackage } from "../frontends/cli/provider-mirror.ts";
import { filesIn } from "./bundled-libraries.ts";
import { unusedModules } from "./replace-modules.ts";
import { VERSION } from "../operations/version.ts";
import { nodePlaceFiles } from "../platform/node-place-files.ts";

const ENTRY = fileURLToPath(new URL("../frontends/terraform/main.ts", import.meta.url));

/**
 * Builds the provider as a filesystem mirror for this machine, from which Terraform and OpenTofu install it without a
 * network. Returns the path of the executable that Terraform uses.
 */
export async function buildProviderMirror(folder: string): Promise<string> {
  const platform = platformName({ platform: process.platform, architecture: process.arch });
  const name = executableName(VERSION);
  await layOutMirror(nodePlaceFiles, folder, { version: VERSION, platform, files: scriptPackage((await bundleProvider("script")).bytes, name) });
  const [first = ""] = packageFolders(folder, { version: VERSION, platform });
  return path.join(first, name);
}

/** Writes the provider as one executable script. It needs `node` on the PATH, and does not run on Windows. Returns the files in it. */
export async function buildProvider(file: string): Promise<readonly string[]> {
  const { bytes, files } = await bundleProvider("script");
  await nodePlaceFiles(path.dirname(file), scriptPackage(bytes, path.basename(file)));
  return files;
}

interface ProviderBundle {
  readonly bytes: Uint8Array;
  /** The files in the bundle. */
  readonly files: readonly string[];
}

/** Bundles the provider into one CommonJS file. A script is executable. */
export async function bundleProvider(kind: "script" | "module"): Promise<ProviderBundle> {
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
    ...(kind === "script" ? { banner: { js: "#!/usr/bin/env node" } } : {}),
    logLevel: "warning",
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error("esbuild wrote nothing");
  return { bytes: bundle.contents, files: filesIn(metafile) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    process.stderr.write("Name a folder for the mirror: npm run provider:mirror -- DIR\n");
    process.exit(1);
  }
  const built = await buildProviderMirror(path.resolve(folder));
  process.stderr.write(`${built}\n\nTell Terraform or OpenTofu about it in the file that TF_CLI_CONFIG_FILE names:\n\n`);
  process.stdout.write(cliConfiguration(path.resolve(folder)));
}
