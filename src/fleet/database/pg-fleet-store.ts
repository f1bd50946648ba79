import { semaphore } from "../../core/model/async.ts";
import {
  type BegunRun,
  type FleetSettings,
  FleetUnavailable,
  type GivenSettings,
  type MostRuns,
} from "../fleet-store.ts";
import { type Adoption, adopt } from "./adopt.ts";
import { type FleetDatabase, type FleetNames, type FleetPorts, namesIn } from "./fleet-database.ts";
import { type FleetProcess, register, sweep } from "./processes.ts";
import { noticesOf } from "./notices.ts";
import { historyOf, readingsOf } from "./readings.ts";
import { requestsTo } from "./requests.ts";
import { type EndedRun, beginRuns, endRun } from "./runs.ts";
import type { Auto, FleetConfiguration, StateMark, TeamResult } from "../team-work.ts";
import { mayRun } from "./due.ts";

/**
 * All that the controllers of one fleet share: it is in one database. Every method is one transaction; all throw `FleetUnavailable` while
 * there is no database.
 */
export type FleetStore = ReturnType<typeof pgFleetStore>;

/** The fleet in PostgreSQL, as one process uses it. Its schema must be there: see `migrateFleet`. */
export function pgFleetStore(database: FleetDatabase, self: FleetProcess, ports: FleetPorts) {
  const process = self.id;
  /** The ids of the runs that this process is at work on. */
  const runs = new Set<string>();
  const turns = semaphore(1);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await turns.enter();
    return work().finally(leave);
  };
  const states = seenStates();
  let digest: string | null = null;
  let times = 0;
  return {
    /** Shows this process to the others as long as its connection lasts: see `Registration`. Register again after it is lost. */
    register: async (signal: AbortSignal) => {
      await states.publish(database);
      return register(database, self, { ...ports, digest, time: ++times }, signal);
    },
    /** Makes this configuration the one in force, and syncs the teams with it: see `adopt`. Returns whether it is in force. */
    adopt: async (configuration: FleetConfiguration, why: Adoption["why"]) => {
      const isInForce = await adopt(database, configuration, { process, why });
      ({ digest } = configuration);
      return isInForce;
    },
    /** Begins runs of teams that are due, each for one process only: see `beginRuns`. */
    beginRuns: (most: MostRuns): Promise<readonly BegunRun[]> =>
      // A sweep that came between the begin of a run and its answer would take the run for a lost one.
      inTurn(async () => {
        const begun = await beginRuns(database, most, { process, digest });
        for (const { id } of begun) runs.add(id);
        return begun.map((run) => ({ ...run, seen: states.newest(run.team, run) }));
      }),
    /** Records what the run was, and when the team is reconciled again; null parks it: when somebody resumes it. */
    endRun: async (run: BegunRun, result: TeamResult, next: EndedRun["next"]) => {
      if (result.seen) states.note(run.team, result.seen, run);
      await endRun(database, run, { result, next }).catch((error: unknown) => {
        // Without a database, it is asked for again.
        if (!(error instanceof FleetUnavailable)) runs.delete(run.id);
        throw error;
      });
      runs.delete(run.id);
    },
    /** Call it every few seconds: see `sweep`. */
    sweep: () => inTurn(() => sweep(database, { process, digest, runs: [...runs] })),
    ...noticesOf(database),
    ...requestsTo(database),
    ...settingsOf(database),
    ...readingsOf(database),
    ...historyOf(database),
  };
}

interface SeenState {
  readonly mark: StateMark;
  /** The database's time. */
  readonly atMs: number;
}

/** What this process remembers of the teams' states: a restored database has forgotten it. */
function seenStates() {
  const states = new Map<string, SeenState>();
  return {
    /** The newer one of what the database says of a team's state and what this process has seen. */
    newest: (team: string, { seen, resumedMs }: BegunRun & { readonly resumedMs: number | null }): StateMark | null => {
      const own = states.get(team);
      // Somebody has resumed the team since, and so accepted its state.
      if (!own || (resumedMs !== null && resumedMs > own.atMs)) return seen;
      const isSame = seen?.place === own.mark.place && seen.lineage === own.mark.lineage;
      return seen === null || (isSame && seen.serial < own.mark.serial) ? own.mark : seen;
    },
    note: (team: string, mark: StateMark, { beganMs }: Pick<BegunRun, "beganMs">) =>
      void states.set(team, { mark, atMs: beganMs }),
    /** Informs the database, and so the other processes. */
    publish: async (database: FleetDatabase) => {
      if (states.size === 0) return;
      const all = [...states].map(([name, { mark, atMs }]) => ({ name, at: atMs, seen: mark }));
      await database.query({
        text: `UPDATE ${namesIn(database).team} t SET seen = own.seen FROM jsonb_to_recordset($1) AS own (name text, at float8, seen jsonb)
          WHERE t.name = own.name AND (t.resumed IS NULL OR t.resumed <= to_timestamp(own.at / 1000)) AND (t.seen IS NULL OR (
            t.seen - 'serial' = own.seen - 'serial' AND (t.seen ->> 'serial')::bigint < (own.seen ->> 'serial')::bigint))`,
        values: [JSON.stringify(all)],
      });
    },
  };
}

const COLUMNS = `auto, interval_ms::float8 AS "intervalMs", history_ms::float8 AS "historyMs", frozen AS "freeze"`;

/** What the controllers of a fleet have in common. */
function settingsOf(database: FleetDatabase) {
  const names = namesIn(database);
  const settings = async (): Promise<FleetSettings> => {
    const [row] = await database.query<FleetSettings>({ text: `SELECT ${COLUMNS} FROM ${names.fleet}` });
    if (!row) throw new Error("The row of the fleet is missing.");
    return row;
  };
  const valuesOf = ({ auto, intervalMs, historyMs, freeze }: GivenSettings): readonly unknown[] => [
    auto ?? null,
    intervalMs ?? null,
    historyMs ?? null,
    freeze !== undefined,
    freeze ? JSON.stringify(freeze) : null,
  ];
  const given = `auto = coalesce($1::text, auto), interval_ms = coalesce($2::bigint, interval_ms), history_ms = coalesce($3::bigint, history_ms),
    frozen = CASE WHEN $4::boolean THEN $5::jsonb ELSE frozen END`;
  return {
    settings,
    /** The fleet's settings. The first controller of a fleet decides those that were never set. */
    settle: async (wanted: GivenSettings) => {
      await database.query({
        text: `UPDATE ${names.fleet} SET ${given}, settled = true WHERE NOT settled`,
        values: valuesOf(wanted),
      });
      return settings();
    },
    /** Changes the settings for all controllers; the new ones. `asked`: what is recorded for an audit. */
    change: (wanted: GivenSettings, asked: AskedSettings) =>
      database.transaction(async (query) => {
        await noteSettings(query, names, [""], asked);
        const [changed] = await query<FleetSettings>({
          text: `UPDATE ${names.fleet} SET ${given}, settled = true RETURNING ${COLUMNS}`,
          values: valuesOf(wanted),
        });
        if (!changed) throw new Error("The row of the fleet is missing.");
        // Teams that would come later than the new interval come within it, spread over it.
        await query({
          text: `UPDATE ${names.team} SET next_run = now() + random() * $1::float8 * interval '1 ms'
            WHERE next_trigger = 'interval' AND NOT running AND ${mayRun()} AND next_run > now() + $1::float8 * interval '1 ms'`,
          values: [changed.intervalMs],
        });
        return changed;
      }),
    /** Gives teams a policy of their own, or with null the fleet's; their names. */
    changeTeams: (teams: readonly string[], auto: Auto | null, asked: AskedSettings) =>
      database.transaction(async (query) => {
        const text = `UPDATE ${names.team} SET auto = $2 WHERE removed IS NULL AND name = ANY ($1::text[]) RETURNING name`;
        const changed = (await query<{ readonly name: string }>({ text, values: [teams, auto] })).map(
          ({ name }) => name,
        );
        await noteSettings(query, names, changed, asked);
        return changed;
      }),
  };
}

/** Who changed settings, and which, as options of a command. */
export interface AskedSettings {
  readonly by: string;
  readonly settings: string;
}

/** An empty name: the settings of the fleet. */
async function noteSettings(
  query: FleetDatabase["query"],
  { event }: FleetNames,
  teams: readonly string[],
  { by, settings }: AskedSettings,
): Promise<void> {
  await query({
    text: `INSERT INTO ${event} (team, action, by, settings) SELECT unnest($1::text[]), 'set', $2, $3`,
    values: [teams, by, settings],
  });
}
