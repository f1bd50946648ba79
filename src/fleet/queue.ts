import { withinTime } from "../core/model/async.ts";
import { errorText } from "../core/model/diagnostic.ts";
import type { Clock } from "../core/model/ports.ts";
import type { BegunRun, MostRuns } from "./fleet-store.ts";

export interface QueueOptions {
  /** How many teams are reconciled at once. */
  readonly workers: number;
  /** Begins the runs of teams that are due, see `FleetStore`. Waits for the database, until `stop` is aborted. */
  readonly begin: (most: MostRuns, stop: AbortSignal) => Promise<readonly BegunRun[]>;
  /** Carries a run out, and records its end. `signal`: the queue stops and cannot wait longer. */
  readonly run: (run: BegunRun, signal: AbortSignal) => Promise<void>;
  /** Receives why a run has ended without a record. */
  readonly log: (message: string) => void;
  readonly clock: Clock;
  /** How often the queue looks for teams that have become due. */
  readonly pollMs?: number;
}

/** Reconciles the teams that are due, from the moment it is opened. */
export interface TeamQueue {
  /** How many teams are being reconciled. */
  readonly running: number;
  /** Rejects with the fault that has ended the queue. */
  readonly failed: Promise<never>;
  /** Begins no new runs. Those that run continue. */
  pause(): void;
  resume(): void;
  /** Begins no new runs, waits for those that run, and aborts them after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

const POLL_MS = 1000;
/** The share of the workers for teams that failed last time. */
const FAILING_SHARE = 0.2;
/** How long an aborted run may take to end. */
const ABORT_MS = 5000;

export function openQueue({ workers, begin, run, log, clock, pollMs = POLL_MS }: QueueOptions): TeamQueue {
  const [stopping, aborting] = [new AbortController(), new AbortController()];
  const running = new Map<BegunRun, Promise<void>>();
  let [isPaused, mayMoreBeDue] = [false, true];
  let wake = (): void => undefined;

  const carryOut = async (one: BegunRun): Promise<void> => {
    try {
      await run(one, aborting.signal);
    } catch (error) {
      if (!aborting.signal.aborted) log(errorText(error));
    } finally {
      running.delete(one);
      if (mayMoreBeDue) wake();
    }
  };
  const beginSome = async (): Promise<void> => {
    const free = workers - running.size;
    if (isPaused || free === 0) return;
    const failing = [...running.keys()].filter(({ failures }) => failures > 0).length;
    const begun = await begin(
      { runs: free, failing: Math.max(0, Math.ceil(workers * FAILING_SHARE) - failing) },
      stopping.signal,
    );
    for (const one of begun) running.set(one, carryOut(one));
    mayMoreBeDue = begun.length === free;
  };
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await beginSome();
      if (mayMoreBeDue && !isPaused && running.size < workers) continue;
      const woken = new AbortController();
      wake = () => woken.abort();
      await clock.sleep(pollMs, woken.signal).catch(() => undefined);
    }
  };

  const worked = work();
  return {
    get running() {
      return running.size;
    },
    failed: new Promise((_, reject) => {
      worked.catch((error: unknown) => (stopping.signal.aborted ? undefined : reject(error as Error)));
    }),
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      if (!isPaused) return;
      [isPaused, mayMoreBeDue] = [false, true];
      wake();
    },
    stop: async (graceMs) => {
      stopping.abort(new Error("The controller stops"));
      wake();
      const ended = worked.catch(() => undefined).then(() => Promise.all(running.values()));
      await withinTime<unknown>(ended, graceMs, clock, () => {
        aborting.abort(new Error("The controller stops"));
        return withinTime<unknown>(ended, ABORT_MS, clock, () => undefined);
      });
    },
  };
}
