/**
 * The main job in a minute, on the sandbox: create, no change, rotate a secret, drift, repair, destroy. Everything runs as a
 * user would run it; each step says what is expected, and a step that is not as told ends the demo with exit code 1.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../quick-start/outreach.yaml", import.meta.url));
const bold = (text: string): string => (process.stdout.isTTY && !process.env["NO_COLOR"] ? `\u001b[1m${text}\u001b[22m` : text);

class Unexpected extends Error {
  override readonly name = "Unexpected";
}

interface Finished {
  readonly exitCode: number | null;
  readonly text: string;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "outreach-demo-"));
  await cp(EXAMPLE, join(folder, "outreach.yaml"));
  const sandbox = await startSandbox(folder);
  try {
    await story(folder, sandbox);
  } finally {
    await stop(sandbox.child);
    await rm(folder, { recursive: true });
  }
  say("Done: everything that the demo started is stopped, and its files are removed.");
}

interface RunningSandbox {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly key: string;
}

async function story(folder: string, sandbox: RunningSandbox): Promise<void> {
  const outreach = (words: string, expected: Expected, secret = "first-secret"): Promise<string> =>
    run(words, expected, {
      folder,
      environment: { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.key, OUTREACH_SETTLE: "0s", CRM_HOOK_SECRET: secret },
    });

  say("The sandbox, a local copy of the service, is running. This is the configuration:");
  process.stdout.write(`${await readFile(join(folder, "outreach.yaml"), "utf8")}\n`);

  say("What would be done? A plan sends nothing that writes.");
  await outreach("plan --detailed-exitcode", { exitCode: 2, says: "Plan: 1 to add, 0 to change, 0 to destroy." });
  say("Do it.");
  await outreach("apply --auto-approve", { exitCode: 0, says: "Apply complete! Resources: 1 added, 0 changed, 0 destroyed." });
  say("Plan again: nothing is left to do.");
  await outreach("plan --detailed-exitcode", { exitCode: 0, says: "No changes. Your webhooks match the configuration." });

  say("The secret is rotated. The service cannot change one, so the webhook is deleted and created anew.");
  const rotated = await outreach("apply --auto-approve", { exitCode: 0, says: "Apply complete! Resources: 1 added, 0 changed, 1 destroyed." }, "second-secret");
  const id = /Replacement complete after \d+s \[id=(hoo_\w+)\]/.exec(rotated)?.[1];
  if (id === undefined) throw new Unexpected("the apply did not say which webhook it created");

  say(`Somebody deletes ${id} behind our back.`);
  await deleteBehindOurBack(sandbox, id);
  say("The plan shows the drift, and how to mend it.");
  await outreach("plan --detailed-exitcode", { exitCode: 2, says: "outreach_webhook.crm-replies has been deleted" }, "second-secret");
  await outreach("apply --auto-approve", { exitCode: 0, says: "Apply complete! Resources: 1 added, 0 changed, 0 destroyed." }, "second-secret");

  say("Take everything away again.");
  await outreach("destroy --auto-approve", { exitCode: 0, says: "Destroy complete! Resources: 1 destroyed." }, "second-secret");
}

interface Expected {
  readonly exitCode: number;
  readonly says: string;
}

async function run(
  words: string,
  expected: Expected,
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Promise<string> {
  process.stdout.write(`${bold(`$ outreach ${words}`)}\n`);
  const child = spawn(process.execPath, [COMMAND, ...words.split(" ")], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { exitCode, text } = await finished(child);
  process.stdout.write(`${text}\n`);
  if (exitCode !== expected.exitCode) throw new Unexpected(`outreach ${words} ended with ${String(exitCode)}, not with ${String(expected.exitCode)}`);
  if (!text.includes(expected.says)) throw new Unexpected(`outreach ${words} did not say: ${expected.says}`);
  return text;
}

function finished(child: ChildProcess): Promise<Finished> {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, text: Buffer.concat(chunks).toString() }));
  });
}

async function startSandbox(folder: string): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [COMMAND, "sandbox", "--port", "0"], {
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
      const baseUrl = /OUTREACH_BASE_URL=(\S+)/.exec(text)?.[1];
      const key = /OUTREACH_API_KEY=(\S+)/.exec(text)?.[1];
      if (baseUrl !== undefined && key !== undefined) resolve({ child, baseUrl, key });
    });
  });
}

async function deleteBehindOurBack({ baseUrl, key }: RunningSandbox, id: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/hooks/${id}`, { method: "DELETE", headers: { authorization: `Basic ${Buffer.from(`:${key}`).toString("base64")}` } });
  if (answer.status !== 200) throw new Unexpected(`the sandbox answered ${String(answer.status)} to the delete`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

function say(text: string): void {
  process.stdout.write(`${bold(`--- ${text}`)}\n\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Unexpected)) throw error;
  process.stderr.write(`\nThe demo went wrong: ${error.message}\n`);
  process.exitCode = 1;
}
