import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { BundledCommand } from "../frontends/cli/bundled-command.ts";
import type { JumpingClock } from "../frontends/cli/jumping-clock.ts";

export interface Answers {
  readonly runInProcess: BundledCommand["runInProcess"];
  readonly clock: JumpingClock;
  readonly providerFolder: string;
  /** Where the shell leaves its requests, and finds the replies. */
  readonly place: string;
}

/** Makes `npx outreach` a request to the process that started the shell: the reply is a script that prints the output and returns the exit code. */
export function askingNpx(place: string): string {
  return `npx() {
  [ "$1" = outreach ] || return 127
  shift
  printf '%s\\0' "$PWD" "$@" > '${place}/words'
  env -0 > '${place}/environment'
  echo run >&3
  read -r <&4
  . '${place}/reply'
}`;
}

/** Runs the command in this process for each request of the shell, which has descriptor 3 for requests and 4 for replies. */
export async function answerShell(shell: ChildProcess, { runInProcess, clock, providerFolder, place }: Answers): Promise<void> {
  // The clock jumps only while no process runs: the shell waits for the reply.
  shell.unref();
  const [requests, replies] = [shell.stdio[3] as Readable, shell.stdio[4] as Writable];
  for await (const _ of createInterface({ input: requests })) {
    const [folder = "", ...words] = recordsIn(path.join(place, "words"));
    const environment = Object.fromEntries(recordsIn(path.join(place, "environment")).map((entry) => entry.split(/=(.*)/s, 2) as [string, string]));
    const { ended, written } = runInProcess({ words, folder, environment, clock, providerFolder });
    const { code } = await clock.jumpDuring(ended);
    const prints = written.map(({ to, text }) => `printf %s '${text.replaceAll("'", String.raw`'\''`)}'${to === "err" ? " >&2" : ""}\n`);
    writeFileSync(path.join(place, "reply"), `${prints.join("")}return ${String(code)}\n`);
    replies.write("done\n");
  }
}

function recordsIn(file: string): readonly string[] {
  return readFileSync(file, "utf8").split("\0").slice(0, -1);
}
