import { tmpdir } from "node:os";
import { fingerprinter } from "../../core/secrets/fingerprint.ts";
import { nodeClock } from "../../platform/node-clock.ts";
import { nodeFiles } from "../../platform/node-files.ts";
import { nodeProcess, argumentsOf, commandLineOf } from "../../platform/node-process.ts";
import { nodeRandom } from "../../platform/node-random.ts";
import { runProvider } from "./run-provider.ts";

const PARENT_POLL_MS = 1000;

/** Taken at the very start: when Terraform dies, this process gets another parent. */
const parent = process.ppid;

// They reach the whole process group. Terraform calls StopProvider when it wants this process to stop, and this process ends with Terraform.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

void runProvider({
  environment: process.env,
  platform: process.platform,
  temporaryFolders: [tmpdir(), "/tmp"],
  files: nodeFiles(),
  random: nodeRandom,
  process: nodeProcess,
  clock: nodeClock,
  fingerprinter,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  startedWith: () => argumentsOf(parent),
  commandLine: () => commandLineOf(parent),
  orphaned: orphaned(),
  atExit: (listener) => void process.on("exit", listener),
}).then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);

/** Resolves when the process that started this one is gone. */
function orphaned(): Promise<"gone"> {
  return new Promise((resolve) => {
    const poll = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(poll);
      resolve("gone");
    }, PARENT_POLL_MS);
  });
}
