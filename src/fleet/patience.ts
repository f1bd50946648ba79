import type { Clock } from "../core/model/ports.ts";
import { FleetUnavailable } from "./fleet-store.ts";
import type { FleetLog } from "./web/log.ts";

/** Asks the database until it answers. Throws what it refuses, and `FleetUnavailable` once `stop` is aborted. */
export type Patiently = <T>(ask: () => Promise<T>, stop: AbortSignal) => Promise<T>;

const RETRY_MS = 1000;

/** Logs when the database goes away, and when it is back. */
export function patiently({ clock, log }: { readonly clock: Clock; readonly log: FleetLog }): Patiently {
  let isAway = false;
  return async (ask, stop) => {
    for (;;) {
      try {
        const answer = await ask();
        if (isAway) log("info", "database-back", "The database answers again.");
        isAway = false;
        return answer;
      } catch (error) {
        if (!(error instanceof FleetUnavailable) || stop.aborted) throw error;
        if (!isAway) log("warn", "database-away", `The database does not answer: ${error.message} Waiting for it.`);
        isAway = true;
      }
      await clock.sleep(RETRY_MS, stop);
    }
  };
}
