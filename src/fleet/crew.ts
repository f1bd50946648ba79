import { Logger, runTaskList } from "graphile-worker";
import type pg from "pg";
import type { FleetDatabase } from "./database/fleet-database.ts";
import { isClash, namesIn } from "./database/fleet-database.ts";
import { TASK } from "./database/jobs.ts";

/** One use of graphile-worker: workers that take jobs until they are dismissed or disturbed. */
export interface Crew {
  /** What it has taken is locked by this name. */
  readonly name: string;
  /** Takes no new jobs. Resolves when those that run have ended. Call it once. */
  dismiss(): Promise<void>;
}

export interface CrewOptions {
  readonly database: FleetDatabase;
  readonly concurrency: number;
  readonly pollMs: number;
  readonly work: (team: string) => Promise<void>;
  /** Told of jobs that failed. */
  readonly failed: (message: string) => void;
  /** Told of each statement of the queue that the database has answered. */
  readonly answered: () => void;
  /**
   * Called for each statement of the queue that fails, or when the workers end by themselves. The answer about a job may be lost, and the job locked for
   * nothing: dismiss the crew, free its jobs, and start another one.
   */
  readonly disturbed: (error: unknown) => void;
}

export function startCrew(name: string, { database, concurrency, pollMs, work, failed, answered, disturbed }: CrewOptions): Crew {
  const logger = new Logger(() => (_, message, meta) => {
    if ((meta as { readonly failure?: unknown } | undefined)?.failure === true) failed(message);
  });
  const task = (payload: unknown): Promise<void> => work((payload as { readonly team: string }).team);
  const options = { schema: database.jobsSchema, concurrency, pollInterval: pollMs, noHandleSignals: true, logger };
  const workers = runTaskList(options, { [TASK]: task }, guarded(database.jobsPool, { answered, disturbed }));
  // Its workers first wait for a promise, so nothing is locked by another name.
  workers.id = name;
  workers.promise.then(
    // As when a newer program upgrades graphile-worker's schema.
    () => disturbed(new Error("the workers have ended")),
    (error: unknown) => disturbed(error),
  );
  return {
    name,
    dismiss: async () => {
      if (!workers._shuttingDown) await Promise.resolve(workers.gracefulShutdown()).catch(() => undefined);
      else await workers.promise.catch(() => undefined);
    },
  };
}

/** Frees what a crew has locked. */
export async function freeJobs(database: FleetDatabase, name: string): Promise<void> {
  await database.query({ text: `SELECT ${namesIn(database).jobs}.force_unlock_workers(ARRAY[$1::text])`, values: [name] });
}

/**
 * The pool as graphile-worker sees it. A statement that fails has an empty answer: no job is found, none is completed. graphile-worker itself would end the
 * process if it could not complete a job, and retry in ways of its own.
 */
function guarded(pool: pg.Pool, { answered, disturbed }: Pick<CrewOptions, "answered" | "disturbed">): pg.Pool {
  const query = async (statement: pg.QueryConfig): Promise<{ readonly rows: readonly unknown[] }> => {
    try {
      const answer = await pool.query(statement);
      answered();
      return answer;
    } catch (error) {
      if (isClash(error)) throw error;
      disturbed(error);
      return { rows: [] };
    }
  };
  const client = { query, release: () => undefined };
  type Listen = NonNullable<Parameters<pg.Pool["connect"]>[0]>;
  // The connection that listens is a real one. graphile-worker may release it twice, which ends the process.
  const once = (listen: Listen): Listen => {
    let isReleased = false;
    return (error, listening, release) =>
      listen(error, listening, (broken) => {
        if (!isReleased) release(broken);
        isReleased = true;
      });
  };
  const connect = (listen?: Listen) => (listen ? pool.connect(once(listen)) : Promise.resolve(client));
  return { connect } as unknown as pg.Pool;
}
