import { DiagnosticsError, type Place } from "../../core/model/diagnostic.ts";
import { arrangedDiagnostics } from "../../operations/messages/arrange-diagnostics.ts";
import type { Origin, OriginNow } from "../configuration/configuration-origin.ts";
import { type FleetRead, readFleetConfiguration } from "../configuration/read-fleet-configuration.ts";
import type { FleetStore } from "../fleet-store.ts";
import type { RunFacts, TeamWork } from "../team-work.ts";
import { type TeamTask, applyApproved, reconcileTeam } from "./reconcile-team.ts";
import { messagesOf } from "./team-result.ts";
import { type TeamContext, openShared, withTeamRun } from "./team-run.ts";

const NO_FACTS: RunFacts = { seen: null, hangsAfterMs: 30_000 };

/** Plans and applies the teams of a configuration as `outreach apply` does, any number at once, for as long as the process lives. */
export function openTeamWork(context: TeamContext, originNow: OriginNow, fleet: Pick<FleetStore, "removedTeams">): TeamWork {
  const shared = openShared(context);
  context.saveMemory?.();
  let current: { readonly origin: Origin; readonly read: FleetRead } | null = null;
  const runOf = (team: string, signal: AbortSignal, facts: RunFacts = NO_FACTS): TeamTask => {
    if (!current) throw new Error("no configuration was read");
    const { origin, read } = current;
    return { context: { ...context, ...origin.context, configuration: read.read }, shared, options: origin.options, fleet, team, signal, ...facts };
  };
  return {
    read: (signal) =>
      withTeamRun(context, { shared, team: null, signal }, async (run) => {
        try {
          const origin = await originNow();
          if (!origin) return null;
          const again = current?.origin === origin ? await current.read.again() : null;
          const read = again ?? (await readFleetConfiguration({ ...run.context, ...origin.context }, origin.options, { signal, commit: origin.record.commit }));
          current = { origin, read };
          return { ...read.configuration, ...origin.record };
        } catch (error) {
          if (!(error instanceof DiagnosticsError)) throw error;
          const found = arrangedDiagnostics(run.context, error.diagnostics, { hidesEmails: true });
          const places = found.map(({ place }) => (place ? { place: withoutText(place) } : {}));
          // Without its cause, which is not masked.
          throw new DiagnosticsError(messagesOf(run, found).map((message, index) => ({ ...message, ...places[index] })));
        }
      }),
    reconcile: (team, auto, signal, facts) => reconcileTeam(runOf(team, signal, facts), auto),
    applyPlan: (team, plan, signal, facts) => applyApproved(runOf(team, signal, facts), plan),
  };
}

/** The text of the line is not masked. */
function withoutText({ text: _, caret: __, ...place }: Place): Place {
  return place;
}
