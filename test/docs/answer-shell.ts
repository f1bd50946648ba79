import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { nodeClock } from "../../src/platform/node-clock.ts";
import type { BundledCommand } from "../frontends/cli/bundled-command.ts";
import type { JumpingClock } from "../frontends/cli/jumping-clock.ts";
import type { InProcess, Written } from "../frontends/cli/run-in-process.ts";

export interface Answers {
  readonly runInProcess: BundledCommand["runInProcess"];
  readonly clock: JumpingClock;
  readonly providerFolder: string;
  /** Where the shell leaves its requests, and finds the replies. */
  readonly place: string;
}

/** Makes `npx outreach-as-code` a request to the process that started the shell: the reply is a script that prints the output and returns the exit code. */
export function askingNpx(place: string): string {
  return `npx() {
  [ "$1" = outreach-as-code ] || return 127
  shift
  ${asked(place)}
  echo run >&3
  read -r <&4
  . '${place}/reply'
}`;
}

/** Runs the command in this process for each request of the shell, which has descriptor 3 for requests and 4 for replies. */
export async function answerShell(
  shell: ChildProcess,
  { runInProcess, clock, providerFolder, place }: Answers,
): Promise<void> {
  // The clock jumps only while no process runs: the shell waits for the reply.
  shell.unref();
  const [requests, replies] = [shell.stdio[3] as Readable, shell.stdio[4] as Writable];
  for await (const _ of createInterface({ input: requests })) {
    const { ended, written } = runInProcess({ ...askedIn(place), clock, providerFolder });
    const { code } = await clock.jumpDuring(ended);
    reply(place, written, code);
    replies.write("done\n");
  }
}

/** A program that scripts can call instead of the built command: it asks this process. */
export interface AskingProgram {
  readonly file: string;
  close(): void;
}

/** Runs the command in this process for each call of the program, in the caller's folder and environment. Needs `bash`. */
export async function startAskingProgram({
  runInProcess,
  providerFolder,
}: Pick<Answers, "runInProcess" | "providerFolder">): Promise<AskingProgram> {
  const server = createServer((socket) => {
    const answer = async (place: string): Promise<void> => {
      const { ended, written } = runInProcess({ ...askedIn(place), clock: nodeClock, providerFolder });
      const { code } = await ended;
      reply(place, written, code);
      socket.end("done\n");
    };
    createInterface({ input: socket }).once("line", (place) => {
      answer(place).catch((error: unknown) => socket.destroy(error as Error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-asking-"));
  const file = path.join(folder, "outreach");
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    file,
    `#!/usr/bin/env bash
place=$(mktemp -d '${folder}/call-XXXXXX')
${asked("$place")}
exec 3<> /dev/tcp/127.0.0.1/${String(port)}
echo "$place" >&3
read -r <&3
. "$place/reply"
`,
  );
  chmodSync(file, 0o755);
  return {
    file,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a shell leaves for `askedIn`. */
function asked(place: string): string {
  return `printf '%s\\0' "$PWD" "$@" > "${place}/words"\n  env -0 > "${place}/environment"`;
}

function askedIn(place: string): Pick<InProcess, "words" | "folder" | "environment"> {
  const [folder = "", ...words] = recordsIn(path.join(place, "words"));
  const environment = Object.fromEntries(
    recordsIn(path.join(place, "environment")).map((entry) => entry.split(/=(.*)/s, 2) as [string, string]),
  );
  return { words, folder, environment };
}

/** Leaves a script for the shell that prints the output and returns the exit code. */
function reply(place: string, written: readonly Written[], code: number): void {
  const prints = written.map(
    ({ to, text }) => `printf %s '${text.replaceAll("'", String.raw`'\''`)}'${to === "err" ? " >&2" : ""}\n`,
  );
  writeFileSync(path.join(place, "reply"), `${prints.join("")}return ${String(code)}\n`);
}

function recordsIn(file: string): readonly string[] {
  return readFileSync(file, "utf8").split("\0").slice(0, -1);
}
