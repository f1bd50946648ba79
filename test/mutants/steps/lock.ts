import type { Step } from "../step.ts";

const FILES = "src/core/state/local/lock-file.ts";
const LOCAL = "src/core/state/local/local-store.ts";
const SCHEDULES = ["core/state/local/lock-schedules.deep"];

/** What keeps two runs apart. */
export const LOCK: readonly Step[] = [
  {
    name: "lock-is-taken",
    protects: "Two runs do not change one state at once.",
    file: "src/operations/state/records.ts",
    source: "const lock = locks ? await store.lock(",
    without: "const lock = false ? await store.lock(",
    tests: ["frontends/cli/state/lock"],
  },
  {
    name: "lock-file-is-exclusive",
    protects: "Only one of many processes creates the lock.",
    file: FILES,
    source: "await this.#files.link(from, path).catch(",
    without: "await this.#files.rename(from, path).catch(",
    tests: SCHEDULES,
  },
  {
    name: "take-over-compares",
    protects: "A process that takes over a stale lock does not replace a fresh one.",
    file: FILES,
    source: "if ((await this.#idOf(this.#lockPath)) !== lockId) return false;",
    without: "",
    tests: SCHEDULES,
  },
  {
    name: "take-over-claims",
    protects: "Only one process changes a stale lock.",
    file: FILES,
    source: "if (!(await claim(path))) return false;",
    without: "await claim(path);",
    tests: SCHEDULES,
  },
  {
    name: "lock-is-stale-only-if-provably",
    protects: "A lock of another machine or container is not taken away.",
    file: LOCAL,
    source: 'const isEnded = seen.kind === "held" && (await fateOf(seen.last, process)) === "ended";',
    without: 'const isEnded = seen.kind === "held" && (await fateOf(seen.last, process)) !== "running";',
    tests: ["core/state/local/local-store", "core/state/local/lock-schedules.deep"],
  },
  {
    name: "lost-lock-refuses-writes",
    protects: "A run that lost its lock does not write the state.",
    file: LOCAL,
    source: "await locks.assertOwn(signal);",
    without: "",
    tests: ["core/state/local/local-store", "core/state/store-contract"],
  },
  {
    name: "lost-lock-refuses-intents",
    protects: "A run that lost its lock sends nothing more.",
    file: "src/core/state/run-journal.ts",
    source: "await assertLocked();",
    without: "",
    tests: ["core/apply/run", "frontends/cli/state/lock", "frontends/cli/apply/two-runs.deep"],
  },
  {
    name: "lost-lock-refuses-requests",
    protects: "Who takes the lock away before a request is sent has seen its intent.",
    file: "src/core/state/run-journal.ts",
    source: "beforeRequest: () => assertLocked(),",
    without: "beforeRequest: () => Promise.resolve(),",
    tests: ["core/apply/run"],
  },
  {
    name: "unsent-writes-are-over",
    protects: "A write that was certainly not sent is not called undecided.",
    file: "src/core/apply/write/store-intent.ts",
    source: 'await journal.record([{ kind: "failed", of: intentSeq, code: "not_sent" }]).catch(() => undefined);',
    without: "",
    tests: ["core/apply/run"],
  },
  {
    name: "lost-lock-is-told",
    protects: "A lock that was found to be lost ends the whole run.",
    file: "src/core/state/own-lock.ts",
    source:
      "lost.abort(new DiagnosticsError([lockLost(this.#name, id)]));\n      return lost.signal.reason as DiagnosticsError;",
    without: "return new DiagnosticsError([lockLost(this.#name, id)]);",
    tests: ["core/state/local/local-store", "core/state/store-contract"],
  },
  {
    name: "lost-lock-stops-the-run",
    protects: "A run whose lock was lost starts nothing more.",
    file: "src/operations/state/records.ts",
    source: "AbortSignal.any([context.stop, lock.lost])",
    without: "context.stop",
    tests: ["frontends/cli/state/lost-lock"],
  },
];
