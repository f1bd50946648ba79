import { compareText } from "../core/model/value.ts";
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type AsyncZippable, zip } from "fflate";
import { ZIP, sha256, unixMode } from "../frontends/cli/commands/provider/provider-archive.ts";
import { VERSION } from "../operations/version.ts";
import { executableName, releaseName } from "../frontends/cli/commands/provider/provider-mirror.ts";
import { bundleProvider } from "./bundle-provider.ts";
import { type BundledLibrary, type BundledProgram, bundledLibraries, licencesText } from "./bundled-libraries.ts";
import type { Platform, Runtime } from "./runtimes.ts";
import { type PackagedFile, sbomOf } from "./sbom.ts";

const ROOT = path.join(import.meta.dirname, "../..");
export const PROVIDER_NAME = "terraform-provider-outreach";
/** The names of a release's files begin with it. */
const PREFIX = releaseName(VERSION);
/** The highest level takes four times as long, and saves one byte in forty. */
const LEVEL = 2;
/** Packages to build in parallel: two need two processors for some seconds, and 0.5 GB. */
const AT_A_TIME = 2;

export interface Release {
  readonly out: string;
  readonly platforms: readonly Platform[];
  readonly runtimeOf: (platform: Platform) => Promise<Runtime>;
  /** Creates the executable that runs the CommonJS script in a runtime. */
  readonly embed: (runtime: Runtime, script: Uint8Array) => Promise<Uint8Array>;
  /** Node's licence, for runtimes without one. */
  readonly nodeLicence: string;
  /** The key for gpg; null: unsigned. */
  readonly key: string | null;
}

/**
 * Writes all files of a release of the provider, with the names and layout that the registries require, and returns the names. The
 * same sources give the same bytes, except for the signature. The checksums are written last: if they exist, the release is complete.
 */
export async function writeRelease(release: Release): Promise<readonly string[]> {
  const { out, platforms } = release;
  await mkdir(out, { recursive: true });
  const names = { manifest: `${PREFIX}_manifest.json`, sbom: `${PREFIX}_sbom.cdx.json`, sums: `${PREFIX}_SHA256SUMS` };
  await Promise.all([names.sums, `${names.sums}.sig`].map((name) => rm(path.join(out, name), { force: true })));
  const program = await bundleProvider("module");
  const libraries = await bundledLibraries(program.files);
  const packages = await eachOf(platforms.toSorted(), (platform) =>
    writePackage(release, { platform, program, libraries }),
  );
  const texts = [
    { name: names.manifest, text: await readFile(path.join(ROOT, "terraform-registry-manifest.json"), "utf8") },
    { name: names.sbom, text: sbomOf({ name: PROVIDER_NAME, version: VERSION }, { packages, libraries }) },
  ];
  for (const { name, text } of texts) await write(path.join(out, name), Buffer.from(text));
  const sums = [...packages, ...texts.map(({ name, text }) => ({ name, sha256: sha256(text) }))];
  const lines = sums
    .map(({ name, sha256: sum }) => `${sum}  ${name}\n`)
    .toSorted((one, other) => compareText(one.slice(64), other.slice(64)));
  await write(path.join(out, names.sums), Buffer.from(lines.join("")));
  const signature = release.key === null ? [] : [await sign(path.join(out, names.sums), release.key)];
  return [...sums.map(({ name }) => name), names.sums, ...signature];
}

interface Contents {
  readonly platform: Platform;
  readonly program: BundledProgram;
  readonly libraries: readonly BundledLibrary[];
}

async function writePackage(
  { out, runtimeOf, embed, nodeLicence }: Release,
  { platform, program, libraries }: Contents,
): Promise<PackagedFile> {
  const runtime = await runtimeOf(platform);
  const executable = `${executableName(VERSION)}${platform.startsWith("windows_") ? ".exe" : ""}`;
  const bytes = await zipped({
    [executable]: [await embed(runtime, program.script), { attrs: unixMode(0o755) }],
    LICENSE: [await readFile(path.join(ROOT, "LICENSE")), { attrs: unixMode(0o644) }],
    "THIRD_PARTY_LICENSES.txt": [
      Buffer.from(thirdParties(libraries, { version: runtime.version, licence: runtime.licence ?? nodeLicence })),
      { attrs: unixMode(0o644) },
    ],
  });
  const name = `${PREFIX}_${platform}.zip`;
  await write(path.join(out, name), bytes);
  return { name, sha256: sha256(bytes), runtime };
}

function thirdParties(
  libraries: readonly BundledLibrary[],
  node: { readonly version: string; readonly licence: string },
): string {
  return licencesText("The executable in this package contains", libraries, [
    { title: `Node.js ${node.version}`, text: node.licence },
  ]);
}

function zipped(files: AsyncZippable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    zip(files, { ...ZIP, level: LEVEL }, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
}

/** A detached signature in GnuPG's binary form, which the registries require. Asks for the passphrase of the key, if any. */
async function sign(file: string, key: string): Promise<string> {
  const signature = `${file}.sig`;
  await rm(signature, { force: true });
  try {
    await promisify(execFile)("gpg", ["--batch", "--local-user", key, "--output", signature, "--detach-sign", file]);
  } catch (error) {
    throw new Error(
      `gpg could not sign with the key ${key}: ${(error as { readonly stderr?: string }).stderr || String(error)}`,
      { cause: error },
    );
  }
  return path.basename(signature);
}

async function write(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${file}.tmp`, bytes);
  await rename(`${file}.tmp`, file);
}

/** The results in the order of the items. */
async function eachOf<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (const [index, item] of waiting) results[index] = await run(item);
    }),
  );
  return results;
}
