/** A part of the sources, with the tests nearest to it, quick ones only. */
export interface Part {
  /** A folder of `src`. */
  readonly name: string;
  readonly tests: readonly string[];
  /** Tests that take long: run for what the others miss. */
  readonly wider: readonly string[];
}

const APPLY = [
  ...[
    "write",
    "write-order",
    "write-retries",
    "apply-plan",
    "apply-steps",
    "recovery",
    "resolve",
    "lost-creates",
    "run",
    "live-list",
    "list-records",
    "prepare",
    "resolve-secrets",
    "check-references",
    "windows",
    "summarize",
    "apply-diagnostics",
  ].map((name) => `core/apply/${name}`),
  ...[
    "configuration/campaign-ids",
    "configuration/checks",
    "apply/resolve",
    "apply/listing-delay",
    "plan/live-duplicates",
  ].map((name) => `frontends/cli/${name}`),
  "frontends/terraform/journal/recovery",
];

/** They apply what a whole configuration declares. */
const COMMAND = [
  "apply/restored",
  "apply/replace",
  "plan/guards",
  "apply/lifecycle",
  "apply/faults.deep",
  "plan/truncated-list",
  "plan/saved-plan",
  "import/adopt",
  "drift/drift",
  "apply/hidden-webhooks",
  "configuration/stack",
  "configuration/targets",
  "configuration/unsubscriptions",
  "configuration/statements",
  "program/json",
  "apply/request-counts",
].map((name) => `frontends/cli/${name}`);

export const PARTS: readonly Part[] = [
  {
    name: "core/apply",
    tests: APPLY,
    wider: [...COMMAND, "core/apply/random-runs.deep", "core/apply/crashes", "simulation/simulation.deep"],
  },
  {
    name: "core/state",
    tests: [
      ...[
        "journal",
        "document",
        "fold",
        "moves",
        "edit",
        "known-types",
        "pushable",
        "settings",
        "journal-event",
        "windowed-journal",
        "migrate-state",
        "encryption",
        "encryption-settings",
        "encrypted-journal",
        "backends",
        "local/local-store",
        "local/durability",
        "http/http-answers",
        "http/http-settings",
        "http/http-store.deep",
        "http/http-locks",
        "http/http-faults.deep",
        "s3/s3-store",
        "s3/s3-refusals",
        "s3/s3-faults",
        "pg/pg-rows",
        "pg/pg-server",
        "pg/pg-settings",
        "pg/pg-problems",
        "pg/pg-store",
        "pg/pg-access",
        "pg/pg-faults.deep",
        "store-contract",
      ].map((name) => `core/state/${name}`),
      ...["windows", "run", "recovery", "list-records"].map((name) => `core/apply/${name}`),
      "frontends/provider-journal/ledger-store",
      ...[
        "state/records",
        "state/state-messages",
        "state/migrate-state",
        "plan/saved-plan",
        "state/unknown-records",
      ].map((name) => `frontends/cli/${name}`),
    ],
    wider: ["core/state/local/lock-schedules.deep", "simulation/simulation.deep"],
  },
  {
    name: "platform",
    tests: [
      "platform/node-files",
      "platform/node-place-files",
      "platform/node-process",
      "platform/make-folder",
      "platform/node-clock",
      "platform/listener-limit",
      "core/state/local/durability",
      "core/state/local/local-store",
    ],
    wider: [],
  },
  {
    name: "service/api",
    tests: [
      ...[
        "outcomes",
        "answers",
        "inspect",
        "connection-problem",
        "lists",
        "list-proof",
        "service-path",
        "resources",
        "proxy",
        "node-web",
        "temporary-target",
        "rate-headers",
        "pacing",
        "pacing-service",
        "pacing-simulation.deep",
        "client-and-sandbox.deep",
      ].map((name) => `service/${name}`),
      ...["service/service", "plan/truncated-list", "apply/hidden-webhooks", "configuration/lists"].map(
        (name) => `frontends/cli/${name}`,
      ),
    ],
    wider: [],
  },
];

/** A mutant that behaves like the source. */
export interface Equivalent {
  readonly file: string;
  /** The line of the source, trimmed. */
  readonly line: string;
  readonly kind: string;
  /** What the mutant puts in its place. */
  readonly after: string;
  readonly reason: string;
}

const RESTORED = "src/core/apply/recovery/restored.ts";

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: "src/platform/node-files.ts",
    line: "const CHUNK_BYTES = 1024 * 1024;",
    kind: "number changed",
    after: "1025",
    reason: "Only more calls read the same bytes.",
  },
  {
    file: "src/platform/node-files.ts",
    line: 'if (flag === "wx") await disk.rm(path, { force: true }).catch(() => undefined);',
    kind: "truth changed",
    after: "false",
    reason: "The file is there, and a failure is ignored.",
  },
  {
    file: "src/service/api/node-exchange.ts",
    line: "for (let index = 0; index + 1 < raw.length; index += 2)",
    kind: "operator changed",
    after: "<=",
    reason: "Names and values come in pairs.",
  },
  {
    file: "src/core/state/local/lock-file.ts",
    line: "if (!(await this.isOwn())) return;",
    kind: "condition fixed",
    after: "((!(await this.isOwn())), false)",
    reason: "The claim compares the lock again before it removes it.",
  },
  ...[
    ["document", "{ ...moved, checksum: checksumOf(moved) }"],
    ["encryption/envelope", "{ ...header, data }"],
  ].map(([file = "", value = ""]) => ({
    file: `src/core/state/${file}.ts`,
    line: `return new TextEncoder().encode(\`\${JSON.stringify(${value}, null, 2)}\\n\`);`,
    kind: "number changed",
    after: "3",
    reason: "Only how it is indented.",
  })),
  {
    file: RESTORED,
    line: 'const intents = new Map(all.flatMap((event) => (event.kind === "intent" ? [[event.seq, event] as const] : [])));',
    kind: "condition fixed",
    after: '((event.kind === "intent"), true)',
    reason: "Events refer to intents only.",
  },
  {
    file: "src/core/apply/run/apply-plan.ts",
    line: "if (ahead !== undefined) windows?.withdraw(ahead);",
    kind: "condition fixed",
    after: "((ahead !== undefined), true)",
    reason: "Without windows, nothing was begun ahead, and with them, every step was.",
  },
  {
    file: "src/core/apply/run/plan-run.ts",
    line: "return place ? { ...diagnostic, place } : diagnostic;",
    kind: "condition fixed",
    after: "((place), true)",
    reason: "A place that is undefined is printed like none.",
  },
];
