import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  explain: {
    lines: ["explain outreach_webhook.a", "explain outreach_webhook.b --json"],
    story: { words: "explain outreach_webhook.crm", out: "An apply creates the webhook." },
    without: { service: 1, key: 1 },
    calls: [{ address: "outreach_webhook.crm" }],
  },
};
