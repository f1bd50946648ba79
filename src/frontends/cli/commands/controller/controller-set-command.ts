import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { withFleet } from "../../../../fleet/open-fleet.ts";
import { settingFlags } from "../../../../fleet/page/fleet-words.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FleetOptions, type SettingOptions, autoOption, historyOption, intervalOption, settingsGiven, withDatabase } from "../../program/fleet-options.ts";

export const controllerSetCommand: CommandDefinition<FleetOptions & SettingOptions> = {
  name: "set",
  description: "changes the settings of a fleet, for all its controllers",
  example: { lines: ["outreach controller set --auto all --interval 5m"] },
  declare: (command) => withDatabase(command).addOption(autoOption()).addOption(intervalOption()).addOption(historyOption()),
  run: async (context, { options }) => {
    const given = settingsGiven(options);
    if (settingFlags(given) === "")
      throw DiagnosticsError.of("setting_missing", "No setting to change", {
        detail: "Give at least one of --auto, --interval and --history.",
        hint: "See the settings of the fleet: outreach controller status",
      });
    return withFleet<ExitCode>(context, options, async (store) => {
      context.out(`The fleet now works with ${settingFlags(await store.change(given))}.\n`);
      return 0;
    });
  },
};
