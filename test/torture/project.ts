import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../src/core/model/ports.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import type { runInProcess } from "../frontends/cli/run-in-process.ts";
import type { StatePlace } from "./stores.ts";
import { type Strike, readTrace } from "./target.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COMMAND = path.join(ROOT, "dist/bin/outreach.js");
export const PRELOAD = fileURLToPath(new URL("preload.cjs", import.meta.url));
/** A run that takes longer hangs. */
const LONGEST_RUN_MS = 300_000;
/** Longer sleeps wait for the service's list, unless they are whole seconds: those are time limits and polls. Shorter ones pace requests. */
const LONG_SLEEP_MS = 3000;
/** Short, because the sandbox's list is never late. Not zero: a killed process's last request may still be in the network. */
export const LISTING_DELAY_MS = 200;

export interface Ran {
  /** Null: ended by a signal. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly sent: readonly LoggedRequest[];
  readonly tookMs: number;
}

/** A folder with a configuration, and the service and the state that belong to it. */
export interface Project {
  readonly folder: string;
  readonly place: StatePlace;
  readonly sandbox: Sandbox;
  /** Runs the built command as a process of its own. With `strike`, it finds its boundaries; `at` 0: no signal. */
  run(command: string, strike?: Strike): Promise<Ran>;
  /** Runs the sources of the command in this process. */
  runInProcess(command: string): Promise<Ran>;
  /** The labels of the boundaries of the run with a strike. */
  boundaries(): readonly string[];
  write(file: string, text: string): void;
  /** The files and what they hold. */
  files(): { readonly [file: string]: string };
  /** Removes every file but the configuration, as if the next run were on another machine. */
  loseMachine(): void;
  remove(): void;
}

export interface ProjectParts {
  readonly sandbox: Sandbox;
  readonly open: (folder: string) => StatePlace;
  readonly secret: string;
  readonly runInProcess: typeof runInProcess;
}

export function openProject({ sandbox, open, secret, runInProcess }: ProjectParts): Project {
  const around = mkdtempSync(path.join(tmpdir(), "outreach-torture-"));
  const [folder, trace] = [path.join(around, "project"), path.join(around, "trace")];
  mkdirSync(folder);
  const place = open(folder);
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    OUTREACH_SETTLE: `${String(LISTING_DELAY_MS)}ms`,
    S: secret,
    ...place.environment,
  };
  const { clock, aheadMs } = impatientClock();
  async function logged(run: () => Promise<Pick<Ran, "code" | "out" | "err">>): Promise<Ran> {
    const [before, fromMs] = [sandbox.requests().length, performance.now() + aheadMs()];
    const ran = await run();
    return { ...ran, sent: sandbox.requests().slice(before), tookMs: performance.now() + aheadMs() - fromMs };
  }
  return {
    folder,
    place,
    sandbox,
    run: (command, strike) =>
      logged(async () => {
        rmSync(trace, { force: true });
        const preload = strike ? ["--require", PRELOAD] : [];
        const env = strike
          ? {
              ...environment,
              OUTREACH_TORTURE_TRACE: trace,
              OUTREACH_TORTURE_AT: String(strike.at),
              OUTREACH_TORTURE_SIGNAL: strike.signal,
            }
          : environment;
        return ended(
          spawn(process.execPath, [...preload, COMMAND, ...wordsOf(command)], {
            cwd: folder,
            env,
            stdio: ["ignore", "pipe", "pipe"],
          }),
        );
      }),
    runInProcess: (command) =>
      logged(() => {
        const providerFolder = path.join(ROOT, "dist/provider");
        return runInProcess({ words: wordsOf(command), folder, environment, clock, providerFolder }).ended;
      }),
    boundaries: () => readTrace(readFileSync(trace, "utf8")).map(({ label }) => label),
    write: (file, text) => writeFileSync(path.join(folder, file), text),
    files: () =>
      Object.fromEntries(
        readdirSync(folder)
          .toSorted()
          .map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
      ),
    loseMachine: () => {
      for (const name of readdirSync(folder))
        if (name !== "outreach.yaml") rmSync(path.join(folder, name), { recursive: true });
    },
    remove: () => rmSync(around, { recursive: true, force: true }),
  };
}

/** This machine's clock, which jumps over waits for the service's list. */
function impatientClock(): { readonly clock: Clock; aheadMs(): number } {
  let ahead = 0;
  return {
    aheadMs: () => ahead,
    clock: {
      now: () => nodeClock.now() + ahead,
      monotonicMs: () => nodeClock.monotonicMs() + ahead,
      sleep: async (durationMs, signal) => {
        if (durationMs < LONG_SLEEP_MS || durationMs % 1000 === 0) return nodeClock.sleep(durationMs, signal);
        ahead += durationMs;
      },
    },
  };
}

function wordsOf(command: string): readonly string[] {
  return command.split(" ");
}

/** What a process said, and its exit code. One that hangs is killed, and says so. */
export function ended(child: ReturnType<typeof spawn>): Promise<Pick<Ran, "code" | "out" | "err">> {
  const text = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (text.out += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
  return new Promise((resolve, reject) => {
    const hangs = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`the run hangs:\n${text.out}${text.err}`));
    }, LONGEST_RUN_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(hangs);
      resolve({ code, ...text });
    });
  });
}
