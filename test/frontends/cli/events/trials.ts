import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  events: {
    lines: ["events --json"],
    story: { words: "events", out: "emailsReplied" },
    without: { service: 0, key: 0 },
    calls: [{}],
  },
};
