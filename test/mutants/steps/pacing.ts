import type { Step } from "../step.ts";

const PACE = "src/service/api/pace.ts";

/** What keeps requests within the service's limit. */
export const PACING: readonly Step[] = [
  {
    name: "pause-is-kept",
    protects: "Nothing is sent while the service asks to wait.",
    file: PACE,
    source: "if (retryMs !== null) pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + retryMs);",
    without: "",
    tests: ["service/pacing", "service/pacing-service"],
  },
  {
    name: "other-clients-count",
    protects: "Requests of other clients of the key count too.",
    file: PACE,
    source: "return Math.max(0, counted.used - known);",
    without: "return Math.max(0, 0 * (counted.used - known));",
    tests: ["service/pacing", "service/pacing-service"],
  },
];
