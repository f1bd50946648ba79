import { describe, expect, it } from "vitest";
import { NO_RECORDS, recordsOf } from "../../../../src/frontends/provider-journal/ledger.ts";
import {
  type Answer,
  type RecordsChange,
  answer,
  storeIntents,
  returnWithoutId,
  settle,
} from "../../../../src/frontends/terraform/journal/ledger-changes.ts";
import { DecidedElsewhere } from "../../../../src/frontends/terraform/journal/journal-problems.ts";
import { intent } from "../../../core/state/state-fixtures.ts";
import { recorded } from "../../../core/toy.ts";

const EMPTY = recordsOf(NO_RECORDS, { workspace: "default", baseUrl: "https://toys.example/api", key: "k" });
const NAME = "p#2";
const RECORD = recorded("kite");
const BEGIN = storeIntents(
  "p",
  { [NAME]: { intent: intent(2), list: "p#1", endsByMs: 99 } },
  { lists: { "p#1": { ids: ["id_0"] } }, isSame: () => false },
);
const FOUND = { record: RECORD, lookalikes: ["id_1", "id_2"] };

const after = (...changes: readonly RecordsChange[]) =>
  [BEGIN, ...changes].reduce((records, change) => change(records), EMPTY);

describe("what became of a create", () => {
  const DONE: Answer = { kind: "done", of: 2, record: RECORD };
  const FAILED: Answer = { kind: "failed", of: 2, code: "bad" };
  const LOST: Answer = { kind: "undecided", of: 2, cause: "reset", answered: true, atMs: 7e12 };

  it.each([
    ["nothing is known", [], { kind: "open", cause: null, answered: false }],
    ["the answer was lost", [LOST], { kind: "open", cause: "reset", lastAtMs: 7e12 }],
    ["it was refused", [FAILED], { kind: "absent" }],
    ["it was made", [DONE], { kind: "made", record: RECORD, returned: "unknown" }],
    ["a second outcome does not replace the first", [DONE, FAILED], { kind: "made" }],
  ] as const)("%s", (_what, facts, expected) => {
    const records = after(...facts.map((fact) => answer(NAME, "p", fact)));
    expect(records.creates[NAME]?.outcome).toMatchObject(expected);
  });

  it.each([
    ["it was given up", [settle(NAME, "q", null)], { preIds: ["id_0"] }],
    ["it was found", [settle(NAME, "q", FOUND)], { found: true, preIds: ["id_1", "id_2"] }],
    [
      "it was found for an object without an id",
      [returnWithoutId(NAME, FOUND)],
      { found: true, preIds: ["id_1", "id_2"] },
    ],
  ] as const)("is the same if it is recorded again, as after a lost answer: %s", (_what, changes, lost) => {
    const once = after(...changes);
    expect([BEGIN, ...changes].reduce((records, change) => change(records), once)).toEqual(once);
    expect(once.lostCreates).toEqual({ [NAME]: expect.objectContaining(lost) as unknown });
  });

  it("is recorded by the first process that looked for it, and by no other", () => {
    const taken = after(settle(NAME, "q", null));
    expect(answer(NAME, "p", DONE)(taken)).toBe(taken);
    expect(() => settle(NAME, "p", FOUND)(taken)).toThrow(DecidedElsewhere);
    expect(returnWithoutId(NAME, FOUND)(taken)).toBe(taken);
  });
});
