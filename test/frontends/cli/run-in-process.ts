import path from "node:path";
import { PassThrough, Writable } from "node:stream";
import type { Clock } from "../../../src/core/model/ports.ts";
import type { ReadOptions } from "../../../src/fleet/configuration/read-fleet-configuration.ts";
import type { RemovedTeam, RunFacts, TeamWork } from "../../../src/fleet/team-work.ts";
import type { SentNotices } from "../../../src/fleet/team/send-notices.ts";
import { openTeamWork } from "../../../src/fleet/team/reconcile-team.ts";
import { type CommandPorts, openContext, runCommand } from "../../../src/frontends/cli/run-command.ts";
import { nodeKeyedDigest } from "../../../src/platform/node-digest.ts";
import { nodePlaceFiles } from "../../../src/platform/node-place-files.ts";
import { nodeProcess } from "../../../src/platform/node-process.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { fewSalts } from "../../core/secrets/few-salts.ts";
import { quickAgain } from "../../core/secrets/quick-again.ts";
import { filesInFolder } from "../../../src/platform/node-files.ts";

export interface InProcess {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: { readonly [name: string]: string };
  readonly clock: Clock;
  readonly providerFolder: string;
  /** The width of the terminal on both streams; absent: none. */
  readonly columns?: number;
}

export interface Written {
  readonly to: "out" | "err";
  readonly text: string;
}

/** Runs the command's sources in this process, without a terminal and with an empty standard input. `interrupt` is its Ctrl-C. */
export function runInProcess(of: InProcess) {
  const written: Written[] = [];
  const textOf = (stream: Written["to"]): string =>
    written.flatMap(({ to, text }) => (to === stream ? [text] : [])).join("");
  const interrupts: (() => void)[] = [];
  const running = runCommand(portsOf(of, { written, interrupts }));
  return {
    interrupt: () => interrupts.forEach((listener) => listener()),
    ended: running.then((code) => ({ code, out: textOf("out"), err: textOf("err") })),
    /** Everything so far on both streams, in order. */
    written: written as readonly Written[],
  };
}

export { FleetUnavailable } from "../../../src/fleet/fleet-store.ts";

const FACTS: RunFacts = { seen: null, hangsAfterMs: 30_000, hold: null };

/** What the controller does with teams. `removed`: those that the fleet's database names, or its error. */
export function teamWorkInProcess(
  of: Omit<InProcess, "words">,
  {
    removed = [],
    known = [],
    ...options
  }: Partial<ReadOptions> & {
    readonly removed?: readonly RemovedTeam[] | Error;
    readonly known?: readonly string[];
  } = {},
  more: Partial<CommandPorts> = {},
) {
  const written: Written[] = [];
  const closing: (() => Promise<void>)[] = [];
  const chosen = {
    entry: { serves: true },
    color: false,
    format: "text",
    showEmails: false,
    input: true,
    named: [],
  } as const;
  const ports = { ...portsOf({ ...of, words: ["controller"] }, { written, interrupts: [] }), ...more };
  const context = openContext(ports, chosen, { asCalled: (text) => text, atEnd: (close) => void closing.push(close) });
  const notices = new Map<string, SentNotices>();
  const read = { config: "outreach.yaml", var: [], varFile: [], ...options };
  const work = openTeamWork(context, read, {
    removedTeams: async () => {
      if (removed instanceof Error) throw removed;
      return removed;
    },
    teamNames: async () => [...known],
    sentNotices: async (team) => notices.get(team) ?? {},
    keepNotices: async (team, sent) => void notices.set(team, sent),
  });
  const { reconcile, applyPlan } = work;
  return {
    ...work,
    reconcile: (...[team, auto, signal, facts = FACTS]: WithFacts<"reconcile">) => reconcile(team, auto, signal, facts),
    applyPlan: (...[team, plan, signal, facts = FACTS]: WithFacts<"applyPlan">) => applyPlan(team, plan, signal, facts),
    written: written as readonly Written[],
    close: () => Promise.all(closing.map((close) => close())),
  };
}

/** The parameters of a method of `TeamWork`, of which the facts may be left out. */
type WithFacts<Name extends "applyPlan" | "reconcile"> =
  Parameters<TeamWork[Name]> extends [...infer Given, RunFacts] ? [...given: Given, facts?: RunFacts] : never;

interface Streams {
  readonly written: Written[];
  readonly interrupts: (() => void)[];
}

function portsOf(
  { words, folder, environment, clock, providerFolder, columns }: InProcess,
  { written, interrupts }: Streams,
): CommandPorts {
  return {
    words,
    folder,
    environment,
    clock,
    stdin: new PassThrough().end(),
    stdout: streamTo(written, "out", columns),
    stderr: streamTo(written, "err", columns),
    catalog,
    files: filesInFolder(folder),
    placeFiles: (to, files) => nodePlaceFiles(path.resolve(folder, to), files),
    random: fewSalts,
    keyedDigest: nodeKeyedDigest,
    fingerprinter: quickAgain,
    process: nodeProcess,
    machine: { platform: process.platform, architecture: process.arch },
    providerFolder,
    onInterrupt: (listener) => void interrupts.push(listener),
    quit: () => undefined,
  };
}

function streamTo(written: Written[], to: Written["to"], columns: number | undefined): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      written.push({ to, text });
      done();
    },
  });
  return columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns });
}
