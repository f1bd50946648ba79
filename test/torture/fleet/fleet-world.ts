import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import type { SandboxOptions } from "../../../src/sandbox/runtime.ts";
import type { SandboxSeed } from "../../../src/sandbox/seed.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { COMMAND, type Controller, type LogLine, startController } from "./controllers.ts";

/** A service with teams, and the configuration that all controllers of a fleet read. */
export interface FleetWorld {
  readonly sandbox: Sandbox;
  readonly teams: readonly string[];
  /** The teams whose key the service refuses. */
  readonly refused: readonly string[];
  /** The API key of a team. */
  key(team: string): string;
  /** Replaces the configuration at once. */
  declare(text: string): void;
  start(options: {
    readonly words: readonly string[];
    readonly secret?: string;
    readonly logged?: (line: LogLine) => void;
  }): Promise<Controller>;
  /** Runs a command beside the controllers. Throws if it fails. */
  command(words: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface FleetWorldOptions {
  readonly teams: number;
  /** So many teams use the same key. */
  readonly sharing?: number;
  /** The service refuses the keys of so many others. */
  readonly refused?: number;
  /** In the campaign of each team. */
  readonly leads?: readonly string[];
  readonly databaseUrl: string;
  /** How late a webhook may be in the service's list. */
  readonly settle?: string;
  readonly service: Partial<SandboxOptions>;
}

export async function openFleetWorld({
  teams: count,
  sharing = 0,
  refused: refusedCount = 0,
  leads = [],
  databaseUrl,
  settle = "0s",
  service,
}: FleetWorldOptions): Promise<FleetWorld> {
  const teams = Array.from({ length: count }, (_, index) => `t${String(index).padStart(5, "0")}`);
  const refused = teams.slice(count - refusedCount);
  const owner = (team: string): string => (Number(team.slice(1)) < sharing ? (teams[0] ?? team) : team);
  const key = (team: string): string => `key-of-${owner(team)}`;
  const clock = {
    now: nodeClock.now,
    sleep: (ms: number, signal = new AbortController().signal) => nodeClock.sleep(ms, signal),
  };
  const sandbox = await startSandbox({
    clock,
    random: Math.random,
    rateLimit: null,
    logLimit: 1_000_000,
    seed: seedOf(teams, { owner, key, refused, leads }),
    ...service,
  });
  const around = mkdtempSync(path.join(tmpdir(), "outreach-fleet-"));
  const folder = path.join(around, "project");
  mkdirSync(folder);
  let started = 0;
  const environment = {
    OUTREACH_DATABASE: databaseUrl,
    PG_CONN_STR: databaseUrl,
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_SETTLE: settle,
    ...Object.fromEntries(teams.map((team) => [`KEY_${team}`, key(team)])),
  };
  return {
    sandbox,
    teams,
    refused,
    key,
    declare: (text) => {
      writeFileSync(path.join(around, "new.yaml"), text);
      renameSync(path.join(around, "new.yaml"), path.join(folder, "outreach.yaml"));
    },
    start: ({ words, secret = "", logged }) =>
      startController({
        folder,
        home: path.join(around, `home-${String(++started)}`),
        environment: { ...environment, HOOK_SECRET: secret },
        words,
        ...(logged ? { logged } : {}),
      }),
    command: async (words) => {
      const env = { PATH: process.env["PATH"] ?? "", HOME: around, ...environment };
      await promisify(execFile)(process.execPath, [COMMAND, ...words], { cwd: folder, env });
    },
    close: async () => {
      await sandbox.close();
      rmSync(around, { recursive: true, force: true });
    },
  };
}

interface Seeding {
  readonly owner: (team: string) => string;
  readonly key: (team: string) => string;
  readonly refused: readonly string[];
  readonly leads: readonly string[];
}

function seedOf(teams: readonly string[], { owner, key, refused, leads }: Seeding): SandboxSeed {
  const owners = teams.filter((team) => owner(team) === team);
  return {
    teams: owners.map((team) => ({ _id: `tea_${team}`, name: team })),
    users: owners.map((team) => ({
      _id: `usr_${team}`,
      teamId: `tea_${team}`,
      name: team,
      email: `${team}@example.com`,
    })),
    keys: owners.filter((team) => !refused.includes(team)).map((team) => ({ key: key(team), userId: `usr_${team}` })),
    campaigns: teams.map((team) => ({ _id: `cam_${team}`, name: team, teamId: `tea_${owner(team)}` })),
    leads: teams.flatMap((team) => leads.map((email) => ({ campaignId: `cam_${team}`, email }))),
  };
}

/** The head of a configuration: where the service and the states are, and the teams, each with what it sets. */
export function configurationHead(teams: readonly string[], settings: (team: string) => string = () => ""): string {
  const declared = teams.map((team) => `  ${team}: ${settings(team)}\n`).join("");
  return `version: 1
service: { api_key: { env: "KEY_\${team.name}" } }
state: { backend: pg, schema: states, name: "\${team.name}" }
teams:
${declared}`;
}
