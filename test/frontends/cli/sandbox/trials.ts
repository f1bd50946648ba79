import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  sandbox: {
    lines: ["sandbox --port 0"],
    serves: /http:\/\/127\.0\.0\.1:\d+/,
    story: null,
    without: null,
    homePaths: ["sandbox --port 0 --seed=~/records.json"],
  },
  "sandbox trigger": {
    lines: ["sandbox trigger emailsReplied", "sandbox trigger nothing"],
    fails: /nothing/,
    story: { words: "sandbox trigger emailsReplied", out: "act_000001  emailsReplied  no webhook" },
    without: { service: 1, key: 0 },
  },
};
