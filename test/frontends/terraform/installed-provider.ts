import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  executableName,
  mirrorFolders,
  platformName,
} from "../../../src/frontends/cli/commands/provider/provider-mirror.ts";
import { VERSION } from "../../../src/operations/version.ts";
import { buildProvider } from "../../../src/release/bundle-provider.ts";
import { sharedFolder } from "../../shared-folder.ts";
import { ENGINE } from "./engine.ts";
import { TERRAFORM_SETTINGS } from "./terraform-settings.ts";

export const REQUIRED_PROVIDERS = `
terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
`;

/**
 * What Terraform starts. With a port to ask, it is a line to the test's process, see `served-provider.ts`: it sends what a provider's process finds,
 * and prints the handshake that comes back. Without one it becomes the provider.
 */
const LAUNCHER = `#!/usr/bin/env bash
if [ -z "$PROVIDER_SERVED_AT" ]; then exec "\${0%/*}/provider"; fi
exec 3<>"/dev/tcp/127.0.0.1/$PROVIDER_SERVED_AT"
{ printf '%s\\0' "$PPID" "$PWD"; env -0; printf '\\0'; } >&3
exec cat <&3
`;

export interface Installed {
  /** The file that `TF_CLI_CONFIG_FILE` names. */
  readonly cliConfiguration: string;
  /** A working folder in which `terraform init` has run. */
  readonly initialised: string;
}

/** The provider in a mirror, and an initialised working folder, made once for all test files of an engine. */
export async function installedProvider(): Promise<Installed> {
  return installedIn(
    await sharedFolder(`installed-provider-${ENGINE?.name ?? ""}-${ENGINE?.version ?? ""}`, installProvider),
  );
}

/** Builds the provider into a mirror in this folder, and initialises a working folder. */
export async function installProvider(folder: string): Promise<Installed> {
  const [mirror, installed] = [path.join(folder, "mirror"), installedIn(folder)];
  const platform = platformName({ platform: process.platform, architecture: process.arch });
  const [ofTerraform = "", ofOpenTofu = ""] = mirrorFolders(mirror);
  const unpacked = path.join(ofTerraform, VERSION, platform);
  await buildProvider(path.join(unpacked, "provider"));
  writeFileSync(path.join(unpacked, executableName(VERSION)), LAUNCHER, { mode: 0o755 });
  mkdirSync(path.join(ofOpenTofu, VERSION), { recursive: true });
  symlinkSync(unpacked, path.join(ofOpenTofu, VERSION, platform));
  writeFileSync(
    installed.cliConfiguration,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  mkdirSync(installed.initialised);
  writeFileSync(path.join(installed.initialised, "main.tf"), REQUIRED_PROVIDERS);
  await init(installed);
  return installed;
}

function installedIn(folder: string): Installed {
  return { cliConfiguration: path.join(folder, "cli.tfrc"), initialised: path.join(folder, "work") };
}

function init({ cliConfiguration, initialised }: Pick<Installed, "cliConfiguration" | "initialised">): Promise<void> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: initialised,
    TF_CLI_CONFIG_FILE: cliConfiguration,
    ...TERRAFORM_SETTINGS,
  };
  const child = spawn("terraform", ["init", "-no-color", "-input=false"], {
    cwd: initialised,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => (status === 0 ? resolve() : reject(new Error("terraform init failed"))));
  });
}
