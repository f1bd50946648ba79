import { timeLimit } from "../../model/async.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { Clock } from "../../model/ports.ts";
import type { PgConnection } from "./pg-connection.ts";
import { pooledConnection } from "./pg-problems.ts";

const POOL_CHECK_MS = 5000;
/** Pools may take sessions in turn. */
const POOL_CHECKS = 3;

/** The way to a server, which may be a pool. */
export interface PooledWay {
  /** What messages call it. */
  readonly name: string;
  readonly clock: Clock;
  /** A second connection. */
  another(signal: AbortSignal): Promise<PgConnection>;
}

/**
 * Throws `state_pooled` if a second client gets the session of the first one: then a lock would stay in a session that
 * belongs to nobody. Sends nothing more where the server itself has named the process of the session.
 */
export async function assertDedicated(way: PooledWay, connection: PgConnection, signal: AbortSignal): Promise<void> {
  const pidOf = async (one: PgConnection): Promise<unknown> =>
    (await one.query({ text: "SELECT pg_backend_pid() AS session" }, signal))[0]?.["session"];
  const pid = await pidOf(connection);
  if (pid === connection.startPid) return;
  const other = await within(way, POOL_CHECK_MS, signal, (limit) => way.another(limit));
  // A pool in session mode may have no session left.
  if (other === null) return;
  try {
    await other.query({ text: "BEGIN" }, signal);
    let isShared = (await pidOf(other)) === pid;
    for (let asked = 0; asked < POOL_CHECKS && !isShared; asked++) isShared = (await pidOf(connection)) !== pid;
    if (isShared) throw new DiagnosticsError([pooledConnection(way.name)]);
  } finally {
    other.destroy();
  }
}

/** Null if it takes longer. */
async function within<T>(
  { clock }: PooledWay,
  durationMs: number,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const limit = timeLimit(durationMs, clock, () => new Error("late"));
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted) return null;
    throw error;
  } finally {
    limit.end();
  }
}
