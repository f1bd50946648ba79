import type { CommandDefinition } from "../program/command-definition.ts";
import { VERSION } from "../version.ts";

export const versionCommand: CommandDefinition = {
  name: "version",
  description: "prints the version",
  example: { lines: ["outreach version"] },
  run: ({ out }) => {
    out(`outreach v${VERSION}\n`);
    return Promise.resolve(0);
  },
};
