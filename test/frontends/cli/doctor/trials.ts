import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  doctor: {
    lines: ["doctor", "doctor --json", "doctor --receivers", "doctor --receivers --allow crm.example.com --json"],
    fails: /--receivers/,
    story: { words: "doctor", out: "0 webhooks, as an array" },
    without: { service: 1, key: 1 },
  },
};
