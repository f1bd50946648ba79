import { compareText } from "../core/model/value.ts";
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type AsyncZippable, zip } from "fflate";
import { ZIP, sha256, unixMode } from "../frontends/cli/provider-archive.ts";
import { executableName, releaseName } from "../frontends/cli/provider-mirror.ts";
import { VERSION } from "../operations/version.ts";
import { type BundledLibrary, bundledLibraries, licencesText } from "./bundled-libraries.ts";
import { bundleProvider } from "./bundle-provider.ts";
import type { Platform, Runtime } from "./provider-package-runtimes.ts";
import { type PackagedFile, providerSbom } from "./provider-package-sbom.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const NAME = releaseName(VERSION);
const MANIFEST = path.join(ROOT, "terraform-registry-manifest.json");
/** The highest level takes four times as long, and saves one byte in forty. */
const LEVEL = 2;
/** Packages to build in parallel: two need two processors for some seconds, and 0.5 GB. */
const AT_A_TIME = 2;

export interface Release {
  readonly out: string;
  readonly platforms: readonly Platform[];
  readonly runtimeOf: (platform: Platform) => Promise<Runtime>;
  /** Creates the executable that runs the program in a runtime. */
  readonly embed: (runtime: Runtime, program: Uint8Array) => Promise<Uint8Array>;
  /** Node's licence, for runtimes without one. */
  readonly nodeLicence: string;
  /** The key for gpg; null: unsigned. */
  readonly key: string | null;
}

/**
 * Writes all files of a provider release, with the names and layout that the registries require, and returns the names. The
 * same sources give the same bytes, except for the signature. The checksums are written last: if they exist, the release is complete.
 */
export async function writeRelease(release: Release): Promise<readonly string[]> {
  const { out, platforms } = release;
  await mkdir(out, { recursive: true });
  const names = { manifest: `${NAME}_manifest.json`, sbom: `${NAME}_sbom.cdx.json`, sums: `${NAME}_SHA256SUMS` };
  await Promise.all([names.sums, `${names.sums}.sig`].map((name) => rm(path.join(out, name), { force: true })));
  const bundle = await bundleProvider("module");
  const libraries = await bundledLibraries(bundle.files);
  const packages = await eachOf(platforms.toSorted(), (platform) => writePackage(release, { platform, program: bundle.bytes, libraries }));
  const manifest = await readFile(MANIFEST, "utf8");
  const sbom = providerSbom(VERSION, { packages, libraries });
  await write(path.join(out, names.manifest), Buffer.from(manifest));
  await write(path.join(out, names.sbom), Buffer.from(sbom));
  const sums = [...packages, { name: names.manifest, sha256: sha256(manifest) }, { name: names.sbom, sha256: sha256(sbom) }];
  const lines = sums.map(({ name, sha256: sum }) => `${sum}  ${name}\n`).toSorted((one, other) => compareText(one.slice(64), other.slice(64)));
  await write(path.join(out, names.sums), Buffer.from(lines.join("")));
  const signature = release.key === null ? [] : [await sign(path.join(out, names.sums), release.key)];
  return [...sums.map(({ name }) => name), names.sums, ...signature];
}

interface Contents {
  readonly platform: Platform;
  readonly program: Uint8Array;
  readonly libraries: readonly BundledLibrary[];
}

async function writePackage({ out, runtimeOf, embed, nodeLicence }: Release, { platform, program, libraries }: Contents): Promise<PackagedFile> {
  const runtime = await runtimeOf(platform);
  const executable = `${executableName(VERSION)}${platform.startsWith("windows_") ? ".exe" : ""}`;
  const bytes = await zipped({
    [executable]: [await embed(runtime, program), { attrs: unixMode(0o755) }],
    LICENSE: [await readFile(path.join(ROOT, "LICENSE")), { attrs: unixMode(0o644) }],
    "THIRD_PARTY_LICENSES.txt": [
      Buffer.from(thirdParties(libraries, { version: runtime.version, licence: runtime.licence ?? nodeLicence })),
      { attrs: unixMode(0o644) },
    ],
  });
  const name = `${NAME}_${platform}.zip`;
  await write(path.join(out, name), bytes);
  return { name, sha256: sha256(bytes), runtime };
}

function thirdParties(libraries: readonly BundledLibrary[], node: { readonly version: string; readonly licence: string }): string {
  return licencesText("The executable in this package contains", libraries, [{ title: `Node.js ${node.version}`, text: node.licence }]);
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
    throw new Error(`gpg could not sign with the key ${key}: ${(error as { readonly stderr?: string }).stderr || String(error)}`, { cause: error });
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
