import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { platformName } from "../frontends/cli/commands/provider/provider-mirror.ts";
import { signedAdHoc } from "./macos-signature.ts";
import { embed, fetchMaker, fetchRuntime, isPlatform, makeBlob, PLATFORMS, type Platform } from "./runtimes.ts";
import { PROVIDER_NAME, writeRelease } from "./write-release.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const USAGE = `npm run provider:package -- [--out DIR] [--platform PLATFORM]... [--sign KEY]

  --out DIR            where the release is written; dist/release when absent
  --platform PLATFORM  only this one: ${PLATFORMS.join(", ")}; may be repeated
  --sign KEY           sign the checksums with this key of gpg
`;

async function main(words: readonly string[]): Promise<number> {
  const options = readOptions(words);
  if (typeof options === "string") {
    process.stderr.write(`${options}\n\n${USAGE}`);
    return 1;
  }
  const cache = path.join(ROOT, "node_modules/.cache/packages");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(tmpdir(), "packages-"));
  try {
    const names = await packageProvider(options, { cache, folder });
    for (const name of names) {
      const { size } = await stat(path.join(options.out, name));
      process.stdout.write(
        `${name}  ${size < 1_000_000 ? `${String(size)} B` : `${(size / 1_000_000).toFixed(1)} MB`}\n`,
      );
    }
    process.stderr.write(`\nWritten to ${options.out}.${options.key === null ? " Not signed: see --sign." : ""}\n`);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Options {
  readonly out: string;
  readonly platforms: readonly Platform[];
  readonly key: string | null;
}

/** A text describes the problem. */
function readOptions(words: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        out: { type: "string", default: path.join(ROOT, "dist/release") },
        platform: { type: "string", multiple: true },
        sign: { type: "string" },
      },
    });
    const platforms = values.platform ?? PLATFORMS;
    const unknown = platforms.find((platform) => !isPlatform(platform));
    if (unknown !== undefined) return `There is no package for ${unknown}.`;
    return {
      out: path.resolve(values.out),
      platforms: PLATFORMS.filter((platform) => platforms.includes(platform)),
      key: values.sign ?? null,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function packageProvider(
  options: Options,
  { cache, folder }: { readonly cache: string; readonly folder: string },
): Promise<readonly string[]> {
  const here = platformName({ platform: process.platform, architecture: process.arch });
  if (!isPlatform(here)) throw new Error(`Packages can be made on ${PLATFORMS.join(", ")}, and this is ${here}.`);
  const places = { cache, folder };
  const { licence } = await fetchRuntime("linux_amd64", places);
  const blobs = new Map<string, Promise<string>>();
  return writeRelease({
    ...options,
    nodeLicence: licence ?? "",
    runtimeOf: (platform) => fetchRuntime(platform, places),
    embed: async ({ platform, version, executable }, script) => {
      const place = path.join(folder, `blob-${version}`);
      const make = async (): Promise<string> => {
        await mkdir(place);
        return makeBlob(script, { node: await fetchMaker(version, here, places), folder: place });
      };
      const blob = blobs.get(place) ?? make();
      blobs.set(place, blob);
      const made = await embed(executable, { blob: await blob, folder });
      return platform.startsWith("darwin_") ? signedAdHoc(made, PROVIDER_NAME) : made;
    },
  });
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
