import { errorText } from "../core/model/diagnostic.ts";
import type { Clock } from "../core/model/ports.ts";
import { type Crew, freeJobs, startCrew } from "./crew.ts";
import type { FleetDatabase } from "./database/fleet-database.ts";
import { checkFleetSchema } from "./database/fleet-schema.ts";

export interface QueueOptions {
  readonly database: FleetDatabase;
  /** The id under which this process is registered. */
  readonly process: string;
  /** How many teams are reconciled at once. */
  readonly concurrency: number;
  /** Reconciles a team. If it throws, the team's job is done again later. `signal`: the queue stops and cannot wait longer. */
  readonly handle: (team: string, signal: AbortSignal) => Promise<void>;
  /** Told when the database goes away and comes back, and of jobs that failed. */
  readonly log: (message: string) => void;
  readonly clock: Clock;
  /** How often an idle worker looks for jobs that have become due. */
  readonly pollMs?: number;
}

/** Takes the jobs of teams that are due, from the moment it is opened. Outlives the database. */
export interface TeamQueue {
  /** How many teams are being reconciled. */
  readonly running: number;
  /** Takes no new jobs; those that run go on. */
  pause(): void;
  resume(): void;
  /** Takes no new jobs, waits for those that run, and after `graceMs` aborts them. Others can take over what did not end. */
  stop(graceMs: number): Promise<void>;
}

const POLL_MS = 1000;
const RETRY_MS = 1000;
/** After a database that answers, but not the queue. */
const LONGEST_RETRY_MS = 8000;
/** How long an aborted job may take to end. */
const ABORT_MS = 5000;

export function openQueue({ database, process, concurrency, handle, log, clock, pollMs = POLL_MS }: QueueOptions): TeamQueue {
  const [stopping, aborting] = [new AbortController(), new AbortController()];
  const limit = limited(concurrency);
  /** Each crew that has ended or will end, and when nothing is locked by it any more. */
  const leaving = new Map<Crew, Promise<unknown>>();
  let crew: Crew | null = null;
  let [isPaused, isWaiting] = [false, false];
  let hired = 0;
  const outage = outageOf(log);

  const work = async (team: string): Promise<void> => {
    await limit.enter();
    try {
      stopping.signal.throwIfAborted();
      await handle(team, aborting.signal);
    } finally {
      limit.leave();
    }
  };
  const hire = (): void => {
    if (crew || isPaused || isWaiting || stopping.signal.aborted) return;
    const failed = (message: string): void => (stopping.signal.aborted ? undefined : log(message));
    const disturbed = (error: unknown): void => {
      if (crew === mine) void waitForDatabase(error);
    };
    const answered = (): void => void (crew === mine && outage.end());
    const mine = startCrew(`${process}/${String(++hired)}`, { database, concurrency, pollMs, work, failed, answered, disturbed });
    crew = mine;
  };
  const dismiss = (): void => {
    const left = crew;
    crew = null;
    if (!left) return;
    const freed = left.dismiss().then(() => keepTrying({ clock, signal: stopping.signal }, () => freeJobs(database, left.name)));
    const forget = freed.then((isFree) => isFree && leaving.delete(left));
    leaving.set(left, forget);
  };
  const waitForDatabase = async (error: unknown): Promise<void> => {
    dismiss();
    isWaiting = true;
    await keepTrying({ clock, signal: stopping.signal, log, pauseMs: outage.begin(error) }, () => checkFleetSchema(database));
    isWaiting = false;
    hire();
  };

  hire();
  return {
    get running() {
      return limit.inside;
    },
    pause: () => {
      isPaused = true;
      dismiss();
    },
    resume: () => {
      isPaused = false;
      hire();
    },
    stop: async (graceMs) => {
      stopping.abort(new Error("The controller stops"));
      dismiss();
      await within(Promise.all(leaving.values()), { graceMs, clock, aborting });
      for (const { name } of leaving.keys()) await freeJobs(database, name).catch(() => undefined);
    },
  };
}

/** Waits for the end of all jobs, which are aborted after a while. */
async function within(
  ended: Promise<unknown>,
  { graceMs, clock, aborting }: { readonly graceMs: number; readonly clock: Clock; readonly aborting: AbortController },
): Promise<void> {
  const over = new AbortController();
  const abort = async (): Promise<void> => {
    await clock.sleep(graceMs, over.signal);
    aborting.abort(new Error("The controller stops"));
    await clock.sleep(ABORT_MS, over.signal);
  };
  await Promise.race([ended, abort()]);
  over.abort();
}

/** Logs when the database stops doing what the queue asks, each reason once, and when it does so again. */
function outageOf(log: (message: string) => void) {
  let [failures, reason] = [0, ""];
  return {
    /** How long to wait until the next attempt. */
    begin: (error: unknown): number => {
      const why = errorText(error);
      if (why !== reason) log(`The queue waits for its database: ${why}`);
      reason = why;
      return Math.min(RETRY_MS * 2 ** failures++, LONGEST_RETRY_MS);
    },
    end: (): void => {
      if (failures > 0) log("The queue goes on.");
      [failures, reason] = [0, ""];
    },
  };
}

interface Trying {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log?: (message: string) => void;
  /** Before the first attempt. By default none. */
  readonly pauseMs?: number;
}

/** Tries until it succeeds; false if the signal is aborted before. Logs why it does not succeed whenever that changes. */
async function keepTrying({ clock, signal, log, pauseMs = 0 }: Trying, attempt: () => Promise<void>): Promise<boolean> {
  let said = "";
  if (pauseMs > 0) await clock.sleep(pauseMs, signal).catch(() => undefined);
  for (;;) {
    try {
      await attempt();
      return true;
    } catch (error) {
      const why = errorText(error);
      if (why !== said) log?.(why);
      said = why;
    }
    if (signal.aborted) return false;
    await clock.sleep(RETRY_MS, signal).catch(() => undefined);
  }
}

/** Lets a limited number in at once: crews that leave and begin overlap. */
function limited(most: number) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    get inside() {
      return inside;
    },
    enter: async (): Promise<void> => {
      if (inside < most) inside++;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    leave: (): void => {
      const next = waiting.shift();
      if (next) next();
      else inside--;
    },
  };
}
