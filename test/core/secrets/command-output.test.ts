import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandOutput, runCommand } from "../../../src/core/secrets/command-output.ts";
import { nodeProcess } from "../../../src/platform/node-process.ts";

const PORTS = {
  environment: process.env,
  folder: tmpdir(),
  hiddenFromCommands: () => new Set<string>(),
  signal: new AbortController().signal,
};
const LIMIT = { bytes: 1_000, words: "1 kB", hint: "Print less." };

test("what a command prints is taken as it is", async () => {
  expect(await commandOutput(["printf", String.raw`a\n\n`], PORTS, LIMIT)).toEqual({ bytes: Buffer.from("a\n\n") });
});

test.each<readonly [string, readonly string[], number, string]>([
  ["takes longer than its time", ["sleep", "600"], 50, 'The command "sleep" did not finish within 0.05 s.'],
  ["prints more than it may", ["yes"], 60_000, 'The command "yes" wrote more than 1 kB.'],
  ["fails", ["false"], 60_000, 'The command "false" failed (exit 1).'],
  ["is ended", ["sh", "-c", "kill $$"], 60_000, 'The command "sh" failed (SIGTERM).'],
  [
    "does not exist",
    ["no-such-program-here"],
    60_000,
    'The command "no-such-program-here" failed to start: the program does not exist.',
  ],
])("a command that %s gives no output", async (_, command, timeoutMs, detail) => {
  expect(await commandOutput(command, PORTS, LIMIT, timeoutMs)).toEqual({ detail, hint: expect.any(String) as string });
});

/** A folder for the file `pid`, in which a script says what it leaves behind; that process ends with the test. */
function leaving() {
  const folder = mkdtempSync(path.join(tmpdir(), "left-"));
  const pid = (): number => Number(readFileSync(path.join(folder, "pid"), "utf8"));
  onTestFinished(() => {
    try {
      process.kill(pid());
    } catch {
      // It has ended.
    }
    rmSync(folder, { recursive: true });
  });
  return {
    ports: { ...PORTS, folder },
    pid,
    ends: async () => {
      await expect.poll(() => nodeProcess.isAlive(pid(), ""), { timeout: 10_000 }).toBe(false);
    },
  };
}

const LEAVES = "sleep 600 & echo $! > pid";
const endGroup = (leader: number): void => void process.kill(-leader);

describe("a process that a command leaves behind", () => {
  test("does not hold the command up, and goes on", async () => {
    const { ports, pid } = leaving();
    expect(
      await runCommand(["sh", "-c", `cat > notice; ${LEAVES}`], { ...ports, input: Buffer.from("notice") }, 60_000),
    ).toBeNull();
    expect(await nodeProcess.isAlive(pid(), "")).toBe(true);
  });

  test("and that keeps the output open leaves the output unknown, never cut", async () => {
    const { ports } = leaving();
    expect(await commandOutput(["sh", "-c", `printf half; ${LEAVES}`], ports, LIMIT)).toMatchObject({
      detail: 'The command "sh" has ended, but a process that it started keeps its output open, so more may follow.',
    });
  });

  test("with an output of its own changes nothing", async () => {
    const { ports } = leaving();
    expect(
      await commandOutput(["sh", "-c", `printf whole; ${LEAVES.replace("&", "> /dev/null &")}`], ports, LIMIT),
    ).toEqual({ bytes: Buffer.from("whole") });
  });

  test("does not hide that the command failed", async () => {
    const { ports } = leaving();
    const failed = { detail: 'The command "sh" failed (exit 3).' };
    expect(await commandOutput(["sh", "-c", `${LEAVES}; exit 3`], ports, LIMIT)).toMatchObject(failed);
    process.kill(Number(readFileSync(path.join(ports.folder, "pid"), "utf8")));
    expect(await runCommand(["sh", "-c", `${LEAVES}; exit 3`], ports, 60_000)).toMatchObject(failed);
  });
});

describe("what a command has started ends with it", () => {
  test("after its time", async () => {
    const { ports, ends } = leaving();
    const late = { detail: 'The command "sh" did not finish within 2 s.' };
    expect(await commandOutput(["sh", "-c", `${LEAVES}; wait`], { ...ports, endGroup }, LIMIT, 2_000)).toMatchObject(
      late,
    );
    await ends();
  });

  test("after too much output", async () => {
    const { ports, ends } = leaving();
    const output = await commandOutput(["sh", "-c", `${LEAVES}; yes; wait`], { ...ports, endGroup }, LIMIT);
    expect(output).toMatchObject({ detail: 'The command "sh" wrote more than 1 kB.' });
    await ends();
  });

  test("after an interrupt", async () => {
    const { ports, pid, ends } = leaving();
    const stop = new AbortController();
    const running = runCommand(["sh", "-c", `${LEAVES}; wait`], { ...ports, signal: stop.signal, endGroup }, 60_000);
    await expect.poll(() => pid(), { timeout: 10_000 }).toBeGreaterThan(0);
    stop.abort();
    expect(await running).toMatchObject({ detail: 'The command "sh" was interrupted.' });
    await ends();
  });
});

test("after an interrupt, none starts", async () => {
  expect(await runCommand(["true"], { ...PORTS, signal: AbortSignal.abort() }, 60_000)).toMatchObject({
    detail: 'The command "true" was interrupted.',
  });
});
