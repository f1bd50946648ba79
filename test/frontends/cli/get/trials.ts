import { type CommandTrials, apply } from "../program/command-trial.ts";

export const TRIALS: CommandTrials = {
  "get campaigns": {
    lines: ["get campaigns", "get campaigns --json"],
    story: { words: "get campaigns", out: "cam_000001" },
    without: { service: 1, key: 1 },
  },
  "get schedules": {
    lines: ["get schedules cam_000001"],
    story: { words: "get schedules cam_000001", out: "skd_000001" },
    without: { service: 1, key: 1 },
  },
  "get warmup": {
    lines: ["get warmup usm_000001"],
    story: { words: "get warmup usm_000001", out: "friendly" },
    without: { service: 1, key: 1 },
  },
  "get webhooks": {
    lines: ["get webhooks", "get webhooks --json"],
    story: { before: apply, words: "get webhooks", out: "hoo_000001" },
    without: { service: 1, key: 1 },
    showsUrls: ["get webhooks", "get webhooks --json"],
  },
};
