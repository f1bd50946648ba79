import type { Command } from "commander";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { Filters } from "../../../../fleet/selection.ts";
import { collect } from "../../program/command-options.ts";
import { type FleetOptions, withDatabase } from "./fleet-options.ts";

/** The options of commands about one team of a fleet, or about all that filters find. */
export interface FilterOptions extends FleetOptions, Filters {
  readonly autoApprove: boolean;
  readonly ignoreFreeze?: boolean;
}

export function withFilters(command: Command): Command {
  return withDatabase(command)
    .option("--team <pattern>", "the teams with this name, where * stands for any text; repeatable", collect, [])
    .option("--group <key>", "the teams of this group, as outreach controller status shows it")
    .option("--failed", "the teams whose last run has failed", false)
    .option("--auto-approve", "with filters: do not ask for confirmation", false);
}

/** Whether filters choose the teams. Throws where a team is named, too, and where neither is given. */
export function isFiltered(
  { team, group, failed = false, onlyCreates = false }: Filters,
  { name, command }: { readonly name: string | undefined; readonly command: string },
): boolean {
  const given = [
    ...(team.length > 0 ? ["--team"] : []),
    ...(group === undefined ? [] : ["--group"]),
    ...(failed ? ["--failed"] : []),
    ...(onlyCreates ? ["--only-creates"] : []),
  ];
  if (given.length > 0 && name !== undefined)
    throw DiagnosticsError.of("options_conflict", "Conflicting options", {
      detail: `${given.join(" and ")} ${given.length === 1 ? "chooses" : "choose"} among all teams, and ${name} names one.`,
      hint: "Omit one of them.",
    });
  if (given.length === 0 && name === undefined)
    throw DiagnosticsError.of("team_missing", "No team named", {
      detail: `${command} is about one team, or about those that filters find.`,
      hint: `Name the team, or choose several with --team 'PATTERN', --group KEY or --failed. See the teams: outreach controller status`,
    });
  return given.length > 0;
}
