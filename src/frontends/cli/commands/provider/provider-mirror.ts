import type { FileSystem, PlaceFiles } from "../../../../core/model/ports.ts";
import { isRecord, parseJson } from "../../../../core/model/shape.ts";
import { compareText } from "../../../../core/model/value.ts";

/** The provider's name in configurations. Without a host, Terraform and OpenTofu each add their own registry. */
export const PROVIDER_SOURCE = "outreach-as-code/outreach";
/** Terraform's registry and OpenTofu's. */
const HOSTS = ["registry.terraform.io", "registry.opentofu.org"] as const;

const SYSTEMS: { readonly [name: string]: string } = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: { readonly [name: string]: string } = { x64: "amd64", ia32: "386" };

/** `linux_amd64`: a machine in Terraform's words, from Node's. */
export function platformName({
  platform,
  architecture,
}: {
  readonly platform: string;
  readonly architecture: string;
}): string {
  return `${SYSTEMS[platform] ?? platform}_${ARCHITECTURES[architecture] ?? architecture}`;
}

/** `terraform-provider-outreach_v1.2.3` */
export function executableName(version: string): string {
  return `terraform-provider-outreach_v${version}`;
}

/** `terraform-provider-outreach_1.2.3`: how the names of the files of a release begin. */
export function releaseName(version: string): string {
  return `terraform-provider-outreach_${version}`;
}

export interface MirroredPackage {
  /** The platform, as `platformName` has it. */
  readonly platform: string;
  readonly archive: Uint8Array;
  /** Its hexadecimal SHA-256. */
  readonly sha256: string;
}

/** The folders of a mirror that hold this provider: one a registry, Terraform's first. */
export function mirrorFolders(mirror: string): readonly string[] {
  return HOSTS.map((host) => [mirror.replace(/(?<=.)\/+$/, ""), host, PROVIDER_SOURCE].join("/"));
}

export interface MirrorDisk {
  readonly files: Pick<FileSystem, "read">;
  readonly placeFiles: PlaceFiles;
}

/**
 * Adds packages of a version to a mirror, for both registries: zips, which a filesystem mirror needs, and the lists of versions and packages that make
 * the same folder a network mirror. The lists keep what they have. False if everything existed.
 */
export async function addToMirror(
  disk: MirrorDisk,
  mirror: string,
  { version, packages }: { readonly version: string; readonly packages: readonly MirroredPackage[] },
): Promise<boolean> {
  const nameOf = (platform: string): string => `${releaseName(version)}_${platform}.zip`;
  const archives = Object.fromEntries(
    packages.map(({ platform, sha256 }) => [platform, { hashes: [`zh:${sha256}`], url: nameOf(platform) }]),
  );
  const zips = packages.map(({ platform, archive }) => ({ name: nameOf(platform), bytes: archive, executable: false }));
  let changed = false;
  for (const folder of mirrorFolders(mirror)) {
    const listed = async (name: string, key: string, entries: object) => ({
      name,
      bytes: extended(await disk.files.read(`${folder}/${name}`), { key, entries }),
      executable: false,
    });
    const lists = [
      await listed(`${version}.json`, "archives", archives),
      await listed("index.json", "versions", { [version]: {} }),
    ];
    changed = (await disk.placeFiles(folder, [...zips, ...lists])) || changed;
  }
  return changed;
}

/** A list of the mirror with these entries added, in order. A damaged list is replaced. */
function extended(
  list: Uint8Array | null,
  { key, entries }: { readonly key: string; readonly entries: object },
): Uint8Array {
  const content = list && parseJson(list);
  const before = isRecord(content) && isRecord(content[key]) ? content[key] : {};
  const all = Object.entries({ ...before, ...entries }).toSorted(([one], [other]) => compareText(one, other));
  return new TextEncoder().encode(`${JSON.stringify({ [key]: Object.fromEntries(all) }, null, 2)}\n`);
}

/** The CLI configuration that makes Terraform and OpenTofu install this provider from the mirror, and others as before. */
export function cliConfiguration(mirror: string): string {
  return `provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(mirror)}
    include = ["${PROVIDER_SOURCE}"]
  }
  direct {
    exclude = ["${PROVIDER_SOURCE}"]
  }
}
`;
}
