import { firstFew } from "../../../core/model/words.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { FleetStore } from "../../../fleet/fleet-store.ts";

const MOST_NAMED = 10;

/** Throws `team_unknown` where the fleet does not know the team. */
export async function knownTeam(store: Pick<FleetStore, "teams">, team: string, isKnown: boolean): Promise<void> {
  if (isKnown) return;
  const names = (await store.teams()).map(({ name }) => name);
  throw new DiagnosticsError([
    {
      code: "team_unknown",
      severity: "error",
      summary: "Unknown team",
      detail: `The fleet has no team ${JSON.stringify(team)}. ${names.length === 0 ? "It has no teams yet." : `It has ${firstFew(names, MOST_NAMED)}.`}`,
      hint: "Correct the name. A new team is known once a controller has read it in the configuration.",
    },
  ]);
}
