import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, onTestFinished } from "vitest";

/** A file system in memory. Only the processes within its namespace find it under its name; this one looks in through /proc. */
export interface SmallDisk {
  /** An empty folder on it. */
  readonly folder: string;
  /** The words before a command that runs in a folder on it. */
  within(folder: string): readonly string[];
  /** Leaves room for so many pages, or so many files. */
  leave(left: { readonly pages: number } | { readonly files: number }): void;
  clear(): void;
  /** Makes it read-only, or writable again. */
  remount(option: "ro" | "rw"): Promise<void>;
}

/** Mounts in a namespace of its own, and waits until its standard input ends: with the test's process, at the latest. */
const HOLD = 'mount -t tmpfs -o "$1" small-disk "$0" && mkdir "$0/folder" && echo mounted && exec cat';
const RUN = 'cd "$0" && exec "$@"';

/** Skips the test, and says why, where a user may not mount. */
export async function openSmallDisk(context: TestContext, options: string): Promise<SmallDisk> {
  const place = mkdtempSync(path.join(tmpdir(), "outreach-disk-"));
  const holder = spawn("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", HOLD, place, options]);
  onTestFinished(async () => {
    await end(holder);
    rmdirSync(place);
  });
  const problem = await mounting(holder);
  if (problem !== null) return context.skip(`no file system can be mounted here: ${problem}`);
  const root = path.join(`/proc/${String(holder.pid)}/root`, place);
  const [filler, files] = ["filler", "files"].map((name) => path.join(root, name)) as [string, string];
  const entered = ["--target", String(holder.pid), "--user", "--mount", "--preserve-credentials"];
  return {
    folder: path.join(root, "folder"),
    within: (folder) => ["nsenter", ...entered, "sh", "-c", RUN, folder],
    leave: (left) => {
      const { bsize, bavail, ffree } = statfsSync(root);
      if ("pages" in left) return writeFileSync(filler, Buffer.alloc((bavail - left.pages) * bsize));
      mkdirSync(files);
      for (let count = ffree - 1; count > left.files; count--) writeFileSync(path.join(files, String(count)), "");
    },
    clear: () => [filler, files].forEach((one) => rmSync(one, { recursive: true, force: true })),
    remount: async (option) => {
      const [code] = (await once(
        spawn("nsenter", [...entered, "mount", "-o", `remount,${option}`, place]),
        "close",
      )) as [number];
      if (code !== 0) throw new Error(`the disk could not be mounted again: ${String(code)}`);
    },
  };
}

/** Null, or why it could not be mounted. */
async function mounting(holder: ChildProcess): Promise<string | null> {
  let said = "";
  holder.stderr?.on("data", (text: Buffer) => (said += text.toString()));
  return new Promise((resolve) => {
    holder.stdout?.once("data", () => resolve(null));
    holder.once("error", ({ message }) => resolve(message));
    holder.once("close", () => resolve(said.trim()));
  });
}

async function end(holder: ChildProcess): Promise<void> {
  if (holder.pid === undefined || holder.exitCode !== null) return;
  const ended = once(holder, "close");
  holder.stdin?.end();
  await ended;
}
