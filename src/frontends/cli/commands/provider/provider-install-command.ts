import { posix } from "node:path";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import type { Ports } from "../../../../operations/context.ts";
import type { CommandContext } from "../../command-context.ts";
import { collect } from "../../program/command-options.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { scriptArchive, sha256 } from "./provider-archive.ts";
import {
  type MirroredPackage,
  PROVIDER_SOURCE,
  addToMirror,
  cliConfiguration,
  platformName,
  releaseName,
} from "./provider-mirror.ts";

const SCRIPT = "terraform-provider-outreach";
/** A folder in the home folder. Terraform and OpenTofu search it by default, unless their CLI configuration names another place. */
const IMPLIED_MIRROR = ".terraform.d/plugins";
/** The platforms that a release has packages for. */
const PLATFORMS: readonly string[] = ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64"];

interface InstallOptions {
  readonly platform: readonly string[];
  readonly archives?: string;
}

/**
 * Installs the provider into a mirror: the script that was published with this command, or the packages of a release. The CLI configuration
 * goes to stdout, so that it can be kept in a file; everything else is for people.
 */
export const definition: CommandDefinition<InstallOptions, readonly [folder: string | undefined]> = {
  description:
    "installs the provider where Terraform and OpenTofu find it without a network, and prints the CLI configuration for it",
  example: {
    lines: [
      "outreach provider install",
      "outreach provider install ./mirror --platform linux_amd64 --platform darwin_arm64 > cli.tfrc",
    ],
  },
  declare: (command) =>
    command
      .argument(
        "[dir]",
        "the folder of a provider mirror; without it, ~/.terraform.d/plugins, which both search by default",
      )
      .option("--platform <os_arch>", "install it for this platform instead of this machine's; repeatable", collect, [])
      .option("--archives <folder>", "install the packages of a release, which include Node, from this folder"),
  run: async (context, { operands: [dir], options }) => {
    const { version, machine } = context;
    if (dir === "") throw emptyFolder();
    const platforms = options.platform.length > 0 ? [...new Set(options.platform)] : [platformName(machine)];
    const unknown = options.platform.find((platform) => !PLATFORMS.includes(platform));
    if (unknown !== undefined) throw unknownPlatform(unknown);
    const mirror = dir === undefined ? impliedMirror(context) : posix.normalize(resolvePath(context.folder, dir));
    const packages =
      options.archives === undefined
        ? await scriptPackages(context, platforms)
        : await releasedPackages(context, options.archives, platforms);
    const changed = await addToMirror(context, mirror, { version, packages }).catch((error: unknown) => {
      throw refused(error, mirror);
    });
    context.err(
      `${PROVIDER_SOURCE} ${version} for ${platforms.join(", ")} ${changed ? "is installed" : "is already installed"} in ${mirror}.\n`,
    );
    context.err(`${options.archives === undefined ? SCRIPT_NOTE : RELEASED_NOTE}\n\n`);
    context.err(`${dir === undefined ? IMPLIED_NOTE : GIVEN_NOTE}\n\n`);
    context.out(cliConfiguration(mirror));
    return 0;
  },
};

/** The same script for each platform. */
async function scriptPackages(
  { files, providerFolder, version }: CommandContext,
  platforms: readonly string[],
): Promise<readonly MirroredPackage[]> {
  if (platforms.some((platform) => platform.startsWith("windows_"))) throw scriptOnWindows(version);
  const script = await files.read(`${providerFolder}/${SCRIPT}`, { followLinks: true });
  if (script === null) throw notThere(providerFolder);
  const archive = scriptArchive(script, version);
  return platforms.map((platform) => ({ platform, archive, sha256: sha256(archive) }));
}

/** The packages in a folder with the files of a release, compared with its checksums. */
async function releasedPackages(
  { files, folder, version }: CommandContext,
  archives: string,
  platforms: readonly string[],
): Promise<readonly MirroredPackage[]> {
  const read = async (name: string): Promise<Uint8Array> => {
    const bytes = await files.read(`${resolvePath(folder, archives)}/${name}`, { followLinks: true });
    if (bytes === null) throw archiveMissing(archives, name);
    return bytes;
  };
  const sums = `${releaseName(version)}_SHA256SUMS`;
  const lines = new TextDecoder().decode(await read(sums)).split("\n");
  return Promise.all(
    platforms.map(async (platform) => {
      const name = `${releaseName(version)}_${platform}.zip`;
      const archive = await read(name);
      const sum = sha256(archive);
      if (!lines.includes(`${sum}  ${name}`)) throw archiveDiffers(`${archives}/${name}`, sums);
      return { platform, archive, sha256: sum };
    }),
  );
}

const SCRIPT_NOTE = "Terraform starts it with the node on the PATH: Node 20.19 or later.";
const RELEASED_NOTE = "It includes Node.";
const IMPLIED_NOTE = `Terraform and OpenTofu search this folder by default: run terraform init, or tofu init. Only if your CLI configuration
(~/.terraformrc, ~/.tofurc, or the file in TF_CLI_CONFIG_FILE) has a provider_installation block, add this to it:`;
const GIVEN_NOTE = `Add this to ~/.terraformrc (Terraform), ~/.tofurc (OpenTofu), or the file in TF_CLI_CONFIG_FILE, then run init:`;

function impliedMirror({ environment }: Ports): string {
  const home = environment["HOME"];
  if (!home) {
    throw DiagnosticsError.of("provider_no_home", "No home folder", {
      detail: `The provider is installed in ${IMPLIED_MIRROR} of your home folder, but HOME is not set.`,
      hint: "Name a folder: outreach provider install DIR",
    });
  }
  return `${home.replace(/\/+$/, "")}/${IMPLIED_MIRROR}`;
}

/** Usually an unset variable: it does not mean the working folder. */
function emptyFolder(): DiagnosticsError {
  return DiagnosticsError.of("provider_no_folder", "Empty folder name", {
    detail: "The folder to install the provider in is an empty string.",
    hint: "Name a folder: outreach provider install DIR. Without a folder, the provider goes where Terraform and OpenTofu search by default.",
  });
}

function unknownPlatform(platform: string): DiagnosticsError {
  return DiagnosticsError.of("provider_platform", "Unknown platform", {
    detail: `No release has a package for ${platform}. The platforms are ${PLATFORMS.join(", ")}.`,
    hint: "Name one of these platforms with --platform.",
  });
}

function scriptOnWindows(version: string): DiagnosticsError {
  return DiagnosticsError.of("provider_windows", "The provider for Windows is in a release only", {
    detail: "The provider of this command is a Node script, and on Windows Terraform starts only .exe programs.",
    hint: `Download ${releaseName(version)}_windows_amd64.zip and ${releaseName(version)}_SHA256SUMS from the release into a folder, and pass --archives FOLDER. Without a mirror, put the unopened zip into registry.terraform.io\\outreach-as-code\\outreach of %APPDATA%\\terraform.d\\plugins. For OpenTofu, the first folder is registry.opentofu.org.`,
  });
}

function archiveMissing(folder: string, name: string): DiagnosticsError {
  return DiagnosticsError.of("provider_archive_missing", "A file of the release is missing", {
    detail: `${folder}/${name} does not exist. The release of this version has it.`,
    hint: `Download ${name} into ${folder}, and run the command again.`,
  });
}

function archiveDiffers(archive: string, sums: string): DiagnosticsError {
  return DiagnosticsError.of("provider_archive_differs", "A package differs from its checksum", {
    detail: `${archive} is not the file that ${sums} lists. The download may be incomplete, or somebody changed the file.`,
    hint: `Download ${archive} again.`,
  });
}

function notThere(folder: string): DiagnosticsError {
  return DiagnosticsError.of("provider_not_published", "The provider is missing from this installation", {
    detail: `${folder}/${SCRIPT}, a file of the package outreach-as-code, does not exist.`,
    hint: "Install the package again. In a checkout, run npm run build.",
  });
}

/** What stopped the system from writing there, where it can be said better than by the system. */
function refused(error: unknown, mirror: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOTDIR" || code === "EEXIST") {
    return DiagnosticsError.of("provider_not_a_folder", "Not a folder", {
      detail: `The provider cannot be installed in ${mirror}: that path, or a part of it, is a file. ${message}.`,
      hint: "Name a folder: outreach provider install DIR",
    });
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return DiagnosticsError.of("provider_not_writable", "The folder cannot be written", {
      detail: `The provider cannot be installed in ${mirror}: the system refuses it to this user. ${message}.`,
      hint: "Name a folder of your own: outreach provider install DIR",
    });
  }
  return error;
}
