import { spawn } from "node:child_process";
import { capitalised } from "../model/words.ts";

export interface CommandPorts {
  readonly environment: { readonly [name: string]: string | undefined };
  /** The working folder of the command. */
  readonly folder: string;
  /** Variables that commands must not see: the API key's, every variable of an `env` reference, and those that set sensitive variables. */
  readonly hiddenFromCommands: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** What it reads from its standard input. Absent: nothing. */
  readonly input?: Uint8Array;
}

/** What a command may write, in bytes and in words, what to do about more, and how long it may take: a minute by default. */
export interface CommandLimit {
  readonly bytes: number;
  readonly words: string;
  readonly hint: string;
  readonly timeoutMs?: number;
}

/** What the command wrote, or the problem: cause in `detail`, way out in `hint`. */
export type CommandOutput = { readonly bytes: Uint8Array } | { readonly detail: string; readonly hint: string };

const TIMEOUT_MS = 60_000;

/** A command in messages: its arguments may say more than a log should contain. */
export function commandName([program = ""]: readonly string[]): string {
  return `the command ${JSON.stringify(program)}`;
}

/** Runs a command. Its messages go to ours. */
export async function commandOutput(
  command: readonly string[],
  { environment, folder, hiddenFromCommands, signal, input }: CommandPorts,
  { bytes: most, words, hint, timeoutMs = TIMEOUT_MS }: CommandLimit,
): Promise<CommandOutput> {
  const [program = "", ...args] = command;
  const env = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== undefined && !hiddenFromCommands.has(name)));
  const what = capitalised(commandName(command));
  const notStarted = (error: NodeJS.ErrnoException): CommandOutput => ({
    detail: `${what} failed to start: ${error.code === "ENOENT" ? "the program does not exist" : error.message}.`,
    hint: "Check that the program is installed and on the PATH.",
  });
  return new Promise<CommandOutput>((resolve) => {
    // spawn's own timeout keeps this process alive if the program cannot be started.
    const timeout = AbortSignal.timeout(timeoutMs);
    const child = spawn(program, args, { cwd: folder, env, stdio: [input ? "pipe" : "ignore", "pipe", "inherit"], signal: AbortSignal.any([signal, timeout]) });
    // A program that does not read its input closes it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) child.kill();
      else chunks.push(chunk);
    });
    child.on("error", (error) => {
      // A program that it started may still hold the pipe.
      child.stdout?.destroy();
      if (timeout.aborted)
        resolve({ detail: `${what} did not finish within ${String(timeoutMs / 1000)} s.`, hint: "Run it by hand: it may be waiting for input." });
      else resolve(notStarted(error));
    });
    child.on("close", (status, killedBy) => {
      if (size > most) resolve({ detail: `${what} wrote more than ${words}.`, hint });
      else if (status !== 0)
        resolve({
          detail: `${what} failed (${status === null ? String(killedBy) : `exit ${String(status)}`}).`,
          hint: "Read its messages above, or run it by hand to see the cause.",
        });
      else resolve({ bytes: Buffer.concat(chunks) });
    });
  }).catch(notStarted);
}
