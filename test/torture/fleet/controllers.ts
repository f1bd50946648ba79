import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const COMMAND = fileURLToPath(new URL("../../../dist/bin/outreach.js", import.meta.url));
/** Runs a program, and prints its id. When this process ends, however it does, so does the program, even if it is stopped. */
const WATCHED = `exec 3<&0
"$@" 3<&- &
program=$!
echo "$program"
(cat <&3; kill -KILL "$program") > /dev/null 2>&1 &
wait "$program"`;
/** The end of what a controller has said. */
const KEPT_CHARACTERS = 20_000;

/** `outreach controller`, as a process of its own. */
export interface Controller {
  readonly pid: number;
  /** Where its page is. */
  readonly url: string;
  signal(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, as a shell has it. */
  readonly ended: Promise<number>;
  isEnded(): boolean;
  /** The end of its log. */
  said(): string;
}

export interface ControllerOptions {
  /** With the configuration, which all controllers share. */
  readonly folder: string;
  /** Its own: as on a machine of its own, it shares no file with the others. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string };
  /** Options of the command. */
  readonly words: readonly string[];
  /** Told of each line of its log. */
  readonly logged?: (line: LogLine) => void;
}

export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly team?: string;
  readonly outcome?: string;
  readonly message: string;
}

/** Starts the built command, and waits until its page is there. */
export async function startController({
  folder,
  home,
  environment,
  words,
  logged,
}: ControllerOptions): Promise<Controller> {
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...environment };
  const command = ["controller", "--listen", "127.0.0.1:0", "--log-format", "json", ...words];
  const child = spawn("/bin/sh", ["-c", WATCHED, "sh", process.execPath, COMMAND, ...command], {
    cwd: folder,
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [said, isEnded] = ["", false];
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  const over = ended.then(() => {
    isEnded = true;
    child.stdin.end();
  });
  const pid = firstLine(child);
  const url = new Promise<string>((resolve) => {
    linesOf(child, (text) => {
      said = `${said}${text}\n`.slice(-KEPT_CHARACTERS);
      const line = logLine(text);
      if (line) logged?.(line);
      if (line?.event === "listening") resolve(/http:\S+\d/.exec(line.message)?.[0] ?? "");
    });
  });
  const found = await Promise.race([Promise.all([pid, url]), over]);
  if (!found) throw new Error(`the controller has ended:\n${said}`);
  return {
    pid: Number(found[0]),
    url: found[1],
    signal: (signal) => {
      if (!isEnded) send(Number(found[0]), signal);
    },
    ended,
    isEnded: () => isEnded,
    said: () => said,
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just ended, and its shell is about to say so.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) =>
    stdout
      ?.setEncoding("utf8")
      .once("data", (text: string) => resolve(text.trim()))
      .on("data", () => undefined),
  );
}

function linesOf({ stderr }: ChildProcess, each: (line: string) => void): void {
  let rest = "";
  stderr?.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) each(line);
  });
}

function logLine(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
