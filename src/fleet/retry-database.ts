import type { Clock } from "../core/model/ports.ts";
import { FleetMissing, FleetUnavailable } from "./fleet-store.ts";
import type { FleetLog } from "./observe/fleet-log.ts";

/** Asks the database until it answers. Throws what it refuses, and `FleetUnavailable` once `stop` is aborted. */
export type RetryDatabase = <T>(ask: () => Promise<T>, stop: AbortSignal) => Promise<T>;

export interface RetryPorts {
  readonly clock: Clock;
  readonly log: FleetLog;
  /** From 0 to less than 1. */
  readonly chance: () => number;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;

/** Logs when the database goes away, each kind of reason once, and when it is back. */
export function retryDatabase({ clock, log, chance }: RetryPorts): RetryDatabase {
  const logged = new Set<string>();
  return async (ask, stop) => {
    for (let longestMs = FIRST_PAUSE_MS; ; longestMs = Math.min(2 * longestMs, LONGEST_PAUSE_MS)) {
      try {
        const answer = await ask();
        if (logged.size > 0) log("info", "database-back", "The database is available again.");
        logged.clear();
        return answer;
      } catch (error) {
        if (!(error instanceof FleetUnavailable) || stop.aborted) throw error;
        // A controller that runs creates no tables: it would get in the way of a restore.
        const way =
          error instanceof FleetMissing
            ? "Waiting for a restore. To begin with an empty fleet, restart a controller."
            : "Waiting for it.";
        const reason = sqlState(error);
        if (!logged.has(reason)) log("warn", "database-away", `The database is not available: ${error.message} ${way}`);
        logged.add(reason);
      }
      // Controllers that lost it together do not come back together.
      await clock.sleep(Math.round((longestMs * (1 + chance())) / 2), stop);
    }
  };
}

/** What the server says, as behind a connection that was lost. Empty: it says nothing. */
function sqlState(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : sqlState(error.cause);
}
