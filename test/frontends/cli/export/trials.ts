import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  export: {
    lines: ["export cam_000001", "export cam_000001 --wait", "export cam_000001 --out export.csv"],
    story: { words: "export cam_000001", out: "axp_000001" },
    without: { service: 1, key: 1 },
    homePaths: ["export cam_000001 --out=~/leads.csv"],
    links: [{ "all.csv": "../outside/all.csv", out: "../outside" }, "export cam_000001 --out out/all.csv"],
  },
};
