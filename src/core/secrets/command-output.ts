import { type ChildProcess, spawn } from "node:child_process";
import type { ProcessIdentity } from "../model/ports.ts";
import { capitalised } from "../model/words.ts";

export interface CommandPorts {
  readonly environment: { readonly [name: string]: string | undefined };
  /** The working folder of the command. */
  readonly folder: string;
  /** Variables that commands must not see: the API key's, every variable of an `env` reference, and those that set sensitive variables. */
  readonly hiddenFromCommands: () => ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** What it reads from its standard input. Absent: nothing. */
  readonly input?: Uint8Array;
  /** See `ProcessIdentity`. */
  readonly endGroup?: ProcessIdentity["endGroup"];
}

/** What a command may write, in bytes and in words, and what to do about more. */
export interface CommandLimit {
  readonly bytes: number;
  readonly words: string;
  readonly hint: string;
}

/** The problem of a command: cause in `detail`, way out in `hint`. */
export interface CommandProblem {
  readonly detail: string;
  readonly hint: string;
}

/** What the command wrote, or the problem. */
export type CommandOutput = { readonly bytes: Uint8Array } | CommandProblem;

interface Running {
  readonly timeoutMs: number;
  /** Null: what it writes is of no interest. */
  readonly limit: CommandLimit | null;
}

const TIMEOUT_MS = 60_000;
/** How long the output may stay open after the end of the program. What it wrote itself is read in an instant. */
const LEFT_OPEN_MS = 2_000;

/** A command in messages: its arguments may say more than a log should contain. */
export function commandName([program = ""]: readonly string[]): string {
  return `the command ${JSON.stringify(program)}`;
}

/** Runs a command for its output. Its messages go to ours. */
export function commandOutput(
  command: readonly string[],
  ports: CommandPorts,
  limit: CommandLimit,
  timeoutMs = TIMEOUT_MS,
): Promise<CommandOutput> {
  return run(command, ports, { timeoutMs, limit });
}

/** Runs a command for what it does: null, or the problem. A process that it leaves behind is its own affair. */
export async function runCommand(
  command: readonly string[],
  ports: CommandPorts,
  timeoutMs: number,
): Promise<CommandProblem | null> {
  const output = await run(command, ports, { timeoutMs, limit: null });
  return "bytes" in output ? null : output;
}

async function run(
  command: readonly string[],
  ports: CommandPorts,
  { timeoutMs, limit }: Running,
): Promise<CommandOutput> {
  const { environment, folder, hiddenFromCommands, signal, input, endGroup = null } = ports;
  const hidden = hiddenFromCommands();
  const [program = "", ...args] = command;
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== undefined && !hidden.has(name)),
  );
  const problems = problemsOf(capitalised(commandName(command)));
  if (signal.aborted) return problems.interrupted;
  return new Promise<CommandOutput>((resolve) => {
    const detached = endGroup !== null;
    const child = spawn(program, args, {
      cwd: folder,
      env,
      detached,
      stdio: [input ? "pipe" : "ignore", limit ? "pipe" : "ignore", "inherit"],
    });
    const timeout = AbortSignal.timeout(timeoutMs);
    const settle = (output: CommandOutput): void => {
      signal.removeEventListener("abort", onAbort);
      timeout.removeEventListener("abort", onTimeout);
      resolve(output);
    };
    /** Does not wait: a process that it started may hold the pipes, and its end may never come. */
    const end = (problem: CommandProblem): void => {
      if (endGroup && child.pid !== undefined) endGroup(child.pid);
      else child.kill();
      release(child);
      settle(problem);
    };
    const onAbort = (): void => end(problems.interrupted);
    const onTimeout = (): void => end(problems.late(timeoutMs));
    signal.addEventListener("abort", onAbort, { once: true });
    timeout.addEventListener("abort", onTimeout, { once: true });
    // A program that does not read its input closes it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (limit && size > limit.bytes) end(problems.tooMuch(limit));
      else chunks.push(chunk);
    });
    child.on("error", (error) => settle(problems.notStarted(error)));
    const onEnd = (status: number | null, killedBy: NodeJS.Signals | null, whole: boolean): void => {
      if (status !== 0) settle(problems.failed(status, killedBy));
      else settle(whole ? { bytes: Buffer.concat(chunks) } : problems.leftOpen);
    };
    child.on("close", (status, killedBy) => onEnd(status, killedBy, true));
    child.on("exit", (status, killedBy) => {
      AbortSignal.timeout(LEFT_OPEN_MS).addEventListener("abort", () => {
        release(child);
        onEnd(status, killedBy, limit === null);
      });
    });
  }).catch(problems.notStarted);
}

/** Neither a pipe nor the program itself keeps this process from its end. */
function release(child: ChildProcess): void {
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.unref();
}

function problemsOf(what: string) {
  return {
    interrupted: { detail: `${what} was interrupted.`, hint: "Run it again." },
    leftOpen: {
      detail: `${what} has ended, but a process that it started keeps its output open, so more may follow.`,
      hint: "Let that process write elsewhere, as in: PROGRAM > /dev/null &",
    },
    late: (timeoutMs: number) => ({
      detail: `${what} did not finish within ${String(timeoutMs / 1000)} s.`,
      hint: "Run it by hand: it may be waiting for input.",
    }),
    tooMuch: ({ words, hint }: CommandLimit) => ({ detail: `${what} wrote more than ${words}.`, hint }),
    failed: (status: number | null, killedBy: NodeJS.Signals | null) => ({
      detail: `${what} failed (${status === null ? String(killedBy) : `exit ${String(status)}`}).`,
      hint: "Read its messages above, or run it by hand to see the cause.",
    }),
    notStarted: (error: NodeJS.ErrnoException) => ({
      detail: `${what} failed to start: ${error.code === "ENOENT" ? "the program does not exist" : error.message}.`,
      hint: "Check that the program is installed and on the PATH.",
    }),
  };
}
