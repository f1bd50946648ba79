import path from "node:path";
import { nodeClock } from "../../platform/node-clock.ts";
import { nodeKeyedDigest } from "../../platform/node-digest.ts";
import { nodeFiles } from "../../platform/node-files.ts";
import { nodePlaceFiles } from "../../platform/node-place-files.ts";
import { nodeProcess } from "../../platform/node-process.ts";
import { nodeRandom } from "../../platform/node-random.ts";
import { nodeUserFolder } from "../../platform/node-user-folder.ts";
import { catalog } from "../../service/resources/catalog.ts";
import { runCommand } from "./run-command.ts";

/** Next to the folder of the built command. */
const PROVIDER_FOLDER = path.join(import.meta.dirname, "../provider");

/** The reader of the output may stop reading: work in progress still finishes. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);
process.exitCode = await runCommand({
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
  process: nodeProcess,
  machine: { platform: process.platform, architecture: process.arch },
  providerFolder: PROVIDER_FOLDER,
  userFolder: nodeUserFolder(process.env),
  onInterrupt: (listener) => {
    process.on("SIGINT", listener);
    process.on("SIGTERM", listener);
  },
  quit: () => process.exit(1),
});
