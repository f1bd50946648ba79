import type { Clock } from "../core/model/ports.ts";
import { FleetUnavailable } from "./fleet-store.ts";
import type { FleetLog } from "./web/log.ts";

/** Outlives the database: work waits for it, and goes on. */
export interface Patience {
  /** Asks the database until it answers. Throws what it refuses, and once `stop` is aborted. */
  persistently<T>(ask: () => Promise<T>, stop: AbortSignal): Promise<T>;
  /** Takes a turn after each pause until `stop` is aborted. A turn that the database does not answer is left out. */
  every(pauseMs: number, stop: AbortSignal, turn: () => Promise<void>): Promise<void>;
}

const RETRY_MS = 1000;

export function openPatience({ clock, log }: { readonly clock: Clock; readonly log: FleetLog }): Patience {
  let isAway = false;
  const away = ({ message }: FleetUnavailable): void => {
    if (!isAway) log("warn", "database-away", `The database does not answer: ${message} Waiting for it.`);
    isAway = true;
  };
  const back = (): void => {
    if (isAway) log("info", "database-back", "The database answers again.");
    isAway = false;
  };
  return {
    persistently: async (ask, stop) => {
      for (;;) {
        try {
          const answer = await ask();
          back();
          return answer;
        } catch (error) {
          if (!(error instanceof FleetUnavailable) || stop.aborted) throw error;
          away(error);
        }
        await clock.sleep(RETRY_MS, stop);
      }
    },
    every: async (pauseMs, stop, turn) => {
      while (!stop.aborted) {
        try {
          await clock.sleep(pauseMs, stop);
          await turn();
          back();
        } catch (error) {
          if (stop.aborted) return;
          if (!(error instanceof FleetUnavailable)) throw error;
          away(error);
        }
      }
    },
  };
}
