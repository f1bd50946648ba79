import { beforeAll } from "vitest";
import type { Auto, TeamResult } from "../../../../src/fleet/team-work.ts";
import { type Postgres, usePostgres } from "../../../core/state/pg/shared-postgres.ts";
import { type BundledCommand, bundledCommand } from "../bundled-command.ts";
import { type Project, useProjects } from "../project.ts";

type Work = ReturnType<BundledCommand["teamWorkInProcess"]>;

/** A configuration with teams, a sandbox, states in PostgreSQL, and what a controller does with them. */
export interface Fleet {
  readonly project: Project;
  readonly url: string;
  readonly work: Work;
  readonly signal: AbortSignal;
  /** Another process of the same fleet. */
  another(
    options?: Parameters<BundledCommand["teamWorkInProcess"]>[1],
    more?: Parameters<BundledCommand["teamWorkInProcess"]>[2],
  ): Work;
  /** A controller that looks at no team by itself. It runs until its interrupt. */
  controller(words: string): ReturnType<BundledCommand["runInProcess"]>;
  /** Runs a statement in the database. */
  query(statement: string): Promise<unknown>;
  /** All that is in the database, as text. */
  stored(): Promise<string>;
  /** An error of the fleet's database. */
  unavailable(): Error;
  /** Writes the configuration, and reads it. */
  declare(webhooks: string, rest?: string, encryption?: string): ReturnType<Work["read"]>;
  reconcile(auto: Auto, team?: string): Promise<TeamResult>;
}

const NEVER = new AbortController().signal;
const STATE = "state: { backend: pg, schema: states, name: 'of-${team.name}' }\n";
const TEAMS = "teams:\n  emea: { api_key: { env: KEY_EMEA } }\n  apac: { api_key: { env: KEY_APAC } }\n";

/** Gives each test fleets of its own. Tests wait for no listing delay. */
export function useFleets(): () => Promise<Fleet> {
  const postgres = usePostgres();
  const openProject = useProjects();
  let bundled: BundledCommand;
  beforeAll(async () => {
    bundled = await bundledCommand();
  });
  return async () => {
    const project = await openProject({ realTime: "a connection does not wait by a clock that jumps" });
    const { url } = await postgres.database();
    const { keys } = project.sandbox;
    Object.assign(project.environment, {
      PG_CONN_STR: url,
      KEY_EMEA: keys.good,
      KEY_APAC: keys.otherTeam,
      OUTREACH_API_KEY: undefined,
      OUTREACH_SETTLE: "0s",
    });
    const { folder, clock, environment } = project;
    const another: Fleet["another"] = (options, more) =>
      bundled.teamWorkInProcess(
        { folder, environment: environment as { [name: string]: string }, clock, providerFolder: folder },
        options,
        more,
      );
    const work = another();
    return {
      project,
      url,
      work,
      signal: NEVER,
      another,
      controller: (words) => {
        const all = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
        const defaults = [`--database ${url}`, "--listen 127.0.0.1:0", "--log-format json"].filter(
          (one) => !words.includes(one.split(" ", 1)[0] ?? ""),
        );
        const given = ["controller", ...defaults, words].join(" ").split(" ");
        return bundled.runInProcess({
          words: given,
          folder,
          environment: Object.fromEntries(all),
          clock,
          providerFolder: folder,
        });
      },
      query: (statement) => postgres.query(statement, url),
      stored: () => everythingIn(postgres, url),
      unavailable: () => new bundled.FleetUnavailable("the database is gone"),
      declare: (webhooks, rest = "", encryption = "") => {
        const state = encryption === "" ? STATE : STATE.replace(" }\n", `, encryption: ${encryption} }\n`);
        project.write("outreach.yaml", `version: 1\n${TEAMS}${state}${rest}webhooks:\n${webhooks}`);
        return work.read(NEVER);
      },
      reconcile: (auto, team = "emea") => work.reconcile(team, auto, NEVER),
    };
  };
}

async function everythingIn({ query }: Postgres, url: string): Promise<string> {
  const tables = await query(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    url,
  );
  const found = [];
  for (const { name } of tables)
    found.push(JSON.stringify([name, await query(`SELECT * FROM ${String(name)}`, url)], readable));
  return found.join("\n");
}

/** Bytes as the text that they are. */
function readable(_: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === "Buffer" && Array.isArray(data) ? Buffer.from(data as number[]).toString() : value;
}
