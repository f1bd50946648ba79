import { type Diagnostic, DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { nextController } from "../../fleet/next-controller.ts";
import { type FleetOptions, withDatabase, withFleet } from "../../fleet/open-fleet.ts";
import { knownTeam } from "../../fleet/known-team.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";

export const controllerRunCommand: CommandDefinition<FleetOptions, readonly [team: string]> = {
  name: "run",
  description: "has a controller reconcile a team now",
  example: { lines: ["outreach controller run acme"] },
  declare: (command) => withDatabase(command).argument("<team>", "the name of a team"),
  run: (context, { options, operands: [team] }) => requestRun(context, team, options),
};

function requestRun(context: CommandContext, team: string, options: FleetOptions): Promise<ExitCode> {
  return withFleet<ExitCode>(context, options, async (store) => {
    await knownTeam(store, team, await store.requestRun(team));
    if ((await store.team(team))?.state === "parked") throw new DiagnosticsError([parked(team)]);
    const { who, when } = await nextController(store);
    context.out(`${who} reconciles ${team}${when}. See the result: outreach controller status\n`);
    return 0;
  });
}

function parked(team: string): Diagnostic {
  return {
    code: "fleet_team_parked",
    severity: "error",
    summary: "The team is parked",
    detail: `The outcome of a write of ${team} is not known, so no controller reconciles it until somebody resumes it.`,
    hint: `See what is open: outreach plan --team ${team}\nThen settle it with outreach resolve, and go on: outreach controller resume ${team}`,
  };
}
