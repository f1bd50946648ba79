import type { CommandTrials } from "../program/command-trial.ts";

/** With a database, the tests in this folder run them. */
export const TRIALS: CommandTrials = {
  controller: {
    lines: ["controller"],
    fails: /./,
    story: null,
    without: null,
  },
  "controller status": {
    lines: ["controller status", "controller status --json"],
    fails: /./,
    without: { words: "controller status", service: 1, key: 1 },
    story: null,
  },
  "controller set": {
    lines: ["controller set --auto none"],
    fails: /./,
    without: { words: "controller set --auto none", service: 1, key: 1 },
    story: null,
  },
  "controller run": {
    lines: ["controller run emea"],
    fails: /./,
    without: { words: "controller run emea", service: 1, key: 1 },
    story: null,
  },
  "controller adopt": {
    lines: ["controller adopt emea"],
    fails: /./,
    without: { words: "controller adopt emea", service: 1, key: 1 },
    story: null,
  },
  "controller pause": {
    lines: ["controller pause emea"],
    fails: /./,
    without: { words: "controller pause emea", service: 1, key: 1 },
    story: null,
  },
  "controller resume": {
    lines: ["controller resume emea"],
    fails: /./,
    without: { words: "controller resume emea", service: 1, key: 1 },
    story: null,
  },
  "controller approve": {
    lines: ["controller approve emea 6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
    fails: /./,
    without: { words: "controller approve emea b2600695-9ab3-401e-871b-e99656168a8d", service: 1, key: 1 },
    story: null,
  },
};
