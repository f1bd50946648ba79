import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildProviderMirror } from "../../src/generate/provider-mirror.ts";

export interface TerraformEnvironment {
  /** What terraform must be told, beside a PATH and a HOME, to install the provider of this repository without a network. */
  readonly variables: { readonly [name: string]: string };
  close(): void;
}

/** A mirror with the provider, which any number of folders can share. */
export async function openTerraformEnvironment(): Promise<TerraformEnvironment> {
  const folder = mkdtempSync(path.join(tmpdir(), "terraform-docs-"));
  await buildProviderMirror(folder);
  const cliConfiguration = path.join(folder, "cli.tfrc");
  writeFileSync(cliConfiguration, `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(folder)}\n  }\n}\n`);
  return {
    variables: { TF_CLI_CONFIG_FILE: cliConfiguration, CHECKPOINT_DISABLE: "1" },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
