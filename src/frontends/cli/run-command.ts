import type { Readable, Writable } from "node:stream";
import type { KeyedDigest } from "../../core/model/ports.ts";
import { personalMask } from "../../core/secrets/personal-mask.ts";
import { redactor } from "../../core/secrets/redactor.ts";
import { hidesEmails } from "../../output/formats.ts";
import { ansi, plain } from "../../output/text/paint.ts";
import type { CommandContext, Environment, Installation, Ports, Product, WorkingFolder } from "./command-context.ts";
import { givenOptions, longOption } from "./program/command-line.ts";
import { assertInputSetting, whyNotAsked } from "./program/input-setting.ts";
import { commandWords } from "./program/command-list.ts";
import { type Chosen, readCommandLine } from "./program/program.ts";
import { asCalled } from "./screen/as-called.ts";
import { learnWords } from "./screen/personal-data.ts";
import { printFailure } from "./screen/print-diagnostics.ts";
import { VERSION } from "./version.ts";

type Terminal = { readonly isTTY?: boolean };
type OutputStream = Writable & Terminal & { readonly columns?: number };

/** The surroundings of one run of the command. */
export interface CommandPorts extends Environment, Installation, Pick<Product, "catalog">, Ports, WorkingFolder {
  /** The command line behind the program's name. */
  readonly words: readonly string[];
  readonly stdin: Readable & Terminal;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly keyedDigest: KeyedDigest;
  /** Calls the listener at each Ctrl-C, and at each request to end. */
  onInterrupt(listener: () => void): void;
  /** Ends the process at once, with exit code 1. */
  quit(): void;
}

const SALT_BYTES = 16;

/** Runs one command line. Resolves to the exit code; a failure is printed, not thrown. */
export async function runCommand(ports: CommandPorts): Promise<number> {
  const { words, stdout, stderr } = ports;
  const called = asCalled(ports.environment, commandWords);
  const output = {
    writeOut: (text: string) => void stdout.write(text),
    writeErr: (text: string) => void stderr.write(text),
    getOutHelpWidth: () => stdout.columns as number,
    getErrHelpWidth: () => stderr.columns as number,
  };
  const chosen = await readCommandLine(words.map(longOption), output, called);
  if ("exitCode" in chosen) return chosen.exitCode;
  const closing: (() => Promise<void>)[] = [];
  const context = openContext(ports, chosen, { asCalled: called, atEnd: (close) => void closing.push(close) });
  try {
    assertInputSetting(ports);
    return await chosen.run(context);
  } catch (error) {
    return await fail(context, chosen, error);
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

/** Prints a failure as JSON where the results are JSON. */
async function fail(context: CommandContext, { format }: Chosen, error: unknown): Promise<number> {
  if (format !== "json") return printFailure(context, error);
  const { withView } = await import("./screen/view.ts");
  return withView(context, { json: true }, () => Promise.reject(error));
}

function openContext(
  ports: CommandPorts,
  { command, color, format, showEmails, input, named }: Chosen,
  given: Pick<CommandContext, "asCalled" | "atEnd">,
): CommandContext {
  const { words, stdin, stdout, stderr, random, environment } = ports;
  const clean = redactor();
  // Until a state is open, under a salt of this run.
  const personal = personalMask(() => Buffer.from(random.bytes(SALT_BYTES)).toString("hex"), ports.keyedDigest);
  learnWords(named, personal);
  const hidden = {
    out: hidesEmails({ isTerminal: stdout.isTTY === true, format, showEmails }),
    // Messages are text, whatever the format of the results.
    err: hidesEmails({ isTerminal: stderr.isTTY === true, format: "text", showEmails }),
  };
  const shown = (text: string, isHidden: boolean): string => (isHidden ? personal.mask(clean.redact(text)) : clean.redact(text));
  const isDumb = environment["TERM"] === "dumb";
  const colour = (stream: OutputStream) => (color && showsColour(stream, environment) ? ansi : plain);
  const stop = stopSignal(ports, command);
  const cannotAsk = whyNotAsked(ports, input);
  return {
    ...ports,
    ...given,
    version: VERSION,
    given: givenOptions(words),
    form: { isStack: false },
    redactor: clean,
    personal,
    hidesEmails: hidden,
    out: (text) => void stdout.write(shown(text, hidden.out)),
    err: (text) => void stderr.write(shown(text, hidden.err)),
    isLive: stdout.isTTY === true && !isDumb,
    paint: colour(stdout),
    paintErrors: colour(stderr),
    columns: (stderr.isTTY && stderr.columns) || null,
    input: async () => Buffer.concat((await stdin.toArray()) as Buffer[]),
    ask: cannotAsk === null ? ask(ports, stop) : null,
    cannotAsk: cannotAsk ?? "",
    stop,
  };
}

/** NO_COLOR wins over the variables that force colours, and these over the terminal. */
function showsColour({ isTTY }: Terminal, environment: CommandPorts["environment"]): boolean {
  const { NO_COLOR: off = "", FORCE_COLOR: force = "", CLICOLOR_FORCE: forced = "", CLICOLOR: allowed, TERM: terminal } = environment;
  if (off !== "") return false;
  if (force !== "") return force !== "0" && force !== "false";
  if (forced !== "" && forced !== "0") return true;
  return isTTY === true && terminal !== "dumb" && allowed !== "0";
}

/** The commands that send writes. */
const WRITING: ReadonlySet<string> = new Set(["apply", "destroy", "resolve"]);

/** Aborted by the first interrupt; the second one quits. */
function stopSignal({ stderr, onInterrupt, quit }: CommandPorts, command: string | undefined): AbortSignal {
  const stop = new AbortController();
  onInterrupt(() => {
    if (stop.signal.aborted) {
      if (command !== undefined && WRITING.has(command)) stderr.write("\nQuit. The next plan finds out what the requests in flight did.\n");
      quit();
    }
    stop.abort();
    if (command !== "sandbox") stderr.write("\nInterrupted: finishing requests in flight. Press Ctrl-C again to quit now.\n");
  });
  return stop.signal;
}

/** Ctrl-C and Ctrl-D at the question mean no. */
function ask({ stdin, stdout }: CommandPorts, signal: AbortSignal): (question: string) => Promise<string> {
  return async (question) => {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({ input: stdin, output: stdout });
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
