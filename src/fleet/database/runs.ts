import type { BegunRun, MostRuns, Trigger } from "../fleet-store.ts";
import type { TeamResult } from "../team-work.ts";
import { IS_DUE_AFTER_FAILURE, IS_DUE_AT_ONCE, URGENCY } from "./due.ts";
import type { FleetDatabase, FleetNames } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";

/** The number of runs of a team, in addition to those that changed something. */
const KEPT_RUNS = 50;
/** The number of plans of a team, in addition to those that were approved. */
const KEPT_PLANS = 10;
const MAX_MESSAGE = 300;
const MAX_WHOLE_MESSAGE = 3000;

interface BegunRow extends Omit<BegunRun, "approved"> {
  readonly resumedMs: number | null;
  readonly plan: string | null;
  readonly bytes: Uint8Array | null;
  readonly by: string | null;
}

/**
 * Begins runs of teams that are due, each for one process only: first those that somebody has asked for, then those whose run was interrupted, then the others
 * as long as they have been due. None while another configuration than `digest`, that of this process, is in force. Does not wait for the disk: after a crash of
 * the server, a team may be due as before, and is reconciled again.
 */
export async function beginRuns(
  database: FleetDatabase,
  { runs, failing }: MostRuns,
  { process, digest }: { readonly process: string; readonly digest: string | null },
): Promise<readonly (BegunRun & Pick<BegunRow, "resumedMs">)[]> {
  const names = namesIn(database);
  const rows = await database.query<BegunRow>({
    name: "fleet_begin_runs",
    text: `WITH f AS MATERIALIZED (
        SELECT f.auto, f.interval_ms, f.frozen, c.commit FROM ${names.fleet} f LEFT JOIN ${names.configuration} c ON c.digest = f.digest WHERE f.digest = $2),
      at_once AS MATERIALIZED (${dueTeams(names, IS_DUE_AT_ONCE, "$3::integer")}),
      after_failure AS MATERIALIZED (${dueTeams(names, IS_DUE_AFTER_FAILURE, "$4::integer")}),
      t AS MATERIALIZED (
        SELECT * FROM (SELECT * FROM at_once UNION ALL SELECT * FROM after_failure) AS either ORDER BY urgency, next_run LIMIT $3::integer),
      p AS MATERIALIZED (
        SELECT DISTINCT ON (p.team) p.team, p.id, p.bytes, p.approved_by FROM ${names.plan} p JOIN t ON p.team = t.name WHERE p.state = 'approved'
        ORDER BY p.team, p.approved DESC),
      begun AS (
        INSERT INTO ${names.run} (team, trigger, commit, process, plan)
        SELECT t.name, coalesce(t.next_trigger, 'interval'), f.commit, $1, p.id FROM t CROSS JOIN f LEFT JOIN p ON p.team = t.name
        RETURNING id, team, trigger),
      marked AS (
        UPDATE ${names.team} x SET run = begun.id, running = true, interrupted = false, next_run = NULL, next_trigger = NULL FROM begun WHERE x.name = begun.team)
      SELECT begun.id, begun.team, begun.trigger, t.failures, CASE WHEN t.failures > 0 THEN (${undecidedRuns(names)}) ELSE 0 END AS undecided,
        p.id AS plan, p.bytes, p.approved_by AS by, coalesce(t.auto, f.auto) AS auto, f.frozen AS "freeze", f.interval_ms::float8 AS "intervalMs", t.busy, t.seen,
        (extract(epoch FROM t.resumed) * 1000)::float8 AS "resumedMs", (extract(epoch FROM now()) * 1000)::float8 AS "beganMs",
        set_config('synchronous_commit', 'off', true)
      FROM begun JOIN t ON t.name = begun.team CROSS JOIN f LEFT JOIN p ON p.team = t.name ORDER BY t.urgency, t.next_run`,
    values: [process, digest, runs, failing],
  });
  return rows.map(({ plan, bytes, by, ...begun }) => ({
    ...begun,
    approved: plan === null || bytes === null || by === null ? null : { id: plan, bytes, by },
  }));
}

/** Locks rows that no other process has locked. */
function dueTeams({ team }: FleetNames, condition: string, most: string): string {
  return `SELECT name, auto, failures, busy, seen, resumed, next_run, next_trigger, ${URGENCY} AS urgency FROM ${team}
        WHERE ${condition} AND EXISTS (SELECT FROM f) ORDER BY ${URGENCY}, next_run LIMIT ${most} FOR UPDATE SKIP LOCKED`;
}

/** How many runs of the team could not decide an outcome since the last one that succeeded. Those that failed otherwise, or did nothing, say nothing about it. */
function undecidedRuns({ run }: FleetNames): string {
  return `SELECT count(*)::integer FROM ${run} WHERE team = t.name AND outcome = 'undecided' AND id > coalesce(
    (SELECT max(id) FROM ${run} WHERE team = t.name AND outcome IN ('unchanged', 'applied', 'waiting')), 0)`;
}

/** The outcomes that say nothing about the plan that waits. */
const LOOKED_AT_NOTHING = "('failed', 'busy', 'interrupted')";

/**
 * Records what a run was. Done again, it changes nothing. Does not wait for the disk where nothing happened: after a crash of the server, the team is only
 * reconciled again.
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
        UPDATE ${names.plan} p SET bytes = $10, shape = $19, creates_only = $20, removals = $21, cost = $22::jsonb FROM latest WHERE p.team = $2 AND p.state = 'waiting' AND $10::bytea IS NOT NULL AND p.text = $9 AND p.digest = $14 RETURNING p.id),
      outdated AS (
        UPDATE ${names.plan} p SET state = 'outdated', bytes = NULL FROM latest
        WHERE p.team = $2 AND p.state = 'waiting' AND $3 NOT IN ${LOOKED_AT_NOTHING} AND p.id NOT IN (SELECT id FROM same)),
      stored AS (
        INSERT INTO ${names.plan} (team, counts, text, digest, bytes, shape, creates_only, removals, cost) SELECT $2, $4, $9, $14, $10, $19, $20, $21, $22::jsonb FROM latest
        WHERE $10::bytea IS NOT NULL AND NOT EXISTS (SELECT FROM same) RETURNING id),
      old_runs AS (
        DELETE FROM ${names.run} USING r WHERE team = $2 AND NOT changed AND ${names.run}.id <= (
          SELECT id FROM ${names.run} WHERE team = $2 AND NOT changed ORDER BY id DESC OFFSET ${String(KEPT_RUNS)} LIMIT 1)),
      old_plans AS (
        DELETE FROM ${names.plan} WHERE team = $2 AND EXISTS (SELECT FROM stored) AND state IN ('applied', 'outdated') AND approved IS NULL AND made < (
          SELECT made FROM ${names.plan} WHERE team = $2 ORDER BY made DESC OFFSET ${String(KEPT_PLANS)} LIMIT 1)),
      ended AS (
        UPDATE ${names.team} t SET
          running = false, interrupted = $3 = 'interrupted', parked = $12::float8 IS NULL, seen = coalesce($16::jsonb, t.seen), key_name = coalesce($17, t.key_name), webhooks = coalesce($18::integer, t.webhooks),
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
        FROM latest l WHERE t.name = $2)
      SELECT count(*) FROM r`,
    values: valuesOf(run, ended),
  });
}

export interface EndedRun {
  readonly result: TeamResult;
  readonly next: { readonly afterMs: number; readonly trigger: Trigger } | null;
}

function valuesOf(run: BegunRun, { result, next }: EndedRun): readonly unknown[] {
  const { outcome, plan, counts, drifted, requests, messages, holds } = result;
  return [
    run.id,
    run.team,
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
    plan?.shape ?? null,
    plan?.createsOnly ?? false,
    JSON.stringify(plan?.removals ?? []),
    plan?.cost ? JSON.stringify(plan.cost) : null,
  ];
}

/** Whether an audit has to know of the run. */
function isChange({ approved }: BegunRun, { outcome, counts }: TeamResult): boolean {
  return (
    approved !== null ||
    outcome === "undecided" ||
    (outcome !== "waiting" && Object.values(counts).some((count) => count > 0))
  );
}

/** With the whole text and what to run, where the rest of the team's life depends on it. */
function messageOf({ outcome, messages, needsPerson = false }: TeamResult): string | null {
  const first =
    messages.find(({ severity }) => severity === "error") ?? messages.find(({ severity }) => severity === "warning");
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
