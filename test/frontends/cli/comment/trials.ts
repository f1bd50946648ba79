import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  comment: {
    lines: ["comment --dry-run saved.plan", "comment"],
    story: { words: "comment --dry-run", out: "1 to add" },
    without: { service: 1, key: 1 },
    printsPlan: "comment --dry-run",
    untrusted: "comment --no-secrets --dry-run",
  },
};
