/** A part of the sources, with the tests nearest to it, quick ones only. */
export interface Part {
  /** A folder of `src`. */
  readonly name: string;
  readonly tests: readonly string[];
  /** Tests that take long: run for what the others miss. */
  readonly wider: readonly string[];
}

const APPLY = [
  "write",
  "write-order",
  "write-retries",
  "apply-plan",
  "apply-steps",
  "recovery",
  "run",
  "live-list",
  "list-records",
  "prepare",
  "windows",
  "summarize",
  "apply-diagnostics",
].map((name) => `core/apply/${name}`);

export const PARTS: readonly Part[] = [
  { name: "core/apply", tests: APPLY, wider: ["core/apply/crashes", "simulation/simulation"] },
  {
    name: "core/state",
    tests: [
      "journal",
      "document",
      "fold",
      "moves",
      "windowed-journal",
      "migrate-state",
      "encryption",
      "encrypted-journal",
      "backends",
      "local/local-store",
      "local/durability",
      "http/http-settings",
      "http/http-store",
      "http/http-locks",
      "http/http-faults",
      "s3/s3-store",
      "s3/s3-refusals",
      "s3/s3-faults",
      "pg/pg-rows",
      "pg/pg-server",
      "pg/pg-store",
      "pg/pg-access",
      "pg/pg-faults",
      "store-contract",
    ].map((name) => `core/state/${name}`),
    wider: ["core/apply/windows", "core/apply/run", "core/state/local/lock-schedules", "simulation/simulation"],
  },
  {
    name: "platform",
    tests: [
      "platform/node-files",
      "platform/node-place-files",
      "platform/node-process",
      "platform/make-folder",
      "platform/node-clock",
      "platform/node-user-folder",
      "core/state/local/durability",
      "core/state/local/local-store",
    ],
    wider: [],
  },
  {
    name: "service/api",
    tests: [
      "outcomes",
      "answers",
      "lists",
      "list-proof",
      "service-path",
      "resources",
      "proxy",
      "temporary-target",
      "pacing",
      "pacing-service",
      "pacing-shared",
      "pacing-faults",
      "pacing-simulation",
      "client-and-sandbox",
    ].map((name) => `service/${name}`),
    wider: [],
  },
];

/** A mutant that behaves like the source. */
export interface Equivalent {
  readonly file: string;
  /** The line of the source, trimmed. */
  readonly line: string;
  readonly kind: string;
  readonly reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [];
