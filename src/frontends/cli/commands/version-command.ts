import type { CommandDefinition } from "../program/command-definition.ts";
import { platformName } from "./provider/provider-mirror.ts";
import { VERSION } from "../../../operations/version.ts";

export const definition: CommandDefinition<{ readonly json: boolean }> = {
  description: "prints the version",
  example: { lines: ["outreach version"] },
  declare: (command) => void command.option("--json", "print JSON", false),
  run: ({ out, machine }, { options: { json } }) => {
    out(
      json
        ? `${JSON.stringify({ outreach_version: VERSION, platform: platformName(machine) }, null, 2)}\n`
        : `outreach v${VERSION}\n`,
    );
    return Promise.resolve(0);
  },
};
