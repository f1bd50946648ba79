import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { run } from "../frontends/constructs/packed-package.ts";

/** A registry on this machine that has one version of some packages. */
export interface PackageRegistry {
  readonly url: string;
  close(): Promise<void>;
}

interface Served {
  readonly name: string;
  readonly version: string;
  readonly manifest: object;
  readonly tarball: string;
  readonly bytes: Uint8Array;
}

/** Packs the packages of these folders into `folder`, without their scripts, and serves them. */
export async function openRegistry(folder: string, packages: readonly string[]): Promise<PackageRegistry> {
  const served = await Promise.all(packages.map((source) => pack(source, folder)));
  const server = createServer((request, answer) => {
    const asked = decodeURIComponent(request.url ?? "").slice(1);
    const one = served.find(({ name, tarball }) => asked === name || asked === tarball);
    answer.writeHead(one ? 200 : 404).end(one?.tarball === asked ? one.bytes : one && entryOf(one, url));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function pack(source: string, folder: string): Promise<Served> {
  const words = ["pack", source, "--offline", "--ignore-scripts", "--json", "--pack-destination", folder];
  const env = { ...process.env, npm_config_cache: path.join(folder, "cache") };
  const { stdout } = await run("npm", words, { cwd: folder, env });
  const [{ name, version, filename }] = JSON.parse(stdout) as readonly [
    { readonly name: string; readonly version: string; readonly filename: string },
  ];
  return {
    name,
    version,
    tarball: filename,
    manifest: JSON.parse(await readFile(path.join(source, "package.json"), "utf8")) as object,
    bytes: await readFile(path.join(folder, filename)),
  };
}

/** What a registry tells of a package. */
function entryOf({ name, version, manifest, tarball, bytes }: Served, url: string): string {
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  return JSON.stringify({
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: `${url}/${tarball}`, integrity } } },
    time: { [version]: "2020-01-01T00:00:00.000Z" },
  });
}
