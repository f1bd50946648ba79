import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  mcp: {
    lines: ["mcp"],
    // Its client has left.
    story: { words: "mcp", out: "" },
    without: null,
  },
};
