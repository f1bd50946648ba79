import { type CommandTrials, apply } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  "report unsubscriptions": {
    lines: ["report unsubscriptions", "report unsubscriptions --format csv", "report unsubscriptions --format json"],
    story: { before: apply, words: "report unsubscriptions", out: "Nobody was unsubscribed" },
    without: { service: 0, key: 0 },
  },
};
