import { assertKnown, nextController, withFleet } from "../../../../fleet/open-fleet.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FleetOptions, withDatabase } from "../../program/fleet-options.ts";

export const controllerPauseCommand: CommandDefinition<FleetOptions, readonly [team: string]> = {
  name: "pause",
  description: "stops reconciling a team until outreach controller resume",
  example: { lines: ["outreach controller pause acme"] },
  declare: (command) => withDatabase(command).argument("<team>", "the name of a team"),
  run: (context, { options, operands: [team] }) => pause(context, team, options),
};

/** A run in flight is finished. */
function pause(context: CommandContext, team: string, options: FleetOptions): Promise<ExitCode> {
  return withFleet<ExitCode>(context, options, async (store) => {
    await assertKnown(store, team, await store.pause(team));
    context.out(`${team} is paused. To go on: outreach controller resume ${team}\n`);
    return 0;
  });
}

export const controllerResumeCommand: CommandDefinition<FleetOptions, readonly [team: string]> = {
  name: "resume",
  description: "goes on with a team that was paused, or parked until a person has looked",
  example: { lines: ["outreach controller resume acme"] },
  declare: (command) => withDatabase(command).argument("<team>", "the name of a team"),
  run: (context, { options, operands: [team] }) => resume(context, team, options),
};

function resume(context: CommandContext, team: string, options: FleetOptions): Promise<ExitCode> {
  return withFleet<ExitCode>(context, options, async (store) => {
    const done = await store.resume(team);
    await assertKnown(store, team, done !== "unknown");
    if (done === "active") {
      context.out(`${team} is neither paused nor parked, so there was nothing to resume.\n`);
      return 0;
    }
    const { who, when } = await nextController(store);
    context.out(`${team} is resumed. ${who} reconciles it${when}.\n`);
    return 0;
  });
}
