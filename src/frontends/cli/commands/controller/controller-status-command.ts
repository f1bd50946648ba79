import { Option } from "commander";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { TeamState } from "../../../../fleet/fleet-store.ts";
import { assertKnown, withFleet } from "../../../../fleet/open-fleet.ts";
import { STATES, isFound, takeFleetSnapshot, takeTeamSnapshot } from "../../../../fleet/page/fleet-snapshot.ts";
import { membersOf } from "../../../../fleet/page/team-groups.ts";
import { statusJson, statusText, teamStatusJson, teamStatusText } from "../../../../fleet/page/fleet-status.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FleetOptions, withDatabase } from "./fleet-options.ts";

interface StatusOptions extends FleetOptions {
  readonly state?: TeamState;
  readonly group?: string;
  readonly json: boolean;
}

export const definition: CommandDefinition<StatusOptions, readonly [team?: string]> = {
  description:
    "shows the teams of a fleet, or one of them: what was done and by whom it was approved, what failed, and what waits for approval",
  example: {
    lines: [
      "outreach controller status --state failed",
      "outreach controller status --group 4f1c8a529d",
      "outreach controller status acme",
    ],
  },
  declare: (command) =>
    withDatabase(command)
      .argument("[team]", "the name of a team, for its plan, its last runs and its changes")
      .addOption(
        new Option("--state <state>", "only teams in this state; failed and waiting also find teams that run").choices([
          ...STATES,
        ]),
      )
      .option("--group <key>", "only the teams of this group, as outreach controller status shows it")
      .option("--json", "print JSON", false),
  run: (context, { options, operands: [name] }) =>
    withFleet<ExitCode>(context, options, async (store) => {
      if (name === undefined) {
        const fleet = await takeFleetSnapshot(store);
        const { state, group = null } = options;
        const ofGroup = group === null ? fleet.teams : membersOf(fleet.teams, group);
        const shown = { ...fleet, teams: ofGroup.filter((team) => state === undefined || isFound(team, state)) };
        context.out(options.json ? statusJson(shown, context.version) : statusText(shown, group));
        return 0;
      }
      const filters = [
        ...(options.state === undefined ? [] : ["--state"]),
        ...(options.group === undefined ? [] : ["--group"]),
      ];
      if (filters.length > 0) throw oneTeamOrSeveral(name, filters);
      const team = await takeTeamSnapshot(store, name);
      await assertKnown(store, name, team !== null);
      if (team) context.out(options.json ? teamStatusJson(team, context.version) : teamStatusText(team));
      return 0;
    }),
};

function oneTeamOrSeveral(team: string, filters: readonly string[]): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: `${filters.join(" and ")} ${filters.length === 1 ? "filters" : "filter"} all teams, and ${team} names one.`,
    hint: "Omit one of them.",
  });
}
