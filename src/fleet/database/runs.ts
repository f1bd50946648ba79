import type { BegunRun, Trigger } from "../fleet-store.ts";
import type { Auto, StateMark, TeamResult } from "../team-work.ts";
import type { FleetDatabase, FleetNames } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";
import { IS_DUE, addJob } from "./jobs.ts";

/** In addition to those that changed something. */
const KEPT_RUNS = 50;
/** In addition to those that were approved. */
const KEPT_PLANS = 10;
const MAX_MESSAGE = 300;
const MAX_WHOLE_MESSAGE = 3000;

interface BegunRow {
  readonly id: string | null;
  readonly trigger: Trigger;
  readonly failures: number;
  readonly undecided: number;
  readonly busy: number;
  readonly seen: StateMark | null;
  readonly resumedMs: number | null;
  readonly beganMs: number;
  readonly plan: string | null;
  readonly bytes: Uint8Array | null;
  readonly by: string | null;
  readonly auto: Auto;
  readonly intervalMs: number;
}

/**
 * See `FleetStore.beginRun`. `digest`: the configuration that this process has; the team waits for a process with the one in force. A run of the team that
 * is still open lost its process or its answer: the lock of the state keeps the two apart. Does not wait for the disk: after a crash of the server, the team
 * may be due as before, and is reconciled again.
 */
export async function beginRun(
  database: FleetDatabase,
  team: string,
  { process, digest, mostFailing }: { readonly process: string; readonly digest: string | null; readonly mostFailing: number },
): Promise<(BegunRun & Pick<BegunRow, "resumedMs">) | null> {
  const names = namesIn(database);
  const [row] = await database.query<BegunRow>({
    name: "fleet_begin_run",
    text: `WITH t AS MATERIALIZED (
        SELECT name, failures, busy, seen, resumed, run, running, next_trigger FROM ${names.team} WHERE name = $1 AND ${IS_DUE} FOR UPDATE),
      f AS MATERIALIZED (
        SELECT f.digest = $3::text IS TRUE AND NOT (${failsAmongMany(names)}) AS begins, f.digest = $3::text IS TRUE AS is_current, f.auto, f.interval_ms, c.commit FROM ${names.fleet} f LEFT JOIN ${names.configuration} c ON c.digest = f.digest),
      postponed AS (SELECT ${addJob(names, "now() + interval '2 seconds'")} FROM t, f WHERE NOT f.begins),
      later AS (UPDATE ${names.team} x SET next_run = now() + interval '2 seconds' FROM t, f WHERE x.name = t.name AND f.is_current AND NOT f.begins),
      closed AS (
        UPDATE ${names.run} r SET outcome = 'interrupted', ended = now() FROM t, f WHERE f.begins AND t.running AND r.id = t.run AND r.outcome = 'running'),
      p AS MATERIALIZED (
        SELECT p.id, p.bytes, p.approved_by FROM ${names.plan} p, t WHERE p.team = t.name AND p.state = 'approved' ORDER BY p.approved DESC LIMIT 1),
      begun AS (
        INSERT INTO ${names.run} (team, trigger, commit, process, plan)
        SELECT t.name, coalesce(t.next_trigger, 'interval'), f.commit, $2, p.id FROM t CROSS JOIN f LEFT JOIN p ON true WHERE f.begins
        RETURNING id, trigger),
      marked AS (
        UPDATE ${names.team} SET run = begun.id, running = true, next_run = NULL, next_trigger = NULL FROM begun WHERE name = $1)
      SELECT begun.id, begun.trigger, t.failures, CASE WHEN t.failures > 0 THEN (${undecidedRuns(names)}) ELSE 0 END AS undecided, p.id AS plan, p.bytes, p.approved_by AS by, f.auto, f.interval_ms::float8 AS "intervalMs",
        t.busy, t.seen, (extract(epoch FROM t.resumed) * 1000)::float8 AS "resumedMs", (extract(epoch FROM now()) * 1000)::float8 AS "beganMs", set_config('synchronous_commit', 'off', true)
      FROM (SELECT count(*) FROM postponed) AS always
      LEFT JOIN begun ON true LEFT JOIN t ON true LEFT JOIN f ON true LEFT JOIN p ON true`,
    values: [team, process, digest, mostFailing],
  });
  if (row?.id == null) return null;
  const { id, plan, bytes, by, ...begun } = row;
  return { ...begun, id, approved: plan === null || bytes === null || by === null ? null : { id: plan, bytes, by } };
}

/** Whether the team failed last time, and this process is at work on enough such teams: they may hang, and would take the workers from the others. */
function failsAmongMany({ run, team }: FleetNames): string {
  return `EXISTS (SELECT FROM t WHERE t.failures > 0 AND coalesce(t.next_trigger, '') NOT IN ('request', 'approval')) AND $4::integer <= (
    SELECT count(*) FROM ${run} r JOIN ${team} x ON x.run = r.id WHERE r.process = $2 AND r.outcome = 'running' AND x.failures > 0)`;
}

/** How many runs of the team could not decide an outcome since the last one that succeeded. Those that failed otherwise, or did nothing, say nothing about it. */
function undecidedRuns({ run }: FleetNames): string {
  return `SELECT count(*)::integer FROM ${run} WHERE team = $1 AND outcome = 'undecided' AND id > coalesce(
    (SELECT max(id) FROM ${run} WHERE team = $1 AND outcome IN ('unchanged', 'applied', 'waiting')), 0)`;
}

/** The outcomes that say nothing about the plan that waits. */
const LOOKED_AT_NOTHING = "('failed', 'busy', 'interrupted')";

/**
 * See `FleetStore.endRun`. Done again, it changes nothing. Does not wait for the disk where nothing happened: notifications of jobs make commits wait for each
 * other, and after a crash of the server the team is only reconciled again.
 */
export async function endRun(database: FleetDatabase, run: BegunRun, ended: EndedRun): Promise<void> {
  const names = namesIn(database);
  await database.query({
    name: "fleet_end_run",
    text: `WITH r AS MATERIALIZED (
        UPDATE ${names.run} SET outcome = $3, ended = now(), counts = $4, drifted = $5, requests = $6, messages = $7, changed = $15
        WHERE id = $1 AND team = $2 AND outcome IN ('running', 'interrupted')
        RETURNING id, began, ended, commit,
          set_config('synchronous_commit', CASE WHEN $3 IN ('unchanged', 'busy', 'interrupted') THEN 'off' ELSE current_setting('synchronous_commit') END, true)),
      latest AS MATERIALIZED (
        SELECT r.* FROM ${names.team} t JOIN r ON t.run = r.id WHERE t.name = $2 FOR UPDATE OF t),
      used AS (
        UPDATE ${names.plan} p SET state = CASE WHEN $3 IN ('applied', 'unchanged') THEN 'applied' ELSE 'outdated' END, bytes = NULL
        FROM r WHERE p.id = $8::uuid AND p.state = 'approved' AND $3 NOT IN ${LOOKED_AT_NOTHING}),
      same AS (
        UPDATE ${names.plan} p SET bytes = $10 FROM latest WHERE p.team = $2 AND p.state = 'waiting' AND $10::bytea IS NOT NULL AND p.text = $9 AND p.digest = $14 RETURNING p.id),
      outdated AS (
        UPDATE ${names.plan} p SET state = 'outdated', bytes = NULL FROM latest
        WHERE p.team = $2 AND p.state = 'waiting' AND $3 NOT IN ${LOOKED_AT_NOTHING} AND p.id NOT IN (SELECT id FROM same)),
      stored AS (
        INSERT INTO ${names.plan} (team, counts, text, digest, bytes) SELECT $2, $4, $9, $14, $10 FROM latest
        WHERE $10::bytea IS NOT NULL AND NOT EXISTS (SELECT FROM same) RETURNING id),
      old_runs AS (
        DELETE FROM ${names.run} USING r WHERE team = $2 AND NOT changed AND ${names.run}.id <= (
          SELECT id FROM ${names.run} WHERE team = $2 AND NOT changed ORDER BY id DESC OFFSET ${String(KEPT_RUNS)} LIMIT 1)),
      old_plans AS (
        DELETE FROM ${names.plan} WHERE team = $2 AND EXISTS (SELECT FROM stored) AND state IN ('applied', 'outdated') AND approved IS NULL AND made < (
          SELECT made FROM ${names.plan} WHERE team = $2 ORDER BY made DESC OFFSET ${String(KEPT_PLANS)} LIMIT 1)),
      ended AS (
        UPDATE ${names.team} t SET
          running = false, parked = $12::float8 IS NULL, seen = coalesce($16::jsonb, t.seen), key_name = coalesce($17, t.key_name), webhooks = coalesce($18::integer, t.webhooks),
          state = CASE WHEN $3 IN ('outdated', 'busy', 'interrupted') THEN t.state WHEN $3 = 'undecided' THEN 'failed' ELSE $3 END,
          busy = CASE $3 WHEN 'busy' THEN t.busy + 1 WHEN 'interrupted' THEN t.busy ELSE 0 END,
          last_run = l.began, last_duration_ms = round(extract(epoch FROM l.ended - l.began) * 1000),
          failures = CASE WHEN $3 IN ('failed', 'undecided') THEN t.failures + 1 WHEN $3 IN ('busy', 'outdated', 'interrupted') THEN t.failures ELSE 0 END,
          failing_since = CASE WHEN $3 IN ('failed', 'undecided') THEN coalesce(t.failing_since, l.began) WHEN $3 IN ('busy', 'outdated', 'interrupted') THEN t.failing_since END,
          drifted = $5, counts = $4, message = $11, commit = l.commit,
          plan = CASE WHEN $3 IN ${LOOKED_AT_NOTHING} THEN t.plan ELSE (SELECT id FROM stored UNION ALL SELECT id FROM same) END,
          next_run = CASE WHEN t.removed IS NOT NULL OR $12::float8 IS NULL THEN NULL
            WHEN t.paused THEN t.next_run ELSE least(t.next_run, now() + $12::float8 * interval '1 ms') END,
          next_trigger = CASE WHEN t.removed IS NOT NULL OR $12::float8 IS NULL THEN NULL
            WHEN t.paused OR t.next_run <= coalesce(now() + $12::float8 * interval '1 ms', t.next_run) THEN t.next_trigger ELSE $13 END
        FROM latest l WHERE t.name = $2
        RETURNING t.name, t.next_run, t.next_trigger)
      SELECT ${addJob(names)} IS NULL FROM ended WHERE next_run IS NOT NULL`,
    values: valuesOf(run, ended),
  });
}

interface EndedRun {
  readonly team: string;
  readonly result: TeamResult;
  readonly next: { readonly afterMs: number; readonly trigger: Trigger } | null;
}

function valuesOf(run: BegunRun, { team, result, next }: EndedRun): readonly unknown[] {
  const { outcome, plan, counts, drifted, requests, messages, holds } = result;
  return [
    run.id,
    team,
    outcome,
    JSON.stringify(counts),
    drifted,
    requests,
    JSON.stringify(messages, (_, value: unknown) => (typeof value === "string" ? storable(value) : value)),
    run.approved?.id ?? null,
    plan && storable(plan.text),
    plan && Buffer.from(plan.bytes),
    messageOf(result),
    next?.afterMs ?? null,
    next?.trigger ?? null,
    plan?.digest ?? null,
    isChange(run, result),
    result.seen ? JSON.stringify(result.seen) : null,
    holds?.keyName,
    holds?.webhooks,
  ];
}

/** Whether an audit has to know of the run. */
function isChange({ approved }: BegunRun, { outcome, counts }: TeamResult): boolean {
  return approved !== null || outcome === "undecided" || (outcome !== "waiting" && Object.values(counts).some((count) => count > 0));
}

/** With the whole text and what to run, where the rest of the team's life depends on it. */
function messageOf({ outcome, messages, needsPerson = false }: TeamResult): string | null {
  const first = messages.find(({ severity }) => severity === "error") ?? messages.find(({ severity }) => severity === "warning");
  if (first === undefined) return null;
  const isWhole = needsPerson || outcome === "busy";
  const text = `${first.summary}: ${first.detail}${isWhole ? ` ${first.hint ?? ""}` : ""}`;
  return cut(text.replaceAll(/\s+/g, " ").trim(), isWhole ? MAX_WHOLE_MESSAGE : MAX_MESSAGE);
}

/** The text, or its start with an ellipsis. */
function cut(text: string, most: number): string {
  return storable(text.length <= most ? text : `${text.slice(0, most - 1).replace(/\p{Cs}$/u, "")}…`);
}

/** PostgreSQL refuses NUL and halves of characters. The service's words may have them. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, "\u{fffd}");
}
