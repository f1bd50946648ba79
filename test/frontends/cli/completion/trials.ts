import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  completion: {
    lines: ["completion bash"],
    story: { words: "completion bash", out: "outreach" },
    without: null,
  },
};
