import { type CommandTrials, apply } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  audit: {
    lines: ["audit --older-than 1d", "audit --json"],
    story: { before: apply, words: "audit", out: "1 live webhook: 1 managed." },
    without: { service: 1, key: 1 },
    calls: [{ older_than_days: 1 }],
    showsUrls: ["audit", "audit --json"],
  },
};
