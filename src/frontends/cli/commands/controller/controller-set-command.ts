import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { isoTime } from "../../../../core/model/iso-time.ts";
import { firstFew } from "../../../../core/model/words.ts";
import type { FleetStore } from "../../../../fleet/database/pg-fleet-store.ts";
import { withFleet } from "../../../../fleet/open-fleet.ts";
import { changedFlags, countText, settingFlags } from "../../../../fleet/page/fleet-words.ts";
import { namedTeams } from "../../../../fleet/selection.ts";
import type { Auto } from "../../../../fleet/team-work.ts";
import type { ExitCode } from "../../command-context.ts";
import { asker } from "./controller-team-commands.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { collect } from "../../program/command-options.ts";
import {
  type FleetOptions,
  type HoldOptions,
  type SettingOptions,
  autoOption,
  historyOption,
  intervalOption,
  settingsGiven,
  withDatabase,
  withHold,
} from "./fleet-options.ts";

interface SetOptions extends FleetOptions, HoldOptions, Omit<SettingOptions, "auto"> {
  /** False: the teams follow the fleet's policy. */
  readonly auto?: Auto | false;
  readonly team: readonly string[];
}

const MOST_NAMED = 10;

export const definition: CommandDefinition<SetOptions> = {
  description: "changes the settings of a fleet, for all its controllers, or the policy of some teams",
  example: {
    lines: ["outreach controller set --auto all --interval 5m", "outreach controller set --team 'bank-*' --auto none"],
  },
  declare: (command) =>
    withHold(withDatabase(command).addOption(autoOption()).addOption(intervalOption()).addOption(historyOption()))
      .option(
        "--team <pattern>",
        "with --auto: the policy of the teams with this name, where * stands for any text; repeatable",
        collect,
        [],
      )
      .option("--no-auto", "with --team: the teams follow the fleet's policy again"),
  run: async (context, { options }) => {
    const { auto, team, ...rest } = options;
    if (options.reason !== undefined && typeof options.freeze !== "number")
      throw wrongTogether("--reason says why a fleet is frozen", "Give --freeze, too.");
    if (team.length > 0 || auto === false) {
      const others = Object.values(settingsGiven(rest)).some((value) => value !== undefined);
      if (others || auto === undefined || team.length === 0)
        throw wrongTogether(
          "The policy is the only setting of a team, and only a team follows the fleet's",
          "Give --team with --auto POLICY or --no-auto, and nothing else.",
        );
      return withFleet<ExitCode>(context, options, async (store) => {
        context.out(`${await changeTeams(store, { patterns: team, auto, by: asker(context) })}\n`);
        return 0;
      });
    }
    const given = settingsGiven({ ...rest, ...(auto === undefined ? {} : { auto }) });
    if (Object.values(given).every((value) => value === undefined))
      throw DiagnosticsError.of("setting_missing", "No setting to change", {
        detail: "Give at least one of --auto, --interval, --history, --freeze and --no-freeze.",
        hint: "See the settings of the fleet: outreach controller status",
      });
    return withFleet<ExitCode>(context, options, async (store) => {
      if (given.freeze) await assertToCome(store, given.freeze.untilMs);
      context.out(
        `The fleet now works with ${settingFlags(await store.change(given, { by: asker(context), settings: changedFlags(given) }))}.\n`,
      );
      return 0;
    });
  },
};

interface TeamsChange {
  readonly patterns: readonly string[];
  readonly auto: Auto | false;
  readonly by: string;
}

async function changeTeams(store: FleetStore, { patterns, auto, by }: TeamsChange): Promise<string> {
  const names = namedTeams(await store.teams(), patterns).map(({ name }) => name);
  const changed = await store.changeTeams(names, auto === false ? null : auto, {
    by,
    settings: auto === false ? "--no-auto" : `--auto ${auto}`,
  });
  return `${countText(changed.length, "team")} now ${changed.length === 1 ? "works" : "work"} with ${auto === false ? "the fleet's policy" : `--auto ${auto}`}: ${firstFew(changed.toSorted(), MOST_NAMED)}.`;
}

/** A freeze that is over would end the one in force, and nobody would see it. */
async function assertToCome(store: FleetStore, untilMs: number): Promise<void> {
  if (untilMs > (await store.times()).atMs) return;
  throw DiagnosticsError.of("fleet_freeze_over", "The freeze would be over at once", {
    detail: `${isoTime(untilMs)} is over, so nothing would be frozen. Nothing was changed.`,
    hint: "To end the freeze: outreach controller set --no-freeze",
  });
}

function wrongTogether(detail: string, hint: string): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", { detail: `${detail}.`, hint });
}
