import type { PlaceFiles, PlacedFile } from "../../core/model/ports.ts";

/** The provider's name in configurations. Without a host, Terraform and OpenTofu each add their own registry. */
export const PROVIDER_SOURCE = "outreach-as-code/outreach";
/** Terraform's registry and OpenTofu's. */
const HOSTS = ["registry.terraform.io", "registry.opentofu.org"] as const;
/** The nearest package.json decides the module type of a script without an extension. */
const BESIDE_SCRIPT = { name: "package.json", bytes: new TextEncoder().encode('{"type":"commonjs"}\n'), executable: false } as const;

const SYSTEMS: { readonly [name: string]: string } = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: { readonly [name: string]: string } = { x64: "amd64", ia32: "386" };

/** `linux_amd64`: a machine in Terraform's words, from Node's. */
export function platformName({ platform, architecture }: { readonly platform: string; readonly architecture: string }): string {
  return `${SYSTEMS[platform] ?? platform}_${ARCHITECTURES[architecture] ?? architecture}`;
}

/** `terraform-provider-outreach_v1.2.3` */
export function executableName(version: string): string {
  return `terraform-provider-outreach_v${version}`;
}

/** The files of a package whose executable is a script. The script comes last: if it exists, the package is complete. */
export function scriptPackage(script: Uint8Array, name: string): readonly PlacedFile[] {
  return [BESIDE_SCRIPT, { name, bytes: script, executable: true }];
}

export interface MirroredPackage {
  readonly version: string;
  /** The platform, as `platformName` has it. */
  readonly platform: string;
  readonly files: readonly PlacedFile[];
}

/** The folders of a mirror that hold the package for a platform: one a registry, Terraform's first. */
export function packageFolders(mirror: string, { version, platform }: Pick<MirroredPackage, "version" | "platform">): readonly string[] {
  return HOSTS.map((host) => [mirror.replace(/(?<=.)\/+$/, ""), host, PROVIDER_SOURCE, version, platform].join("/"));
}

/** Writes a package for both registries. False if all files existed. */
export async function layOutMirror(placeFiles: PlaceFiles, mirror: string, mirrored: MirroredPackage): Promise<boolean> {
  let changed = false;
  for (const folder of packageFolders(mirror, mirrored)) changed = (await placeFiles(folder, mirrored.files)) || changed;
  return changed;
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
