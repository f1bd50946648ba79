/** Runs the sandbox and the built command for the demo. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const bold = (text: string): string =>
  process.stdout.isTTY && !process.env["NO_COLOR"] ? `\u001b[1m${text}\u001b[22m` : text;

/** A step gave an unexpected result. */
export class Unexpected extends Error {
  override readonly name = "Unexpected";
}

export interface Expected {
  readonly exitCode: number;
  readonly says: string;
}

export interface RunningSandbox {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly key: string;
}

interface Place {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs the command as a user would, and prints its output. */
export async function run(words: string, expected: Expected, { folder, environment }: Place): Promise<string> {
  process.stdout.write(`${bold(`$ outreach ${words}`)}\n`);
  const child = spawn(process.execPath, [COMMAND, ...words.split(" ")], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { exitCode, text } = await finished(child);
  process.stdout.write(`${text}\n`);
  if (exitCode !== expected.exitCode)
    throw new Unexpected(`outreach ${words} exited with ${String(exitCode)} instead of ${String(expected.exitCode)}`);
  if (!text.includes(expected.says)) throw new Unexpected(`outreach ${words} did not print: ${expected.says}`);
  return text;
}

function finished(child: ChildProcess): Promise<{ readonly exitCode: number | null; readonly text: string }> {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, text: Buffer.concat(chunks).toString() }));
  });
}

/** Starts a sandbox of this kind: `documented` or `published`. */
export async function startSandbox(folder: string, profile: string): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [COMMAND, "sandbox", "--port", "0", "--profile", profile], {
    cwd: folder,
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Unexpected(`the sandbox did not start: ${text}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [baseUrl, key] = [/OUTREACH_BASE_URL=(\S+)/.exec(text)?.[1], /OUTREACH_API_KEY=(\S+)/.exec(text)?.[1]];
      const controlUrl = /control API +(\S+)/.exec(text)?.[1];
      if (baseUrl !== undefined && key !== undefined && controlUrl !== undefined)
        resolve({ child, baseUrl, controlUrl, key });
    });
  });
}

export interface RunningReceiver {
  readonly child: ChildProcess;
  /** As in `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Prints what the receiver has printed since it started, and checks it. */
  readonly expect: (says: string) => void;
}

/** Starts the receiver of the example, with the library of this repository. */
export async function startReceiver(folder: string, environment: NodeJS.ProcessEnv): Promise<RunningReceiver> {
  await mkdir(join(folder, "node_modules"));
  await symlink(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules/outreach-as-code"));
  process.stdout.write(`${bold("$ node node-http.mjs")}\n`);
  const child = spawn(process.execPath, ["node-http.mjs"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const expect = (says: string): void => {
    process.stdout.write(`${text}\n`);
    if (!text.includes(says)) throw new Unexpected(`the receiver did not print: ${says}`);
  };
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Unexpected("the receiver did not start")));
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const port = /Listening on port (\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve({ child, url: `http://127.0.0.1:${port}`, expect });
    });
  });
}

/** Changes the sandbox through its control API, as somebody would by hand. */
export async function byHand(
  { controlUrl }: RunningSandbox,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const answer = await fetch(`${controlUrl}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (answer.status !== 200) throw new Unexpected(`the sandbox answered ${String(answer.status)} to ${method} ${path}`);
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

export function say(text: string): void {
  process.stdout.write(`${bold(`--- ${text}`)}\n\n`);
}
