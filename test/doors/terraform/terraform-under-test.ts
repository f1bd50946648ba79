import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildProviderMirror } from "../../../src/generate/provider-mirror.ts";

/** Whether there is a terraform on the PATH. */
export const hasTerraform = spawnSync("terraform", ["version"], { env: { PATH: process.env["PATH"] } }).status === 0;

export interface TerraformResult {
  readonly status: number | null;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
}

/** The real terraform in a folder of its own, with the provider of this repository from a mirror in the file system. */
export class TerraformUnderTest {
  readonly folder: string;
  readonly #environment: { readonly [name: string]: string };

  private constructor(folder: string, environment: { readonly [name: string]: string }) {
    this.folder = folder;
    this.#environment = environment;
  }

  /** Builds the mirror and initialises. `environment` is all that terraform gets beside its own settings. */
  static async start(configuration: string, environment: { readonly [name: string]: string }): Promise<TerraformUnderTest> {
    const folder = mkdtempSync(path.join(tmpdir(), "terraform-"));
    const mirror = path.join(folder, "mirror");
    await buildProviderMirror(mirror);
    const cliConfiguration = path.join(folder, "cli.tfrc");
    writeFileSync(cliConfiguration, `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`);
    const terraform = new TerraformUnderTest(folder, {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      TF_CLI_CONFIG_FILE: cliConfiguration,
      TF_IN_AUTOMATION: "1",
      CHECKPOINT_DISABLE: "1",
      ...environment,
    });
    terraform.write("main.tf", configuration);
    const { status, output } = await terraform.run("init", "-no-color", "-input=false");
    if (status !== 0) throw new Error(`terraform init failed:\n${output}`);
    return terraform;
  }

  write(name: string, text: string): void {
    writeFileSync(path.join(this.folder, name), text);
  }

  run(...args: readonly string[]): Promise<TerraformResult> {
    const child = spawn("terraform", args, { cwd: this.folder, env: this.#environment, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, output }));
    });
  }

  /** `terraform apply` without questions. */
  apply(...args: readonly string[]): Promise<TerraformResult> {
    return this.run("apply", "-no-color", "-input=false", "-auto-approve", ...args);
  }

  /** `terraform plan`: status 0 for no changes, 2 for changes. */
  plan(...args: readonly string[]): Promise<TerraformResult> {
    return this.run("plan", "-no-color", "-input=false", "-detailed-exitcode", ...args);
  }

  /** The files, the mirror's apart, that hold this text. */
  filesContaining(text: string): readonly string[] {
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => !name.startsWith("mirror") && !name.includes("terraform-provider-"),
    );
    return names.filter((name) => statSync(path.join(this.folder, name)).isFile() && readFileSync(path.join(this.folder, name)).includes(text)).toSorted();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
