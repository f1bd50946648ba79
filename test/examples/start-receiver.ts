import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { onTestFinished, vi } from "vitest";

export interface Receiver {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly url: string;
  /** Everything that it printed. */
  readonly printed: () => string;
}

/** Starts a receiver of an example on any free port, until the test ends. */
export async function startReceiver(
  folder: string,
  file: string,
  environment: { readonly [name: string]: string },
): Promise<Receiver> {
  const words = file.endsWith(".ts") ? ["--import", "tsx", file] : [file];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { PATH: process.env["PATH"], PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const found = await until(() => {
    if (child.exitCode !== null) throw new Error(`the receiver ended: ${printed}`);
    return /Listening on port (\d+)/.exec(printed)?.[1];
  });
  return { child, url: `http://127.0.0.1:${found}/hooks/outreach`, printed: () => printed };
}

export function until<Found>(find: () => Found | undefined): Promise<Found> {
  return vi.waitUntil(() => find() ?? false, { timeout: 20_000, interval: 20 });
}
