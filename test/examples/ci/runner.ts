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
  /** The installed command. */
  readonly command: string;
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
 * The package is not in a registry here, so `npm ci` installs nothing. The command that it puts into `node_modules/.bin` runs in
 * the process of the test. Nothing else is called outreach: no job may find it on the PATH, or have npx find it.
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
  program("npx", ["exit 127"]);
  program("npm", [
    'case "$*" in',
    '  "ci --include=dev --ignore-scripts") to=. ;;',
    '  "install --prefix $3 --ignore-scripts outreach-as-code@"*) to=$3 ;;',
    "  *) exit 127 ;;",
    "esac",
    'mkdir -p "$to/node_modules/.bin"',
    `ln -sf '${asking.file}' "$to/node_modules/.bin/outreach"`,
  ]);
  program("node", [`exec '${process.execPath}' "$@"`]);
  let disks = 0;
  return {
    command: asking.file,
    newDisk: () => {
      const disk = path.join(home, `disk-${String(++disks)}`);
      mkdirSync(disk);
      return disk;
    },
    bash: (script, { folder, variables, flags }) =>
      new Promise((resolve) => {
        const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: home, ...variables };
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
