import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { setMaxListeners } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type TestContext, afterAll, afterEach, beforeAll } from "vitest";
import type { SandboxOptions } from "../../../src/sandbox/runtime.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { openCommand } from "./command.ts";

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
  /** Where its processes meet to pace their requests. */
  readonly runtime: string;
  readonly sandbox: Sandbox;
  /** The file that Node runs. */
  readonly command: string;
  /** Set for every run from now on; undefined takes a variable away. */
  readonly environment: { [name: string]: string | undefined };
  write(file: string, text: string): void;
  read(file: string): string;
  /** All files below the folder with what they hold. */
  files(): { readonly [file: string]: string };
  run(command: string, environment?: Environment): Promise<Ran>;
  start(command: string, environment?: Environment): Running;
}

const SETTLED = { OUTREACH_SETTLE: "0s" };

/** Gives each test its own projects and takes them away again, with the processes that were started. */
export function useProjects(): (options?: Partial<SandboxOptions>) => Promise<Project> {
  let command: Awaited<ReturnType<typeof openCommand>>;
  const open: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    command = await openCommand();
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });
  afterAll(() => command.close());
  return async (options = {}) => {
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
      if (signal) setMaxListeners(0, signal);
      return delay(ms, undefined, { signal });
    };
    const clock = { now: () => Date.now(), sleep };
    const sandbox = await startSandbox({ clock, random: () => 0.5, rateLimit: null, ...options });
    const around = mkdtempSync(path.join(tmpdir(), "outreach-project-"));
    const [folder, runtime] = [path.join(around, "project"), path.join(around, "runtime")];
    for (const one of [folder, runtime]) mkdirSync(one);
    const running = new Set<Running>();
    open.push(async () => {
      for (const { child, ended } of running) {
        child.kill("SIGKILL");
        await ended;
      }
      await sandbox.close();
      rmSync(around, { recursive: true, force: true });
    });
    return projectOf({ folder, runtime, sandbox, running, command: command.file });
  };
}

interface Parts {
  readonly folder: string;
  readonly runtime: string;
  readonly sandbox: Sandbox;
  readonly running: Set<Running>;
  readonly command: string;
}

function projectOf({ folder, runtime, sandbox, running, command }: Parts): Project {
  const environment: { [name: string]: string | undefined } = {
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    XDG_RUNTIME_DIR: runtime,
    ...SETTLED,
  };
  const start: Project["start"] = (line, extra = {}) => {
    const before = sandbox.requests().length;
    const given = Object.entries({ PATH: process.env["PATH"], HOME: folder, ...environment, ...extra }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const child = spawn(process.execPath, [command, ...wordsOf(line)], { cwd: folder, env: Object.fromEntries(given), stdio: ["ignore", "pipe", "pipe"] });
    const text = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.out += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
    const ended = new Promise<Ran>((resolve) => {
      child.on("close", (code) => {
        running.delete(run);
        resolve({ code, ...text, sent: sentSince(sandbox, before) });
      });
    });
    const run: Running = { child, ended };
    running.add(run);
    return run;
  };
  return {
    folder,
    runtime,
    sandbox,
    command,
    environment,
    write: (file, text) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    },
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
    files: () => filesBelow(folder),
    run: (line, extra) => start(line, extra).ended,
    start,
  };
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

/** Runs on a terminal of its own, where somebody types `answer` at the first question. Needs `script` (util-linux). */
export async function runOnTerminal(project: Project, line: string, answer = ""): Promise<Omit<Ran, "err">> {
  const before = project.sandbox.requests().length;
  const given = Object.entries({ PATH: process.env["PATH"], HOME: project.folder, TERM: "dumb", ...project.environment });
  const env = Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const child = spawn("script", ["-qec", `'${process.execPath}' '${project.command}' ${line}`, "/dev/null"], { cwd: project.folder, env });
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

/** Waits until something holds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (holds()) return;
    await delay(10);
  }
  throw new Error(`it did not come to pass: ${what}`);
}
