import type { CommandContext, ExitCode } from "../../command-context.ts";
import { type FleetOptions, withDatabase, withFleet } from "../../fleet/open-fleet.ts";
import { knownTeam } from "../../fleet/known-team.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";

export const controllerPauseCommand: CommandDefinition<FleetOptions, readonly [team: string]> = {
  name: "pause",
  description: "stops reconciling a team until outreach controller resume",
  example: { lines: ["outreach controller pause acme"] },
  declare: (command) => withDatabase(command).argument("<team>", "the name of a team"),
  run: (context, { options, operands: [team] }) => setPaused(context, team, { options, paused: true }),
};

/** A run in flight is finished. */
export function setPaused(
  context: CommandContext,
  team: string,
  { options, paused }: { readonly options: FleetOptions; readonly paused: boolean },
): Promise<ExitCode> {
  return withFleet<ExitCode>(context, options, async (store) => {
    await knownTeam(store, team, store.setPaused(team, paused));
    context.out(paused ? `${team} is paused. To go on: outreach controller resume ${team}\n` : `${team} is reconciled again, now and at each interval.\n`);
    return 0;
  });
}
