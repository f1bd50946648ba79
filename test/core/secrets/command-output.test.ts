import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { commandOutput } from "../../../src/core/secrets/command-output.ts";

const PORTS = { environment: process.env, folder: tmpdir(), hiddenFromCommands: new Set<string>(), signal: new AbortController().signal };
const LIMIT = { bytes: 1_000, words: "1 kB", hint: "Print less." };

test("what a command prints is taken as it is", async () => {
  expect(await commandOutput(["printf", String.raw`a\n\n`], PORTS, LIMIT)).toEqual({ bytes: Buffer.from("a\n\n") });
});

test.each<readonly [string, readonly string[], object, string]>([
  ["takes longer than its time", ["sleep", "600"], { timeoutMs: 50 }, 'The command "sleep" did not finish within 0.05 s.'],
  ["prints more than it may", ["yes"], {}, 'The command "yes" wrote more than 1 kB.'],
  ["fails", ["false"], {}, 'The command "false" failed (exit 1).'],
  ["is ended", ["sh", "-c", "kill $$"], {}, 'The command "sh" failed (SIGTERM).'],
  ["does not exist", ["no-such-program-here"], {}, 'The command "no-such-program-here" failed to start: the program does not exist.'],
])("a command that %s gives no output", async (_, command, more, detail) => {
  expect(await commandOutput(command, PORTS, { ...LIMIT, ...more })).toEqual({ detail, hint: expect.any(String) as string });
});
