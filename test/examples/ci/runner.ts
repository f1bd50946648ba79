import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../../docs/pages.ts";
import { startAskingProgram } from "../../docs/answer-shell.ts";
import { bundledCommand } from "../../frontends/cli/bundled-command.ts";

export type Variables = { readonly [name: string]: string };

/** Files that outlive their job, by artifact and path. */
export type Artifacts = Map<string, ReadonlyMap<string, Buffer>>;

/** A machine that runs jobs: each gets a disk of its own, which is thrown away with the job. */
export interface Runner {
  newDisk(): string;
  /** Runs a script as the CI would. Resolves to its exit code and everything that it printed. */
  bash(
    script: string,
    options: { readonly folder: string; readonly variables: Variables; readonly flags: readonly string[] },
  ): Promise<ShellRan>;
  close(): void;
}

export interface ShellRan {
  readonly code: number | null;
  readonly log: string;
}

/**
 * The package is not in a registry here, so `npm ci` installs nothing. `npx outreach` and an installed `outreach` run the command in the
 * process of the test.
 */
export async function openRunner(): Promise<Runner> {
  const asking = await startAskingProgram({
    ...(await bundledCommand()),
    providerFolder: path.join(ROOT, "dist/provider"),
  });
  const home = mkdtempSync(path.join(tmpdir(), "outreach-runner-"));
  const bin = path.join(home, "bin");
  mkdirSync(bin);
  const program = (name: string, lines: readonly string[]): void => {
    writeFileSync(path.join(bin, name), ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(path.join(bin, name), 0o755);
  };
  const outreach = `exec '${asking.file}' "$@"`;
  program("outreach", [outreach]);
  program("npx", ['[ "$1" = outreach ] || exit 127', "shift", outreach]);
  program("npm", [
    'case "$*" in "ci --ignore-scripts" | "install --global --ignore-scripts outreach-as-code@"*) ;; *) exit 127 ;; esac',
  ]);
  program("node", [`exec '${process.execPath}' "$@"`]);
  let disks = 0;
  return {
    newDisk: () => {
      const disk = path.join(home, `disk-${String(++disks)}`);
      mkdirSync(disk);
      return disk;
    },
    bash: (script, { folder, variables, flags }) =>
      new Promise((resolve) => {
        const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: home, XDG_RUNTIME_DIR: home, ...variables };
        const child = spawn("bash", ["--noprofile", "--norc", ...flags, "-c", script], {
          cwd: folder,
          env,
          stdio: ["ignore", "pipe", "pipe"],
        });
        let log = "";
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (chunk: string) => (log += chunk));
        child.on("close", (code) => resolve({ code, log }));
      }),
    close: () => {
      asking.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
