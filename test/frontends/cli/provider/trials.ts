import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  "provider install": {
    lines: ["provider install mirror"],
    story: { words: "provider install", out: "provider_installation {" },
    without: null,
    homePaths: ["provider install ~/mirror", "provider install ~", "provider install mirror --archives=~/release"],
  },
};
