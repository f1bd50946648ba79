import type { CommandTrials } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  listen: {
    lines: ["listen --port 0 --secret env:ENV_SECRET"],
    serves: /http:\/\/127\.0\.0\.1:\d+/,
    story: null,
    without: null,
    homePaths: ["listen --port 0 --save=~/events"],
    links: [{ events: "../outside" }, "listen --port 0 --secret env:S --save events"],
  },
  "listen replay": {
    lines: ["listen replay event.json --to http://127.0.0.1:9/hooks --secret env:ENV_SECRET"],
    fails: /./,
    story: {
      before: async (project) => project.write("events/1.json", "[]"),
      words: "listen replay events --to 9",
      out: "events/1.json  the file is not a JSON object\n0 of 1 event was accepted.\n",
      code: 1,
    },
    without: { words: "listen replay nowhere.json --to 9", service: 1, key: 1 },
  },
};
