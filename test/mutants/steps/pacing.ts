import type { Step } from "../step.ts";

const PACE = "src/service/api/pace.ts";
const LOG = "src/service/api/request-counts.ts";

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
  {
    name: "log-is-shared",
    protects: "Processes that share a key stay within one limit.",
    file: "src/service/api/pacer.ts",
    source: "if (shared) await this.#exchange(shared, decide);\n      else decide(clock.monotonicMs());",
    without: "decide(clock.monotonicMs());",
    tests: ["service/pacing-shared"],
  },
  {
    name: "late-slots-are-renewed",
    protects: "A slot that others no longer keep free is not used.",
    file: "src/service/api/pacer.ts",
    source: "while (left > 0 && !this.#keepsSlots()) {",
    without: "while (left < 0) {",
    tests: ["service/pacing-shared"],
  },
  {
    name: "shared-log-is-locked",
    protects: "Processes that write the shared log at once lose no request of it.",
    file: LOG,
    source: "if (lock.withLock(() => exchangeNow(once))) return cleanUpOnce();",
    without: "exchangeNow(once);\n          return cleanUpOnce();",
    tests: ["service/pacing-shared"],
  },
  {
    name: "killed-holder-of-the-log",
    protects: "A killed holder of the shared log does not stop the others.",
    file: LOG,
    source: "        breakIfStale();",
    without: "",
    tests: ["service/pacing-faults", "service/pacing-shared"],
  },
  {
    name: "shared-log-is-private",
    protects: "A folder that others can write is not used.",
    file: LOG,
    source: "(found.uid === owner && (found.mode & 0o077) === 0)",
    without: "found.uid >= 0",
    tests: ["service/pacing-shared"],
  },
  {
    name: "shared-log-is-replaced",
    protects: "No process reads half of the shared log.",
    file: LOG,
    source: "files.renameSync(draft, path);",
    without: 'files.writeFileSync(path, files.readFileSync(draft, "utf8"));\n  files.unlinkSync(draft);',
    tests: ["service/pacing-simulation.deep", "service/pacing-shared"],
  },
];
