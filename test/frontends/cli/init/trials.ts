import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  init: {
    lines: ["init -c other/outreach.yaml"],
    story: { words: "init -c new.yaml", out: "new.yaml" },
    without: null,
    homePaths: ["init -c ~/outreach.yaml", "init -c ~/new/"],
    links: [{ ".gitignore": "../outside/a.yaml" }, "init"],
  },
};
