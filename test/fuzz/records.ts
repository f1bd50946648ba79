import * as fc from "fast-check";
import { canonicalJson } from "../../src/core/model/value.ts";
import { checksum } from "../../src/core/state/checksum.ts";
import { encodeLine } from "../../src/core/state/journal.ts";
import { openEnvelopes } from "../../src/core/state/encryption/envelope.ts";
import { KEYS, keyPorts } from "../core/state/encryption-fixtures.ts";
import { HOLDER } from "../core/state/state-fixtures.ts";
import { type Json, TEXT, VALUE, jsonText, mutatedJson, mutatedText } from "./arbitraries.ts";
import { diskWith, expectSound, run } from "./product.ts";
import { recorded } from "./recorded.ts";
import { target } from "./target.ts";

const STATE = "outreach.state.json";
const REAL = await recorded();

/** With the checksum that belongs to it: only so does its content come to be read. Null for what has none. */
function sealed(document: Json): string {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return JSON.stringify(document);
  const { checksum: _, ...rest } = document as { readonly [name: string]: Json };
  return JSON.stringify({ ...rest, checksum: checksum(canonicalJson(rest)) });
}

function documents(text: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: mutatedJson([JSON.parse(text) as Json]).map(sealed) },
    { weight: 1, arbitrary: jsonText(mutatedJson([JSON.parse(text) as Json])) },
    { weight: 1, arbitrary: mutatedText([text], ["{", "}", "[", "]", '"', ","]) },
    { weight: 1, arbitrary: TEXT },
  );
}

const PRINTED = (
  [
    ["state", "list"],
    ["state", "show", "outreach_webhook.a"],
    ["show"],
    ["show", "--json"],
    ["show", "--format", "markdown"],
    ["state", "pull", "--show-emails"],
    ["output"],
    ["state", "lock"],
    ["state", "rm", "outreach_webhook.a"],
    ["state", "mv", "outreach_webhook.a", "outreach_webhook.z"],
  ] as const
).map((line) => [...line, "--state", STATE]);

export const STATES = target({
  name: "states",
  share: 5,
  cases: fc.record({ state: documents(REAL.state), line: fc.constantFrom(...PRINTED) }),
  run: async ({ state, line }) => expectSound(await run(await diskWith({ [STATE]: state }), line)),
});

const EVENTS = REAL.journal
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line.slice(9)) as Json);
const EXTRA: readonly Json[] = [
  { seq: 900, kind: "undecided", of: 1, cause: "x", answered: true },
  { seq: 901, kind: "failed", of: 1, code: "x" },
  { seq: 902, kind: "deleted", of: 1 },
  { seq: 903, kind: "moved", records: [{ address: "outreach_webhook.a", record: null }] },
];
/** Lines with the right checksum, and others. */
const JOURNAL = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(), mutatedJson(EVENTS.concat(EXTRA)), fc.boolean()), { maxLength: 3 }),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant("") },
      { weight: 1, arbitrary: TEXT },
      { weight: 1, arbitrary: fc.constant("[".repeat(50_000)) },
    ),
  )
  .map(([changes, torn]) => {
    const lines = EVENTS.map((event) => encodeLine(event as object));
    for (const [at, event, isNew] of changes)
      lines.splice(at % lines.length, isNew ? 0 : 1, encodeLine(event as object));
    return lines.join("") + torn;
  });

export const JOURNALS = target({
  name: "journals",
  share: 4,
  cases: fc.record({
    journal: fc.oneof(
      { weight: 8, arbitrary: JOURNAL },
      { weight: 1, arbitrary: mutatedText([REAL.journal]) },
      { weight: 1, arbitrary: VALUE.map((value) => encodeLine([value])) },
    ),
    line: fc.constantFrom(...PRINTED),
  }),
  run: async ({ journal, line }) =>
    expectSound(await run(await diskWith({ [STATE]: REAL.state, [`${STATE}.journal`]: journal }), line)),
});

const LOCK: Json = { id: "x", ...HOLDER };

const LOCKED = [
  ["state", "lock"],
  ["state", "rm", "outreach_webhook.a"],
  ["force-unlock", "x"],
].map((line) => [...line, "--state", STATE]);

export const LOCKS = target({
  name: "locks",
  share: 2,
  cases: fc.record({ lock: fc.oneof(jsonText(mutatedJson([LOCK])), TEXT), line: fc.constantFrom(...LOCKED) }),
  run: async ({ lock, line }) =>
    expectSound(await run(await diskWith({ [STATE]: REAL.state, [`${STATE}.lock`]: lock }), line)),
});

const PLAN_LINES = [
  ["show"],
  ["show", "--json"],
  ["show", "--format", "markdown"],
  ["show", "--format", "html"],
  ["apply"],
  ["explain", "outreach_webhook.a"],
] as const;

export const PLAN_FILES = target({
  name: "plan-files",
  share: 4,
  cases: fc.record({ plan: documents(REAL.plan), line: fc.constantFrom(...PLAN_LINES) }),
  run: async ({ plan, line }) => {
    const file = line[0] === "explain" ? ["--plan", "saved.plan"] : ["saved.plan"];
    return expectSound(await run(await diskWith({ [STATE]: REAL.state, "saved.plan": plan }), [...line, ...file]));
  },
});

const SEALED = new TextDecoder().decode(
  await openEnvelopes(KEYS.one, keyPorts()).seal(new TextEncoder().encode(REAL.state), {
    kind: "state",
    lineage: "a",
    serial: 1,
  }),
);
const ENVELOPE = JSON.parse(SEALED) as Json;
/** A passphrase takes long to try: what a file may demand of a reader is bounded, and tested elsewhere. */
const SCRYPTS: Json = {
  ...(ENVELOPE as object),
  key: { id: "ab12", scrypt: { salt: "AAAAAAAAAAAAAAAAAAAAAA==", N: 2 ** 30, r: 8, p: 1 } },
};
const ENCRYPTED = "version: 1\nstate:\n  encryption:\n    key: { env: KEY }\n";

export const ENVELOPES = target({
  name: "envelopes",
  share: 3,
  cases: fc.record({
    file: fc.oneof(
      { weight: 6, arbitrary: jsonText(mutatedJson([ENVELOPE, SCRYPTS])) },
      { weight: 1, arbitrary: mutatedText([SEALED]) },
    ),
    line: fc.constantFrom(["state", "list"], ["show", "saved.plan"], ["state", "pull", "--show-emails"]),
    journal: fc.option(
      fc.oneof(
        mutatedJson([ENVELOPE]).map((header) => encodeLine(header as object)),
        TEXT,
      ),
      { freq: 3 },
    ),
    isEncrypted: fc.boolean(),
  }),
  run: async ({ file, line, journal, isEncrypted }) => {
    const disk = await diskWith({
      "outreach.yaml": isEncrypted ? ENCRYPTED : "version: 1\n",
      [line[1] === "saved.plan" ? "saved.plan" : STATE]: file,
      ...(journal === null ? {} : { [`${STATE}.journal`]: journal }),
    });
    return expectSound(await run(disk, line, { KEY: Buffer.alloc(32, 1).toString("base64") }));
  },
});
