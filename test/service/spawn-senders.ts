import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { SenderOptions } from "./paced-sender.ts";

/** A sending process. `report` resolves with its last output, or with null if it was killed. */
export interface Sender {
  readonly child: ChildProcess;
  /** Starts the sending. */
  start(): void;
  readonly report: Promise<{ readonly tookMs: number; readonly cpuMs: number } | null>;
}

/** Bundles the sender into one plain file: compiling it in every process would take time. */
export async function buildSender(file: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("./paced-sender.ts", import.meta.url))],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    // pg requires Node's modules.
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
    logLevel: "warning",
  });
}

/** Starts a sender and waits until it is ready. Kill its `child` if you do not await its report. */
export async function spawnSender(file: string, options: SenderOptions): Promise<Sender> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const report = once(child, "close").then(() => {
    const last = said.trim().split("\n").at(-1) ?? "";
    return last.startsWith("{") ? (JSON.parse(last) as { readonly tookMs: number; readonly cpuMs: number }) : null;
  });
  await Promise.race([once(child.stdout, "data"), report]);
  return { child, report, start: () => void child.stdin.write("go\n") };
}
