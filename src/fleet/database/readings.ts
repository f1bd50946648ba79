import type {
  ConfigurationStatus,
  EventStatus,
  PlanStatus,
  ProcessStatus,
  RunStatus,
  TeamStatus,
} from "../fleet-store.ts";
import { MOST_BUSY } from "../schedule.ts";
import type { RemovedTeam } from "../team-work.ts";
import { IS_DUE_AT_ONCE } from "./due.ts";
import type { FleetDatabase, FleetStatement } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";
import { isLiving } from "./processes.ts";
import { planId } from "./requests.ts";

const NO_COUNTS = `'{"import":0,"add":0,"change":0,"destroy":0,"forget":0}'::jsonb`;
const ms = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::float8`;

/** What pages and metrics show. */
export function readingsOf(database: FleetDatabase) {
  const names = namesIn(database);
  const first = async <Row extends object>(statement: FleetStatement): Promise<Row | null> =>
    (await database.query<Row>(statement))[0] ?? null;
  const teams = `SELECT name, CASE WHEN running THEN 'running' WHEN parked THEN 'parked' WHEN paused THEN 'paused' WHEN busy >= ${String(MOST_BUSY)} THEN 'locked' ELSE t.state END AS state,
      ${ms("last_run")} AS "lastRunMs", last_duration_ms::float8 AS "lastDurationMs", ${ms("next_run")} AS "nextRunMs",
      failures, ${ms("failing_since")} AS "failingSinceMs", drifted, coalesce(p.counts, t.counts, ${NO_COUNTS}) AS counts, t.auto, p.id AS plan, p.shape, p.creates_only IS TRUE AS "createsOnly", coalesce(p.removals, '[]') AS removals, p.cost, message, commit, ${ms("removed")} AS "removedMs"
    FROM ${names.team} t LEFT JOIN ${names.plan} p ON p.id = t.plan AND NOT parked`;
  return {
    teams: () => database.query<TeamStatus>({ text: `${teams} WHERE removed IS NULL ORDER BY name` }),
    /** The names of all teams, whatever they do. */
    teamNames: async () =>
      (
        await database.query<{ readonly name: string }>({
          text: `SELECT name FROM ${names.team} WHERE removed IS NULL ORDER BY name`,
        })
      ).map(({ name }) => name),
    /** Null if there is no such team. */
    team: (name: string) => first<TeamStatus>({ text: `${teams} WHERE removed IS NULL AND name = $1`, values: [name] }),
    /** Also one that left the configuration, as long as its history is kept. */
    teamOrRemoved: (name: string) => first<TeamStatus>({ text: `${teams} WHERE name = $1`, values: [name] }),
    processes: () =>
      database.query<ProcessStatus>({
        text: `SELECT id, host, pid, version, ${ms("started")} AS "startedMs", p.digest IS NOT NULL AND p.digest = f.digest IS TRUE AS "isCurrent"
          FROM ${names.process} p, ${names.fleet} f WHERE ${isLiving("p")} ORDER BY started, id`,
      }),
    /** Null before the first one. */
    configuration: () =>
      first<ConfigurationStatus>({
        text: `SELECT c.commit FROM ${names.fleet} f JOIN ${names.configuration} c ON c.digest = f.digest`,
      }),
    /** Teams that left the configuration and have live webhooks with a key of this name, the last one first. */
    removedTeams: (keyName: string) =>
      database.query<RemovedTeam>({
        text: `SELECT name, key_name AS "keyName", webhooks, ${ms("removed")} AS "removedMs", seen ->> 'place' AS place
          FROM ${names.team} WHERE removed IS NOT NULL AND webhooks > 0 AND key_name = $1 ORDER BY removed DESC, name`,
        values: [keyName],
      }),
    /** All teams that left the configuration, the last one first. A team that uses the same key now has their webhooks. */
    allRemoved: () =>
      database.query<RemovedTeam>({
        text: `SELECT name, key_name AS "keyName", ${ms("removed")} AS "removedMs", seen ->> 'place' AS place, CASE WHEN EXISTS (
            SELECT FROM ${names.team} o WHERE o.removed IS NULL AND o.key_name = t.key_name AND o.webhooks > 0) THEN 0 ELSE webhooks END AS webhooks
          FROM ${names.team} t WHERE removed IS NOT NULL ORDER BY removed DESC, name`,
      }),
    /**
     * The time by the database's clock, which all other times are by, and how long the team that is due for the longest time has been waiting;
     * 0 if none is.
     */
    times: async () => {
      const row = await first<{ readonly atMs: number; readonly lagMs: number }>({
        text: `SELECT ${ms("now()")} AS "atMs", coalesce((
            SELECT ${ms("now() - min(next_run)")} FROM ${names.team} WHERE ${IS_DUE_AT_ONCE}), 0) AS "lagMs"`,
      });
      if (!row) throw new Error("A query without a condition has a row.");
      return row;
    },
  };
}

/** What was done, and who asked for it. */
export function historyOf(database: FleetDatabase) {
  const names = namesIn(database);
  const runs = `SELECT r.id, r.team, r.trigger, r.outcome, ${ms("r.began")} AS "beganMs", ${ms("r.ended - r.began")} AS "durationMs",
      coalesce(r.counts, ${NO_COUNTS}) AS counts, r.drifted, r.requests, r.messages, r.commit, r.process, r.plan, p.approved_by AS "approvedBy"
    FROM ${names.run} r LEFT JOIN ${names.plan} p ON p.id = r.plan`;
  return {
    runs: (team: string, count: number) =>
      database.query<RunStatus>({
        text: `${runs} WHERE r.team = $1 ORDER BY r.id DESC LIMIT $2`,
        values: [team, count],
      }),
    /**
     * The runs that changed something, or applied an approved plan, the newest first: of one team, or of all. They are kept as long as the
     * settings say.
     */
    changes: (team: string | null, count: number) =>
      database.query<RunStatus>({
        text: `${runs} WHERE ($1::text IS NULL OR r.team = $1) AND r.changed ORDER BY r.id DESC LIMIT $2`,
        values: [team, count],
      }),
    /** What people asked for, the newest first: of one team, or of all. It is kept as long as the settings say. */
    events: (team: string | null, count: number) =>
      database.query<EventStatus>({
        text: `SELECT nullif(team, '') AS team, action, by, ${ms("at")} AS "atMs", plan, settings FROM ${names.event} WHERE ($1::text IS NULL OR team = $1) ORDER BY id DESC LIMIT $2`,
        values: [team, count],
      }),
    plan: (id: string) =>
      database
        .query<PlanStatus>({
          text: `SELECT id, team, ${ms("made")} AS "madeMs", counts, cost, text, state, approved_by AS "approvedBy" FROM ${names.plan} WHERE id = $1::uuid`,
          values: [planId(id)],
        })
        .then(([plan = null]) => plan),
  };
}
