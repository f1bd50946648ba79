import path from "node:path";
import { fingerprinter } from "../../core/secrets/fingerprint.ts";
import { growHeapSlowly, liftListenerLimit, nodeProcess } from "../../platform/node-process.ts";
import { nodeClock } from "../../platform/node-clock.ts";
import { nodeKeyedDigest } from "../../platform/node-digest.ts";
import { nodeFiles } from "../../platform/node-files.ts";
import { nodePlaceFiles } from "../../platform/node-place-files.ts";
import { nodeRandom } from "../../platform/node-random.ts";
import { catalog } from "../../service/resources/catalog.ts";
import { runCommand } from "./run-command.ts";

/** Next to the folder of the built command. */
const PROVIDER_FOLDER = path.join(import.meta.dirname, "../provider");

let isOutputLost = false;

/** The reader of the output may stop reading, or its disk may be full: work in progress still finishes. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE" || isOutputLost) return;
  isOutputLost = true;
  process.exitCode ||= 1;
  process.stderr.write(
    `Error: Cannot write the output\n\n${message}. The run finishes without it.\nMake room, or send the output elsewhere, and run the command again.\n`,
  );
}

liftListenerLimit();
process.stdout.on("error", reportLostOutput);
// There is no other place to report it.
process.stderr.on("error", () => undefined);
// Until the command sets its own.
process.exitCode = 1;
void runCommand({
  words: process.argv.slice(2),
  environment: process.env,
  folder: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  catalog,
  files: nodeFiles(),
  placeFiles: nodePlaceFiles,
  clock: nodeClock,
  random: nodeRandom,
  keyedDigest: nodeKeyedDigest,
  saveMemory: growHeapSlowly,
  fingerprinter,
  process: nodeProcess,
  machine: { platform: process.platform, architecture: process.arch },
  providerFolder: PROVIDER_FOLDER,
  onInterrupt: (listener) => {
    process.on("SIGINT", listener);
    process.on("SIGTERM", listener);
    // The terminal was closed. The system and the shell both say so: twice is not the second interrupt, which quits.
    let isClosed = false;
    process.on("SIGHUP", () => {
      if (!isClosed) listener();
      isClosed = true;
    });
  },
  quit: () => process.exit(1),
}).then((exitCode) => {
  process.exitCode = exitCode === 0 && isOutputLost ? 1 : exitCode;
});
