import { posix } from "node:path";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { Environment } from "../../../../operations/context.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { PROVIDER_SOURCE, cliConfiguration, executableName, layOutMirror, platformName, scriptPackage } from "../../provider-mirror.ts";

const SCRIPT = "terraform-provider-outreach";
/** A folder in the home folder. Terraform and OpenTofu search it by default, unless their CLI configuration names another place. */
const IMPLIED_MIRROR = ".terraform.d/plugins";

/**
 * Installs the provider that was published with this command into a filesystem mirror. The CLI configuration goes to
 * stdout, so that it can be kept in a file; everything else is for people.
 */
export const providerInstallCommand: CommandDefinition<unknown, readonly [folder: string | undefined]> = {
  name: "install",
  description: "installs the provider where Terraform and OpenTofu find it without a network, and prints the CLI configuration for it",
  example: { lines: ["outreach provider install", "outreach provider install ./mirror > cli.tfrc"] },
  declare: (command) => command.argument("[dir]", "the folder of a provider mirror; without it, ~/.terraform.d/plugins, which both search by default"),
  run: async (context, { operands: [dir] }) => {
    const { version, machine, files, placeFiles, providerFolder } = context;
    if (machine.platform === "win32")
      throw DiagnosticsError.of("provider_windows", "This command cannot install the provider on Windows", {
        detail: "The provider of this command is a Node script, and on Windows Terraform starts only .exe programs.",
        hint: `Download terraform-provider-outreach_${version}_windows_amd64.zip from the release, and put the unopened file into registry.terraform.io\\outreach-as-code\\outreach of %APPDATA%\\terraform.d\\plugins. For OpenTofu the first folder is registry.opentofu.org.`,
      });
    if (dir === "") throw emptyFolder();
    const script = await files.read(`${providerFolder}/${SCRIPT}`, { followLinks: true });
    if (script === null) throw notThere(providerFolder);
    const mirror = dir === undefined ? impliedMirror(context) : posix.normalize(resolvePath(context.folder, dir));
    const platform = platformName(machine);
    const changed = await layOutMirror(placeFiles, mirror, { version, platform, files: scriptPackage(script, executableName(version)) }).catch(
      (error: unknown) => {
        throw refused(error, mirror);
      },
    );
    context.err(`${PROVIDER_SOURCE} ${version} for ${platform} ${changed ? "is installed" : "is already installed"} in ${mirror}.\n`);
    context.err(`Terraform starts it with the node on the PATH: Node 20.19 or later.\n\n`);
    context.err(`${dir === undefined ? IMPLIED_NOTE : GIVEN_NOTE}\n\n`);
    context.out(cliConfiguration(mirror));
    return 0;
  },
};

const IMPLIED_NOTE = `Terraform and OpenTofu search this folder by default: run terraform init, or tofu init. Only if your CLI configuration
(~/.terraformrc, ~/.tofurc, or the file in TF_CLI_CONFIG_FILE) has a provider_installation block, add this to it:`;
const GIVEN_NOTE = `Add this to ~/.terraformrc (Terraform), ~/.tofurc (OpenTofu), or the file in TF_CLI_CONFIG_FILE, then run init:`;

function impliedMirror({ environment }: Environment): string {
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
