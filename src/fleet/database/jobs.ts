import type { FleetNames } from "./fleet-database.ts";

/** The one task of the queue. Its payload is `{"team": NAME}`, and the job's key is the team. */
export const TASK = "team";

/** What somebody waits for comes first, then the runs that ended with their process. */
const URGENT = "('request', 'approval')";
const priority = (others: number): string => `CASE WHEN next_trigger IN ${URGENT} THEN 0 ELSE ${String(others)} END`;
const [INTERRUPTED, USUAL] = [5, 10];

/** Whether the team may be reconciled now, although it may be paused. */
export const IS_DUE = `(removed IS NULL AND NOT parked AND (NOT paused OR next_trigger IN ${URGENT}))`;

/** A call that puts the job of a row with `name`, `next_run` and `next_trigger` into the queue, in place of one that waits there. */
export function addJob({ jobs }: FleetNames, runAt = "next_run"): string {
  return `${jobs}.add_job('${TASK}', json_build_object('team', name), run_at => ${runAt}, job_key => name, priority => ${priority(USUAL)})`;
}

/** The same for all rows of a relation, in one call. The number of jobs. */
export function addJobs({ jobs }: FleetNames, rows: string, { runAt = "next_run", isInterrupted = false } = {}): string {
  return `(SELECT count(*) FROM ${jobs}.add_jobs((
    SELECT array_agg(ROW('${TASK}', json_build_object('team', name), NULL, ${runAt}, NULL, name, ${priority(isInterrupted ? INTERRUPTED : USUAL)}, NULL)::${jobs}.job_spec) FROM ${rows})))::integer`;
}
