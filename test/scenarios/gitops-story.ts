import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { nodeClock } from "../../src/platform/node-clock.ts";
import type { SandboxProfile } from "../../src/sandbox/profiles.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { type Runner, openRunner } from "../examples/ci/runner.ts";
import type { Host, HostOptions } from "./gitops-hosts.ts";

const NEVER = new AbortController().signal;

/** Somebody's clone of the repository. */
export interface Clone {
  readonly folder: string;
  /** Commits `text` as outreach.yaml on a branch that begins at main, and pushes it. */
  propose(branch: string, text: string): void;
  /** Adds a commit to the branch. */
  amend(text: string): void;
  /** Merges a pushed branch into main, as the host does when somebody presses the button. */
  merge(branch: string): void;
}

export interface Story<H extends Host> {
  readonly host: H;
  readonly sandbox: Sandbox;
  readonly apiKey: string;
  /** The secrets of the main branch. */
  readonly mainSecrets: { [name: string]: string };
  readonly ada: Clone;
  readonly grace: Clone;
}

export interface Stories {
  readonly runner: Runner;
  /** A new repository with the files of the host's example, on a sandbox of its own. Closed after the test. */
  begin<H extends Host>(start: (options: HostOptions) => Promise<H>, service: SandboxProfile): Promise<Story<H>>;
}

/** Opens one runner for the tests of a file. */
export function useStories(): Stories {
  let runner: Runner;
  beforeAll(async () => {
    runner = await openRunner();
  });
  afterAll(() => {
    runner.close();
  });
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });
  return {
    get runner() {
      return runner;
    },
    begin: async (start, service) => {
      const { story, close } = await beginStory(runner, start, service);
      open.push(close);
      return story;
    },
  };
}

interface Begun<H extends Host> {
  readonly story: Story<H>;
  close(): Promise<void>;
}

async function beginStory<H extends Host>(
  runner: Runner,
  start: (options: HostOptions) => Promise<H>,
  service: SandboxProfile,
): Promise<Begun<H>> {
  const sandbox = await startSandbox({
    clock: { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms, signal ?? NEVER) },
    random: () => 0.5,
    rateLimit: null,
    ...service,
  });
  const around = mkdtempSync(path.join(tmpdir(), "outreach-gitops-"));
  const origin = path.join(around, "origin.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", origin]);
  const apiKey = sandbox.keys.good;
  const mainSecrets = { CRM_HOOK_SECRET: "webhook-secret-1" };
  const host = await start({
    runner,
    origin,
    baseUrl: sandbox.baseUrl,
    secrets: { OUTREACH_API_KEY: apiKey },
    mainSecrets,
  });
  const close = async (): Promise<void> => {
    await Promise.all([host.close(), sandbox.close()]);
    rmSync(around, { recursive: true, force: true });
  };
  const first = path.join(around, "first");
  mkdirSync(first);
  host.seed(first);
  git(first, "init", "-q", "-b", "main");
  git(first, "remote", "add", "origin", origin);
  commit(first, "outreach.yaml", "version: 1\n");
  git(first, "push", "-q", "origin", "main");
  const [ada, grace] = [cloneOf(origin, path.join(around, "ada")), cloneOf(origin, path.join(around, "grace"))];
  return { story: { host, sandbox, apiKey, mainSecrets, ada, grace }, close };
}

function git(folder: string, ...words: readonly string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["-C", folder, ...identity, ...words], { stdio: "pipe" });
}

function commit(folder: string, file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", `Change ${file}`);
}

function cloneOf(origin: string, folder: string): Clone {
  execFileSync("git", ["clone", "-q", origin, folder]);
  return {
    folder,
    propose: (branch, text) => {
      git(folder, "fetch", "-q");
      git(folder, "checkout", "-q", "-b", branch, "origin/main");
      commit(folder, "outreach.yaml", text);
      git(folder, "push", "-q", "origin", branch);
    },
    amend: (text) => {
      commit(folder, "outreach.yaml", text);
      git(folder, "push", "-q", "origin", "HEAD");
    },
    merge: (branch) => {
      git(folder, "fetch", "-q");
      git(folder, "checkout", "-q", "--detach", "origin/main");
      git(folder, "merge", "-q", "--no-ff", "-m", `Merge ${branch}`, `origin/${branch}`);
      git(folder, "push", "-q", "origin", "HEAD:main");
    },
  };
}
