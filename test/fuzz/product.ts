import path from "node:path";
import { PassThrough, Writable } from "node:stream";
import { DiagnosticsError } from "../../src/core/model/diagnostic.ts";
import { fingerprinter } from "../../src/core/secrets/fingerprint.ts";
import { runCommand } from "../../src/frontends/cli/run-command.ts";
import { nodeKeyedDigest } from "../../src/platform/node-digest.ts";
import { nodeRandom } from "../../src/platform/node-random.ts";
import { ServiceError } from "../../src/service/api/service-errors.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { type MemoryFiles, memoryFiles } from "../core/state/memory-files.ts";
import { processOf } from "../core/state/state-fixtures.ts";

export const FOLDER = "/project";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A disk with these files in the working folder. */
export async function diskWith(files: { readonly [name: string]: string | Uint8Array }): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await disk.makeFolder(FOLDER);
  for (const [name, content] of Object.entries(files)) {
    await disk.makeFolder(path.posix.dirname(`${FOLDER}/${name}`));
    await disk.writeDurably(
      `${FOLDER}/${name}`,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }
  return disk;
}

/** Runs the command on a disk in memory. */
export async function run(
  disk: MemoryFiles,
  words: readonly string[],
  environment: { readonly [name: string]: string } = {},
): Promise<Ran> {
  const text = { out: "", err: "" };
  const stream = (to: "out" | "err"): Writable =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _, done) => {
        text[to] += chunk;
        done();
      },
    });
  const code = await runCommand({
    words,
    folder: FOLDER,
    environment,
    clock: virtualClock(),
    stdin: new PassThrough().end(),
    stdout: stream("out"),
    stderr: stream("err"),
    catalog,
    files: inFolder(disk),
    placeFiles: () => Promise.resolve(true),
    random: nodeRandom,
    keyedDigest: nodeKeyedDigest,
    fingerprinter,
    process: processOf(),
    machine: { platform: "linux", architecture: "x64" },
    providerFolder: "",
    onInterrupt: () => undefined,
    quit: () => undefined,
  });
  return { code, ...text };
}

/** The disk as a process finds it whose working folder this is. */
function inFolder(disk: MemoryFiles): MemoryFiles {
  const at = (file: string): string => path.posix.resolve(FOLDER, file);
  return {
    ...disk,
    read: (file, options) => disk.read(at(file), options),
    writeDurably: (file, bytes) => disk.writeDurably(at(file), bytes),
    createExclusively: (file, bytes, options) => disk.createExclusively(at(file), bytes, options),
    openAppend: (file, options) => disk.openAppend(at(file), options),
    rename: (from, to) => disk.rename(at(from), at(to)),
    link: (from, to) => disk.link(at(from), at(to)),
    remove: (file) => disk.remove(at(file)),
    syncFolder: (file) => disk.syncFolder(at(file)),
    makeFolder: (file) => disk.makeFolder(at(file)),
    list: (file) => disk.list(at(file)),
    kind: (file) => disk.kind(at(file)),
    realPath: (file) => disk.realPath(at(file)),
  };
}

/** Whether it succeeded. Fails for a bug, and for raw control characters in what a terminal shows. */
export function expectSound({ code, out, err }: Ran): boolean {
  if (`${out}${err}`.includes("This is a bug in outreach")) throw new Error(`a bug: ${err}`);
  if (![0, 1, 2, 3].includes(code)) throw new Error(`exit code ${String(code)}`);
  expectPrintable(out);
  expectPrintable(err);
  return code === 0;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Control, escape and bidi characters, except line ends and tabs. */
export function expectPrintable(text: string): void {
  for (const { 0: found, index } of text.matchAll(UNPRINTABLE)) {
    if (found === "\n" || found === "\t") continue;
    throw new Error(
      `raw ${JSON.stringify(found)} (U+${(found.codePointAt(0) ?? 0).toString(16)}) in ${JSON.stringify(text.slice(Math.max(0, index - 200), index + 50))}`,
    );
  }
}

/** The errors that callers expect. Anything else is a bug. */
export function expectKnown(error: unknown): Error {
  if (error instanceof DiagnosticsError || error instanceof ServiceError) return error;
  throw error;
}
