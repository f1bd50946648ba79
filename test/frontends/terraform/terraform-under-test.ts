import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe } from "vitest";
import { ENGINE } from "./engine.ts";
import { installedProvider } from "./installed-provider.ts";
import { ServedProvider } from "./served-provider.ts";
import { TERRAFORM_SETTINGS } from "./terraform-settings.ts";

/** Whether there is a terraform on the PATH. */
export const hasTerraform = ENGINE !== null;

/** A group of tests that run it. */
export function describeWithTerraform(name: string, tests: () => void): void {
  describe.skipIf(!hasTerraform)(`${name}${hasTerraform ? "" : " (skipped: no terraform on the PATH)"}`, () => {
    tests();
  });
}

export interface TerraformResult {
  readonly status: number | null;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
  /** The output without the frames of its messages and in one line, so that a sentence can be looked for in it. */
  readonly words: string;
}

/**
 * The real terraform in a folder of its own, with the provider of this repository from a mirror in the file system. The provider runs in the test's
 * process, except where the command is begun.
 */
export class TerraformUnderTest {
  readonly folder: string;
  /** All that terraform gets in addition to its own settings. */
  environment: { readonly [name: string]: string };
  /** Whether the provider is a process of its own for every command. */
  hasProcesses = false;
  readonly #own: { readonly [name: string]: string };
  readonly #served: ServedProvider;
  readonly #running = new Set<ChildProcess>();

  private constructor(
    folder: string,
    settings: {
      readonly own: { readonly [name: string]: string };
      readonly environment: { readonly [name: string]: string };
      readonly served: ServedProvider;
    },
  ) {
    this.folder = folder;
    this.environment = settings.environment;
    this.#own = settings.own;
    this.#served = settings.served;
  }

  /** An initialised folder without a configuration. */
  static async start(
    environment: { readonly [name: string]: string },
    installing = installedProvider(),
  ): Promise<TerraformUnderTest> {
    const { cliConfiguration, initialised } = await installing;
    const folder = mkdtempSync(path.join(tmpdir(), "terraform-"));
    mkdirSync(path.join(folder, ".terraform"));
    symlinkSync(path.join(initialised, PROVIDERS), path.join(folder, PROVIDERS));
    cpSync(path.join(initialised, ".terraform.lock.hcl"), path.join(folder, ".terraform.lock.hcl"));
    const own = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      TF_CLI_CONFIG_FILE: cliConfiguration,
      TF_IN_AUTOMATION: "1",
      ...TERRAFORM_SETTINGS,
    };
    return new TerraformUnderTest(folder, { own, environment, served: await ServedProvider.open() });
  }

  write(name: string, text: string): void {
    mkdirSync(path.join(this.folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(this.folder, name), text);
  }

  run(...args: readonly string[]): Promise<TerraformResult> {
    return this.#start(args, this.hasProcesses ? {} : this.#served.environment).ended;
  }

  /** `terraform apply` without questions. */
  apply(...args: readonly string[]): Promise<TerraformResult> {
    return this.run("apply", ...BATCH, "-auto-approve", ...args);
  }

  beginApply(...args: readonly string[]): RunningTerraform {
    return this.begin("apply", ...BATCH, "-auto-approve", ...args);
  }

  /** `terraform plan`: status 0 for no changes, 2 for changes. */
  plan(...args: readonly string[]): Promise<TerraformResult> {
    return this.run("plan", ...BATCH, "-detailed-exitcode", ...args);
  }

  destroy(...args: readonly string[]): Promise<TerraformResult> {
    return this.run("destroy", ...BATCH, "-auto-approve", ...args);
  }

  /** The addresses in the state; none where there is no state yet. */
  async addresses(): Promise<readonly string[]> {
    const { status, output } = await this.run("state", "list");
    return status === 0 ? output.split("\n").filter((line) => line !== "") : [];
  }

  /** What `terraform show -json` tells of one object in the state. */
  async attributes(address: string): Promise<{ readonly [name: string]: unknown }> {
    const { output } = await this.run("show", "-json");
    const { values } = JSON.parse(output) as {
      readonly values?: {
        readonly root_module: {
          readonly resources: readonly {
            readonly address: string;
            readonly values: { readonly [name: string]: unknown };
          }[];
        };
      };
    };
    const found = values?.root_module.resources.find((resource) => resource.address === address);
    if (!found) throw new Error(`${address} is not in the state`);
    return found.values;
  }

  /** Starts a command whose processes the test stops: the provider is one of them. */
  begin(...args: readonly string[]): RunningTerraform {
    return this.#start(args, {});
  }

  /** In a process group of its own, as a shell at a terminal does. */
  #start(args: readonly string[], more: { readonly [name: string]: string }): RunningTerraform {
    const child = spawn("terraform", args, {
      cwd: this.folder,
      env: { ...this.#own, ...more, ...this.environment },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#running.add(child);
    const running = new RunningTerraform(child);
    void running.ended.finally(() => this.#running.delete(child)).catch(() => undefined);
    return running;
  }

  /** All files of the working folder, by their path in it. The installed provider, which all of them share, is not among them. */
  files(): readonly string[] {
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.startsWith(PROVIDERS) && statSync(path.join(this.folder, name)).isFile())
      .toSorted();
  }

  read(name: string): Buffer {
    return readFileSync(path.join(this.folder, name));
  }

  filesContaining(text: string): readonly string[] {
    return this.files().filter((name) => this.read(name).includes(text));
  }

  /** Kills what still runs, and removes the folder. */
  async remove(): Promise<void> {
    for (const child of this.#running) {
      if (child.pid === undefined) continue;
      process.kill(-child.pid, "SIGKILL");
      await new Promise((resolve) => child.once("close", resolve));
    }
    await this.#served.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const BATCH = ["-no-color", "-input=false"];
/** All working folders share them. */
const PROVIDERS = path.join(".terraform", "providers");

/** A command that is under way. */
export class RunningTerraform {
  readonly ended: Promise<TerraformResult>;
  readonly #child: ChildProcess;
  #output = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) =>
        resolve({ status, output: this.#output, words: this.#output.replace(/[│╷╵\s]+/g, " ").trim() }),
      );
    });
  }

  get output(): string {
    return this.#output;
  }

  /** What Ctrl-C at a terminal, a closed terminal and `timeout` do: the signal goes to terraform and to its providers. */
  interrupt(signal: "SIGINT" | "SIGTERM" | "SIGHUP" = "SIGINT"): void {
    process.kill(-this.#pid(), signal);
  }

  /** `kill -9` of terraform alone. */
  kill(): void {
    process.kill(this.#pid(), "SIGKILL");
  }

  /** The processes of the provider that this command has started and that still run. */
  providers(): readonly number[] {
    return processes().flatMap(({ pid, parent }) => (parent === this.#child.pid ? [pid] : []));
  }

  #pid(): number {
    if (this.#child.pid === undefined) throw new Error("terraform was not started");
    return this.#child.pid;
  }
}

/** Whether a process with this id runs. One that has ended and that nobody has asked for does not. */
export function isRunning(pid: number): boolean {
  return processes().some((one) => one.pid === pid);
}

function processes(): readonly { readonly pid: number; readonly parent: number }[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" }).trim().split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, status = ""] = line.trim().split(/\s+/);
    return status.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}
