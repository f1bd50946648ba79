import { type CommandTrials, apply } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  drift: {
    lines: ["drift", "drift --format markdown", "drift --format json"],
    story: { before: apply, words: "drift", out: "No drift." },
    without: { service: 1, key: 1 },
    calls: [{}],
  },
};
