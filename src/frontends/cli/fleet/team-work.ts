import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { TeamWork } from "../../../fleet/team-work.ts";
import type { CommandContext } from "../command-context.ts";
import { arrangedDiagnostics } from "../screen/print-diagnostics.ts";
import { type ReadOptions, type FleetRead, readFleet } from "./read-fleet.ts";
import { type TeamRun, applyApproved, reconcileTeam } from "./reconcile-team.ts";
import { messagesOf } from "./run-result.ts";
import { openShared, withRun } from "./run-context.ts";

/** Plans and applies the teams of a configuration as `outreach apply` does, any number at once, for as long as the process lives. */
export function openTeamWork(context: CommandContext, options: ReadOptions): TeamWork {
  const shared = openShared(context);
  context.saveMemory?.();
  let current: FleetRead | null = null;
  const runOf = (team: string, signal: AbortSignal): TeamRun => {
    if (!current) throw new Error("no configuration was read");
    return { context: { ...context, readBefore: current.readBefore }, shared, options, team, signal };
  };
  return {
    read: (signal) =>
      withRun(context, { shared, team: null, signal }, async (run) => {
        try {
          const read = (await current?.again()) ?? (await readFleet(run.context, options, signal));
          current = read;
          return read.configuration;
        } catch (error) {
          if (!(error instanceof DiagnosticsError)) throw error;
          // Without its cause, which is not masked.
          throw new DiagnosticsError(messagesOf(run, arrangedDiagnostics(run.context, error.diagnostics, "out")));
        }
      }),
    reconcile: (team, auto, signal) => reconcileTeam(runOf(team, signal), auto),
    applyPlan: (team, plan, signal) => applyApproved(runOf(team, signal), plan),
  };
}
