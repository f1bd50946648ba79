/**
 * A whole fleet on this machine: PostgreSQL, the sandbox with 200 teams, and three controllers over the configuration next to this file. Ends everything at
 * Ctrl-C. Options: --teams NUMBER, --controllers NUMBER, and --once, which ends as soon as each team is reconciled.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parse, stringify } from "yaml";
import { type PostgresServer, startPostgres } from "../../test/core/state/pg/postgres-server.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const CONFIGURATION = new URL("outreach.yaml", import.meta.url);
/** PostgreSQL and the sandbox share this machine with the controllers. */
const MOST = { teams: 5000, controllers: 10 } as const;
/** New teams are reconciled within one interval. */
const INTERVAL = "30s";
/** Only this machine can reach the controllers. */
const TOKEN = randomUUID();
const LOOK_EVERY_MS = 250;
/** A team that was reconciled before is reconciled again at each interval. */
const DONE = ["applied", "unchanged", "running"];
const DEADLINE_MS = 10 * 60_000;

interface Options {
  readonly teams: number;
  readonly controllers: number;
  readonly once: boolean;
}

interface Program {
  readonly child: ChildProcess;
  /** What the program said about where it listens. */
  readonly url: string;
}

interface Status {
  readonly summary: { readonly teams: number; readonly states: { readonly [state: string]: number } };
  readonly teams: readonly {
    readonly name: string;
    readonly state: string;
    readonly failures: number;
    readonly last_run: string | null;
  }[];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(options: Options, stop: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "outreach-run-locally-"));
  const children: ChildProcess[] = [];
  let postgres: PostgresServer | null = null;
  try {
    say("Starting PostgreSQL, the sandbox and the controllers ...");
    postgres = await startPostgres();
    const teams = Array.from({ length: options.teams }, (_, index) => `team-${String(index + 1).padStart(4, "0")}`);
    await writeFile(join(folder, "seed.json"), JSON.stringify(seedOf(teams)));
    await writeFile(join(folder, "outreach.yaml"), await configurationOf(teams));
    const start = async (
      name: string,
      words: readonly string[],
      environment: NodeJS.ProcessEnv,
      says: RegExp,
    ): Promise<Program> => {
      const child = spawn(process.execPath, [COMMAND, ...words], {
        cwd: folder,
        env: { PATH: process.env["PATH"], ...environment },
      });
      children.push(child);
      return { child, url: await said(child, says, join(folder, `${name}.log`)) };
    };
    const ofSandbox = ["sandbox", "--port", "0", "--profile", "published", "--seed", "seed.json", "--deliver", "none"];
    const sandbox = await start("sandbox", ofSandbox, {}, /base URL +(\S+)/);
    const shared = { OUTREACH_DATABASE: postgres.url, PG_CONN_STR: postgres.url, OUTREACH_BASE_URL: sandbox.url };
    // The sandbox lists a new webhook at once.
    const environment = {
      ...shared,
      ...keysOf(teams),
      CRM_HOOK_SECRET: "a-secret-of-yours",
      OUTREACH_CONTROLLER_TOKEN: TOKEN,
      OUTREACH_SETTLE: "0s",
    };
    const words = ["controller", "--listen", "127.0.0.1:0", "--interval", INTERVAL, "--log-format", "json"];
    const names = Array.from({ length: options.controllers }, (_, index) => `controller-${String(index + 1)}`);
    const controllers = await Promise.all(
      names.map((name) => start(name, words, environment, /"event":"listening".* (http:\S+)\./)),
    );
    say(introduction(folder, shared, controllers));
    const [{ url } = { url: "" }] = controllers;
    await Promise.race([reconciled(url, options, stop), firstToEnd(children, stop)]);
    if (options.once) return;
    say("\nEvery team is reconciled. Press Ctrl-C to end all programs.");
    await Promise.race([until(stop), firstToEnd(children, stop)]);
  } finally {
    await Promise.all(children.map(ended));
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
    say("All programs have ended, and their files are removed.");
  }
}

/** The records of a service that has these teams, each with a user and a key. */
function seedOf(teams: readonly string[]): object {
  return {
    version: 1,
    teams: teams.map((name) => ({ _id: `tea_${name}`, name })),
    users: teams.map((name) => ({ _id: `usr_${name}`, teamId: `tea_${name}` })),
    keys: teams.map((name) => ({ key: `key-of-${name}`, userId: `usr_${name}` })),
  };
}

/** The configuration of this example, with other teams. */
async function configurationOf(teams: readonly string[]): Promise<string> {
  const written = parse(await readFile(CONFIGURATION, "utf8")) as object;
  return stringify({ ...written, teams: Object.fromEntries(teams.map((name) => [name, null])) });
}

function keysOf(teams: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    teams.map((name) => [`OUTREACH_API_KEY_${name.toUpperCase().replaceAll("-", "_")}`, `key-of-${name}`]),
  );
}

/** Keeps what a program prints in a file. Resolves with the address that it says. */
function said(child: ChildProcess, pattern: RegExp, file: string): Promise<string> {
  const log = createWriteStream(file);
  let text = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.pipe(log, { end: false });
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        text = `${text}${chunk}`.slice(-100_000);
        const url = pattern.exec(text)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    child.once("error", reject).once("close", () => {
      log.end();
      reject(new Error(`A program has ended:\n${text}`));
    });
  });
}

function introduction(
  folder: string,
  variables: { readonly [name: string]: string },
  controllers: readonly Program[],
): string {
  const exports = Object.entries(variables).map(([name, value]) => `  export ${name}=${value}`);
  return [
    ...controllers.map(
      ({ url }, index) => `Controller ${String(index + 1)}: ${url} (page), ${url}/metrics, ${url}/readyz`,
    ),
    `Configuration and logs: ${folder}`,
    "In another terminal:",
    ...exports,
    "  npx outreach-as-code controller status",
    `The token of the API is ${TOKEN}.`,
    "",
  ].join("\n");
}

/** Shows the states of the teams whenever they change, until no team has anything left to do. */
async function reconciled(url: string, { teams, once }: Options, stop: AbortSignal): Promise<void> {
  const endsAt = Date.now() + DEADLINE_MS;
  let [shown, asked] = ["", !once];
  for (; Date.now() < endsAt; await sleep(LOOK_EVERY_MS, undefined, { signal: stop })) {
    const status = (await (await fetch(`${url}/api/status`, { signal: stop })).json()) as Status;
    const states = Object.entries(status.summary.states).filter(([, count]) => count > 0);
    const text = `${String(status.summary.teams)} teams: ${states.map(([state, count]) => `${String(count)} ${state}`).join(", ")}`;
    if (text !== shown && states.length > 0) say(text);
    shown = text;
    if (status.summary.teams < teams) continue;
    if (!asked) for (const { name } of status.teams) await askedToRun(url, name, stop);
    asked = true;
    if (
      status.teams.every(
        ({ state, failures, last_run: last }) => DONE.includes(state) && failures === 0 && last !== null,
      )
    )
      return;
  }
  throw new Error(`The teams are not reconciled after ${String(DEADLINE_MS / 60_000)} minutes.`);
}

/** Instead of the interval. */
async function askedToRun(url: string, team: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${url}/api/teams/${team}/run`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}` },
    signal,
  });
  if (!answer.ok) throw new Error(`The controller answered ${String(answer.status)}: ${await answer.text()}`);
}

/** Rejects as soon as one of the programs ends, unless they are about to be ended. */
function firstToEnd(children: readonly ChildProcess[], stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    for (const child of children)
      child.once("close", () =>
        stop.aborted ? undefined : reject(new Error("A program has ended. Its log says why.")),
      );
  });
}

function until(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await gone;
}

function counted(text: string, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Error(`${text} is not a number from 1 to ${String(most)}.`);
  return number;
}

const { values } = parseArgs({
  options: {
    teams: { type: "string", default: "200" },
    controllers: { type: "string", default: "3" },
    once: { type: "boolean", default: false },
  },
});
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
try {
  const options = {
    teams: counted(values.teams, MOST.teams),
    controllers: counted(values.controllers, MOST.controllers),
    once: values.once,
  };
  await main(options, stopping.signal);
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
