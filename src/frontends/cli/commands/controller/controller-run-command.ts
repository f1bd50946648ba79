import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { assertKnown, nextController, withFleet } from "../../../../fleet/open-fleet.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FleetOptions, withDatabase } from "../../program/fleet-options.ts";

export const controllerRunCommand: CommandDefinition<FleetOptions, readonly [team: string]> = {
  name: "run",
  description: "has a controller reconcile a team now",
  example: { lines: ["outreach controller run acme"] },
  declare: (command) => withDatabase(command).argument("<team>", "the name of a team"),
  run: (context, { options, operands: [team] }) => requestRun(context, team, options),
};

function requestRun(context: CommandContext, team: string, options: FleetOptions): Promise<ExitCode> {
  return withFleet<ExitCode>(context, options, async (store) => {
    await assertKnown(store, team, await store.requestRun(team));
    const status = await store.team(team);
    if (status?.state === "parked") throw parked(team, status.message);
    const { who, when } = await nextController(store);
    context.out(`${who} reconciles ${team}${when}. See the result: outreach controller status\n`);
    return 0;
  });
}

function parked(team: string, message: string | null): DiagnosticsError {
  return DiagnosticsError.of("fleet_team_parked", "The team is parked", {
    detail: `No controller reconciles ${team} until somebody resumes it.${message === null ? "" : ` ${message}`}`,
    hint: `See what is open: outreach plan --team ${team}\nSettle an undecided outcome with outreach resolve. Then go on: outreach controller resume ${team}`,
  });
}
