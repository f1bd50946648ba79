import { type CommandTrials, apply } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  "state list": {
    lines: ["state list", "state list --json"],
    story: { before: apply, words: "state list", out: "outreach_webhook.crm\n" },
    without: { service: 0, key: 0 },
  },
  "state show": {
    lines: ["state show outreach_webhook.a"],
    story: { before: apply, words: "state show outreach_webhook.crm", out: "hoo_000001" },
    without: { service: 0, key: 0 },
  },
  "state lock": {
    lines: ["state lock", "state lock --json"],
    story: { before: apply, words: "state lock", out: "is not locked" },
    without: { service: 0, key: 0 },
  },
  "state pull": {
    lines: ["state pull", "state pull --show-emails"],
    fails: /pull$/,
    story: { before: apply, words: "state pull", out: '"hoo_000001"' },
    without: { service: 0, key: 0 },
  },
  "state push": {
    lines: ["state push outreach.state.json"],
    story: {
      before: async (project) => {
        await apply(project);
        project.write("copy.json", (await project.run("state pull")).out);
        await project.run("state rm outreach_webhook.crm");
      },
      words: "state push --force copy.json",
      out: "copy.json",
    },
    without: { words: "state push nothing.json", service: 1, key: 1 },
    homePaths: ["state push ~/outreach.state.json"],
  },
  "state mv": {
    lines: ["state mv outreach_webhook.a outreach_webhook.z", "state mv outreach_webhook.z outreach_webhook.a"],
    story: {
      before: apply,
      words: "state mv outreach_webhook.crm outreach_webhook.replies",
      out: "outreach_webhook.replies",
    },
    without: { words: "state mv --dry-run outreach_webhook.crm outreach_webhook.b", service: 0, key: 0 },
  },
  "state rm": {
    lines: ["state rm outreach_webhook.c"],
    story: { before: apply, words: "state rm outreach_webhook.crm", out: "outreach_webhook.crm" },
    without: { words: "state rm --dry-run outreach_webhook.crm", service: 0, key: 0 },
  },
};
