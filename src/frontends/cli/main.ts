import path from "node:path";
import { personalMask } from "../../core/secrets/personal.ts";
import { redactor } from "../../core/secrets/redactor.ts";
import { ansi, plain } from "../../output/paint.ts";
import { nodeClock } from "../../platform/node-clock.ts";
import { nodeKeyedDigest } from "../../platform/node-digest.ts";
import { nodeFiles } from "../../platform/node-files.ts";
import { nodePlaceFiles } from "../../platform/node-place-files.ts";
import { nodeProcess } from "../../platform/node-process.ts";
import { nodeRandom } from "../../platform/node-random.ts";
import { nodeUserFolder } from "../../platform/node-user-folder.ts";
import { catalog } from "../../service/resources/catalog.ts";
import { givenOptions, longOption } from "./program/command-line.ts";
import { learnWords } from "./screen/personal-data.ts";
import { printFailure } from "./screen/print-diagnostics.ts";
import { type Chosen, readCommandLine } from "./program/program.ts";
import type { CommandContext } from "./command-context.ts";
import { VERSION } from "./version.ts";

const SALT_BYTES = 16;
/** Beside the folder of the built command. */
const PROVIDER_FOLDER = path.join(import.meta.dirname, "../provider");

async function main(words: readonly string[]): Promise<number> {
  const chosen = await readCommandLine(words.map(longOption));
  if ("exitCode" in chosen) return chosen.exitCode;
  const context = openTerminal(chosen);
  try {
    return await chosen.run(context);
  } catch (error) {
    return printFailure(context, error);
  }
}

function openTerminal({ command, color, json, showEmails, named }: Chosen): CommandContext {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
    if (command !== "sandbox") process.stderr.write("\nInterrupted: what is in flight is finished. Once more to exit at once.\n");
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  const clean = redactor();
  // Until a state is open, under a salt of this run.
  const personal = personalMask(() => Buffer.from(nodeRandom.bytes(SALT_BYTES)).toString("hex"), nodeKeyedDigest);
  learnWords(named, personal);
  const hides = ({ isTTY }: NodeJS.WriteStream): boolean => !isTTY && !showEmails;
  const hidesEmails = { out: hides(process.stdout) || (json && !showEmails), err: hides(process.stderr) };
  const shown = (text: string, hidden: boolean): string => (hidden ? personal.mask(clean.redact(text)) : clean.redact(text));
  const isDumb = process.env["TERM"] === "dumb";
  const colour = (stream: NodeJS.WriteStream) => (stream.isTTY && !isDumb && !process.env["NO_COLOR"] && color ? ansi : plain);
  return {
    version: VERSION,
    catalog,
    environment: process.env,
    folder: process.cwd(),
    given: givenOptions(process.argv.slice(2)),
    files: nodeFiles(),
    clock: nodeClock,
    random: nodeRandom,
    process: nodeProcess,
    machine: { platform: process.platform, architecture: process.arch },
    placeFiles: nodePlaceFiles,
    providerFolder: PROVIDER_FOLDER,
    userFolder: nodeUserFolder(process.env),
    redactor: clean,
    personal,
    hidesEmails,
    out: (text) => void process.stdout.write(shown(text, hidesEmails.out)),
    err: (text) => void process.stderr.write(shown(text, hidesEmails.err)),
    isLive: process.stdout.isTTY && !isDumb,
    paint: colour(process.stdout),
    paintErrors: colour(process.stderr),
    input: async () => Buffer.concat((await process.stdin.toArray()) as Buffer[]),
    ask: process.stdin.isTTY ? ask(stop.signal) : null,
    stop: stop.signal,
  };
}

/** Ctrl-C and Ctrl-D at the question are an answer too: not yes. */
function ask(signal: AbortSignal): (question: string) => Promise<string> {
  return async (question) => {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    try {
      return (await Promise.race([lines.question(question, { signal }), closed])).trim();
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return "";
      throw error;
    } finally {
      lines.close();
    }
  };
}

/** Whoever reads the output may stop reading; what is under way is finished all the same. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);
process.exitCode = await main(process.argv.slice(2));
