import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type TestContext, afterEach, beforeAll, inject } from "vitest";
import type { SandboxOptions } from "../../../src/sandbox/runtime.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { type BundledCommand, bundledCommand } from "./bundled-command.ts";
import { type JumpingClock, jumpingClock } from "./jumping-clock.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** What it sent, in the sandbox's own log: `POST /hooks 200`. */
  readonly sent: readonly string[];
}

type Environment = { readonly [name: string]: string | undefined };

/** A run that is under way. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
}

/** A folder with a configuration, a sandbox for its service, and the command to run on them. */
export interface Project {
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** The file that Node runs. */
  readonly command: string;
  /** The time of the sandbox, and of every run. */
  readonly clock: JumpingClock;
  /** How much time passes before each run that is not a process: by default more than any listing delay. */
  pauseMs: number;
  /** The words before the command of each process that is started: a program that runs it under its own conditions. */
  within: readonly string[];
  /** Set for every run from now on; undefined takes a variable away. */
  readonly environment: { [name: string]: string | undefined };
  write(file: string, text: string): void;
  read(file: string): string;
  /** Removes a file, or a folder with all that it holds. */
  remove(file: string): void;
  /** All files below the folder with what they hold. */
  files(): { readonly [file: string]: string };
  /** Runs the command's sources in this process. The clock jumps over waits, except next to a process and where the project says so: there, no listing delay is waited for. */
  run(command: string, environment?: Environment): Promise<Ran>;
  /** Interrupts every run in this process, as Ctrl-C does. */
  interrupt(): void;
  /** Starts the built command as a process. By default it waits for no listing delay. */
  start(command: string, environment?: Environment): Running;
}

export interface ProjectOptions extends Partial<SandboxOptions> {
  /** Why each run must be a process of its own. */
  readonly realProcess?: string;
  /** Why the clock must not jump over waits. */
  readonly realTime?: string;
  /** An empty folder for the project's own one, by default a new one. */
  readonly around?: string;
}

const PAUSE_MS = 61_000;
/** Where the clock does not jump, no listing delay is waited for. */
const AT_ONCE = { OUTREACH_SETTLE: "0s" };

/** Gives each test its own projects and takes them away again, with the processes that were started. */
export function useProjects(): (options?: ProjectOptions) => Promise<Project> {
  let bundled: BundledCommand;
  const open: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    bundled = await bundledCommand();
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });
  return async ({ realProcess, realTime, around: given, ...options } = {}) => {
    const clock = jumpingClock();
    const sandbox = await startSandbox({ clock: clock.ofService, random: () => 0.5, rateLimit: null, ...options });
    const around = given ?? mkdtempSync(path.join(tmpdir(), "outreach-project-"));
    const folder = path.join(around, "project");
    mkdirSync(folder);
    const running = new Set<{ readonly stop: () => void; readonly ended: Promise<Ran> }>();
    open.push(async () => {
      for (const { stop, ended } of running) {
        stop();
        await ended;
      }
      await sandbox.close();
      if (given === undefined) rmSync(around, { recursive: true, force: true });
    });
    const runInProcess = realProcess === undefined ? bundled.runInProcess : null;
    const command = inject("commandFile");
    return projectOf({
      folder,
      sandbox,
      clock,
      running,
      command,
      runInProcess,
      canJump: realTime === undefined,
    });
  };
}

interface Parts {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly clock: JumpingClock;
  readonly running: Set<{ readonly stop: () => void; readonly ended: Promise<Ran> }>;
  readonly command: string;
  /** Null where each run is a process. */
  readonly runInProcess: BundledCommand["runInProcess"] | null;
  readonly canJump: boolean;
}

function projectOf({ folder, sandbox, clock, running, command, runInProcess, canJump }: Parts): Project {
  const environment: { [name: string]: string | undefined } = {
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
  };
  const given = (extra: Environment): { [name: string]: string } => {
    const all = Object.entries({ PATH: process.env["PATH"], HOME: folder, ...environment, ...extra });
    return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
  };
  const track = async (stop: () => void, ended: Promise<Omit<Ran, "sent">>): Promise<Ran> => {
    const before = sandbox.requests().length;
    const tracked = { stop, ended: ended.then((ran) => ({ ...ran, sent: sentSince(sandbox, before) })) };
    running.add(tracked);
    try {
      return await tracked.ended;
    } finally {
      running.delete(tracked);
    }
  };
  let processes = 0;
  const start: Project["start"] = (line, extra = {}) => {
    const env = given({ ...AT_ONCE, ...extra });
    const [program = "", ...words] = [
      ...project.within,
      process.execPath,
      ...atTimeOf(clock),
      command,
      ...wordsOf(line),
    ];
    const child = spawn(program, words, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const text = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.out += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
    processes++;
    const ended = new Promise<Omit<Ran, "sent">>((resolve) => {
      child.on("close", (code) => {
        processes--;
        resolve({ code, ...text });
      });
    });
    return { child, ended: track(() => child.kill("SIGKILL"), ended) };
  };
  const project: Project = {
    folder,
    sandbox,
    command,
    clock,
    pauseMs: PAUSE_MS,
    within: [],
    environment,
    write: (file, text) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    },
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
    remove: (file) => rmSync(path.join(folder, file), { recursive: true }),
    files: () => filesBelow(folder),
    run: (line, extra = {}) => {
      if (!runInProcess) return start(line, extra).ended;
      const jumps = canJump && processes === 0;
      if (jumps) clock.pass(project.pauseMs);
      const runEnvironment = given(jumps ? extra : { ...AT_ONCE, ...extra });
      const providerFolder = path.join(path.dirname(command), "../provider");
      const { interrupt, ended } = runInProcess({
        words: wordsOf(line),
        folder,
        environment: runEnvironment,
        clock,
        providerFolder,
      });
      const ran = track(interrupt, ended);
      return jumps ? clock.jumpDuring(ran) : ran;
    },
    interrupt: () => running.forEach(({ stop }) => stop()),
    start,
  };
  return project;
}

/** What makes a process begin at the time of the clock. */
function atTimeOf(clock: JumpingClock): readonly string[] {
  const script = `const { now } = Date; Date.now = () => now() + ${String(Math.round(clock.aheadMs()))};`;
  return clock.aheadMs() === 0 ? [] : ["--import", `data:text/javascript,${encodeURIComponent(script)}`];
}

/** Words of a command line; quotes hold spaces together. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

function filesBelow(folder: string): { readonly [file: string]: string } {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .toSorted()
      .map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]),
  );
}

export function modeOf(project: Project, file: string): string {
  return (statSync(path.join(project.folder, file)).mode & 0o777).toString(8);
}

/** A configuration with one webhook of this body. */
export function oneWebhook(body: string, rest = ""): string {
  return `version: 1\n${rest}webhooks:\n  crm:\n${body
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("")}`;
}

/** The text with every duration the same. */
export function timeless(text: string): string {
  return text.replaceAll(/after \d+s/g, "after 0s");
}

function sentSince(sandbox: Sandbox, before: number): readonly string[] {
  const requests = sandbox.requests().slice(before);
  return requests.map(({ method, target, status }) => `${method} ${target.replace(/^\/api/, "")} ${String(status)}`);
}

/** Runs on a terminal of its own, where somebody types `answer` to the question. Needs `script` (util-linux). */
export async function runOnTerminal(project: Project, line: string, answer = ""): Promise<Omit<Ran, "err">> {
  const before = project.sandbox.requests().length;
  const given = Object.entries({
    PATH: process.env["PATH"],
    HOME: project.folder,
    TERM: "dumb",
    ...AT_ONCE,
    ...project.environment,
  });
  const env = Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const node = [process.execPath, ...atTimeOf(project.clock), project.command].map((word) => `'${word}'`);
  const child = spawn("script", ["-qec", `${node.join(" ")} ${line}`, "/dev/null"], { cwd: project.folder, env });
  let out = "";
  let isAnswered = false;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    if (isAnswered || !out.includes("Enter a value:")) return;
    isAnswered = true;
    child.stdin.write(`${answer}\n`);
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out: out.replaceAll("\r", ""), sent: sentSince(project.sandbox, before) };
}

/** Skips a test, and says why, where no terminal can be made. */
export function needsTerminal(context: TestContext): void {
  if (spawnSync("script", ["--version"]).status !== 0) context.skip("no script (util-linux) on the PATH");
}

/** Long, since other tests run at the same time; within the limit of a test. */
const LONGEST_WAIT_MS = 25_000;

/** Waits until something holds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (const sinceMs = performance.now(); performance.now() - sinceMs < LONGEST_WAIT_MS; await delay(10))
    if (holds()) return;
  throw new Error(`it did not come to pass: ${what}`);
}
