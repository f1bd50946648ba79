import { DiagnosticsError } from "../core/model/diagnostic.ts";
import type { HostPattern } from "../core/model/host-pattern.ts";
import type { FleetStore } from "./database/pg-fleet-store.ts";
import { FleetUnavailable } from "./fleet-store.ts";
import type { FleetLog } from "./observe/fleet-log.ts";
import type { TeamResult, TeamWork } from "./team-work.ts";

/** Verifies the receivers of teams after their runs, each team once an interval for all processes. */
export interface ReceiverVerifier {
  afterRun(team: string, outcome: TeamResult["outcome"], signal: AbortSignal): Promise<void>;
}

export interface VerifierPorts {
  readonly store: Pick<FleetStore, "claimVerification" | "storeReceivers">;
  readonly work: Pick<TeamWork, "verify">;
  readonly log: FleetLog;
  /** The hosts that get events, as the operator of this process has named them. */
  readonly allow: readonly HostPattern[];
  readonly intervalMs: number;
}

/** Receivers that do not answer take long: most workers go on with runs. */
const MOST_AT_ONCE = 2;
/** After these, the state is as the configuration says, or a plan waits. */
const SETTLED: readonly TeamResult["outcome"][] = ["unchanged", "applied", "waiting"];

export function openVerifier({ store, work, log, allow, intervalMs }: VerifierPorts): ReceiverVerifier {
  let underWay = 0;
  const verify = async (team: string, signal: AbortSignal): Promise<void> => {
    if (!(await store.claimVerification(team, intervalMs))) return;
    const receivers = await work.verify(team, allow, signal);
    await store.storeReceivers(team, receivers);
    for (const { address, text } of receivers.filter(({ isOk }) => !isOk))
      log("warn", "receiver-failed", `${address}: ${text}`, { team });
  };
  return {
    afterRun: async (team, outcome, signal) => {
      if (!SETTLED.includes(outcome) || underWay >= MOST_AT_ONCE) return;
      underWay++;
      try {
        await verify(team, signal);
      } catch (error) {
        // Done again after the interval. What the database or the end of the process has stopped is no finding.
        if (signal.aborted || error instanceof FleetUnavailable) return;
        if (!(error instanceof DiagnosticsError)) throw error;
        log(
          "warn",
          "verify-failed",
          error.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join(" "),
          { team },
        );
      } finally {
        underWay--;
      }
    },
  };
}
