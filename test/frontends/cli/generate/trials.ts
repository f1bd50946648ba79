import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  generate: {
    lines: ["generate --out generated.yaml", "generate --from-state --to hcl", "generate --from-state --to yaml"],
    story: {
      before: async ({ sandbox }) =>
        sandbox.add("webhooks", { _id: "hoo_theirs", targetUrl: "https://theirs.example.com/hooks" }),
      words: "generate",
      out: "id: hoo_theirs",
    },
    without: { service: 1, key: 1 },
    homePaths: ["generate --out=~/more.yaml"],
    links: [{ "new.yaml": "../outside/new.yaml" }, "generate --out new.yaml"],
  },
};
