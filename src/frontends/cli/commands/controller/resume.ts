import { type FleetOptions, withDatabase } from "../../fleet/open-fleet.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { setPaused } from "./pause.ts";

export const controllerResumeCommand: CommandDefinition<FleetOptions, readonly [team: string]> = {
  name: "resume",
  description: "goes on with a team that was paused, or parked for an undecided outcome",
  example: { lines: ["outreach controller resume acme"] },
  declare: (command) => withDatabase(command).argument("<team>", "the name of a team"),
  run: (context, { options, operands: [team] }) => setPaused(context, team, { options, paused: false }),
};
