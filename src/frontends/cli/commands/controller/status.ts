import { readFleet } from "../../../../fleet/web/fleet-snapshot.ts";
import { statusJson, statusText } from "../../../../fleet/web/status.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { type FleetOptions, withDatabase, withFleet } from "../../fleet/open-fleet.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";

interface StatusOptions extends FleetOptions {
  readonly json: boolean;
}

export const controllerStatusCommand: CommandDefinition<StatusOptions> = {
  name: "status",
  description: "shows all teams of a fleet: what was done, what failed, and what waits for approval",
  example: { lines: ["outreach controller status --database postgres://outreach@db.example.com/fleet"] },
  declare: (command) => withDatabase(command).option("--json", "print JSON", false),
  run: (context, { options }) => status(context, options),
};

function status(context: CommandContext, options: StatusOptions): Promise<ExitCode> {
  return withFleet<ExitCode>(context, options, async (store) => {
    const fleet = await readFleet(store, context.clock.now());
    context.out(options.json ? statusJson(fleet, context.version) : statusText(fleet));
    return 0;
  });
}
