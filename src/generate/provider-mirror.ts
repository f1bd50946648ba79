import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ADDRESS = "registry.terraform.io/outreach-as-code/outreach";
const ENTRY = fileURLToPath(new URL("../doors/terraform/main.ts", import.meta.url));
const PACKAGE = new URL("../../package.json", import.meta.url);
const ARCHITECTURES: { readonly [name: string]: string } = { x64: "amd64", arm64: "arm64", ia32: "386" };

/**
 * Builds the provider and lays it out as a mirror in the file system for this machine: Terraform installs it from there
 * without a network. Returns the path of the executable.
 */
export async function buildProviderMirror(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, "utf8")) as { readonly version: string };
  const platform = `${process.platform}_${ARCHITECTURES[process.arch] ?? process.arch}`;
  return buildProvider(path.join(folder, ADDRESS, version, platform, `terraform-provider-outreach_v${version}`));
}

/** Bundles the provider into one executable script. It runs where `node` is on the PATH, and not on Windows. */
export async function buildProvider(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  // A script without an extension is what the nearest package.json says that it is.
  await writeFile(path.join(path.dirname(file), "package.json"), '{"type":"commonjs"}\n');
  await build({
    entryPoints: [ENTRY],
    outfile: file,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "inline",
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "warning",
  });
  await chmod(file, 0o755);
  return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    process.stderr.write("Say where the mirror shall be: npm run provider:mirror -- DIR\n");
    process.exit(1);
  }
  const built = await buildProviderMirror(path.resolve(folder));
  process.stdout.write(`${built}\n\nTell Terraform about it in the file that TF_CLI_CONFIG_FILE names:\n\n`);
  process.stdout.write(
    `provider_installation {\n  filesystem_mirror {\n    path    = ${JSON.stringify(path.resolve(folder))}\n    include = ["outreach-as-code/outreach"]\n  }\n  direct {\n    exclude = ["outreach-as-code/outreach"]\n  }\n}\n`,
  );
}
