import * as fc from "fast-check";
import { type Diagnostic, DiagnosticsError } from "../../src/core/model/diagnostic.ts";
import { chooseStore } from "../../src/core/state/backends.ts";
import { acquireLock, heldLock } from "../../src/core/state/pg/pg-lock.ts";
import { PgRefused, type PgRow } from "../../src/core/state/pg/pg-connection.ts";
import { readState } from "../../src/core/state/open-state.ts";
import type { StateStore, StorePorts } from "../../src/core/state/state-store.ts";
import { diagnosticText } from "../../src/output/content/diagnostic-text.ts";
import { plain } from "../../src/output/content/paint.ts";
import { type Web, WebFailure, type WebResponse } from "../../src/core/model/web.ts";
import { memoryFiles } from "../core/state/memory-files.ts";
import { answeringSession } from "../core/state/pg/answering-session.ts";
import { HOLDER, NEVER, countingRandom, processOf } from "../core/state/state-fixtures.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { type Json, TEXT, VALUE, jsonText, mutatedJson } from "./arbitraries.ts";
import { expectPrintable } from "./product.ts";
import { target } from "./target.ts";

const LOCK: Json = {
  ID: "uuid-1",
  Operation: "apply",
  Info: "",
  Who: "ada@here",
  Version: "1",
  Created: "2026-01-01T00:00:00Z",
  Path: "",
};
const XML =
  '<?xml version="1.0"?><Error><Code>PreconditionFailed</Code><Message>m</Message><Endpoint>e</Endpoint></Error>';

const BODY = fc.oneof(
  { weight: 3, arbitrary: jsonText(mutatedJson([LOCK, { message: "no", error: "e" }, { encryption: 1 }])) },
  { weight: 1, arbitrary: VALUE.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: TEXT },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("Code", "Message", "Endpoint", "Region"), TEXT)
      .map(([name, text]) => XML.replace(`<${name}>`, `<${name}>${text}`)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      `<Error>${"<a>".repeat(50_000)}`,
      "<!DOCTYPE a [<!ENTITY b 'c'>]>&b;",
      `<Code>${"&lt;".repeat(50_000)}`,
    ),
  },
);
const HEADERS = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "etag",
        "x-amz-request-id",
        "x-amz-bucket-region",
        "location",
        "retry-after",
        "content-md5",
        "date",
        "x-amz-version-id",
      ),
      TEXT,
    ),
    { maxLength: 4 },
  )
  .map((entries) => Object.fromEntries(entries));
const ANSWER = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      status: fc.constantFrom(
        200,
        200,
        200,
        201,
        204,
        304,
        301,
        400,
        401,
        403,
        404,
        404,
        405,
        409,
        412,
        423,
        429,
        500,
        503,
        0,
        999,
      ),
      headers: HEADERS,
      body: BODY,
    }),
  },
  { weight: 1, arbitrary: fc.record({ lost: TEXT, sent: fc.boolean() }) },
);
type Answer = typeof ANSWER extends fc.Arbitrary<infer T> ? T : never;

function fakeWeb(answers: readonly Answer[]): Web {
  let sent = 0;
  return {
    close: () => undefined,
    send: ({ url }): Promise<WebResponse> => {
      if (url.origin !== "https://states.example" && url.origin !== "https://bucket.s3.eu-north-1.amazonaws.com")
        throw new Error(`sent to ${url.href}`);
      const answer = answers[Math.min(sent++, answers.length - 1)];
      if (!answer || "lost" in answer)
        return Promise.reject(new WebFailure(answer?.lost ?? "", { sent: answer?.sent ?? true }));
      return Promise.resolve({
        status: answer.status,
        headers: answer.headers,
        body: new TextEncoder().encode(answer.body),
      });
    },
  };
}

function portsWith(web: Web): StorePorts {
  return {
    files: memoryFiles(),
    clock: virtualClock(),
    random: countingRandom(),
    process: processOf(),
    environment: { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "aws-secret", AWS_REGION: "eu-north-1" },
    web: () => Promise.resolve(web),
    reveal: () => Promise.resolve("the-password"),
    hide: () => undefined,
    timeoutMs: 1000,
  };
}

const PLACES = {
  http: {
    backend: "http",
    settings: { address: "https://states.example/a", lock_address: "https://states.example/lock", retry_max: 1 },
  },
  s3: { backend: "s3", settings: { bucket: "bucket", key: "a/state.json", region: "eu-north-1" } },
} as const;
const OPERATIONS = ["ready", "read", "write", "lock", "locked-write", "unlock", "held", "backup"] as const;

async function perform(store: StateStore, operation: (typeof OPERATIONS)[number]): Promise<unknown> {
  if (operation === "ready") return store.assertReady(NEVER);
  if (operation === "read") return readState(store, countingRandom(), NEVER);
  if (operation === "write") return store.write(new Uint8Array(3), null, NEVER);
  if (operation === "unlock") return store.forceUnlock("x", NEVER);
  if (operation === "held") return store.heldLock(NEVER);
  if (operation === "backup") return store.backup?.read(NEVER);
  const shown: string[] = [];
  const lock = await store.lock(HOLDER, 2000, NEVER, (holder) => void shown.push(holder));
  for (const holder of shown) expectPrintable(holder);
  try {
    if (operation === "locked-write") await store.write(new Uint8Array(3), null, NEVER);
  } finally {
    await lock.release();
  }
  return null;
}

/** Errors are diagnostics that a terminal can show. */
async function expectTold(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    for (const one of error.diagnostics) expectPrintable(diagnosticText(one, plain));
    return false;
  }
}

export const STORES = target({
  name: "stores",
  share: 6,
  cases: fc.record({
    backend: fc.constantFrom("http", "s3"),
    operation: fc.constantFrom(...OPERATIONS),
    answers: fc.array(ANSWER, { minLength: 1, maxLength: 5 }),
  }),
  run: async ({ backend, operation, answers }) => {
    const ports = portsWith(fakeWeb(answers));
    const { value: open, diagnostics } = chooseStore(PLACES[backend], ports.environment);
    if (!open) throw new Error(JSON.stringify(diagnostics satisfies readonly Diagnostic[]));
    return expectTold(perform(await open(ports), operation));
  },
});

const HELD: Json = { lock_id: "x", holder: JSON.stringify(HOLDER) };
const TAKEN: Json = { taken: true, claimed: true, key: "1", session: 7, version: "v", bytes: "" };
const ROWS = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(mutatedJson([HELD, TAKEN, { taken: false }, { tables: true, schema: true }]), {
      minLength: 1,
      maxLength: 2,
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(jsonText(mutatedJson([HOLDER as unknown as Json])))
      .map(([holder]) => [{ lock_id: "x", holder }]),
  },
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.record({ code: fc.constantFrom("42P01", "42501", "XX000"), message: TEXT }) },
);

/** A column has a text, a number, a flag or null. */
function columns(row: object): PgRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}

export const DATABASES = target({
  name: "databases",
  share: 3,
  cases: fc.record({ answers: fc.array(ROWS, { minLength: 1, maxLength: 4 }), locks: fc.boolean() }),
  run: async ({ answers, locks }) => {
    let asked = 0;
    const session = answeringSession(() => {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer === undefined || !Array.isArray(answer))
        return Promise.reject(new PgRefused(answer as { code: string; message: string }, {}));
      return Promise.resolve(
        answer
          .filter((row) => typeof row === "object" && row !== null && !Array.isArray(row))
          .map((row) => columns(row as object)),
      );
    });
    const request = { holder: HOLDER, timeoutMs: 2000, signal: NEVER, waitsFor: expectPrintable };
    return expectTold(
      locks
        ? acquireLock(session, countingRandom(), request, () => true)
        : heldLock(session, NEVER).then((held) =>
            held ? expectPrintable(held.who + held.operation + held.holder) : undefined,
          ),
    );
  },
});
