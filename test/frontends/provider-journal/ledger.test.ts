import { describe, expect, it } from "vitest";
import type { JournalEvent } from "../../../src/core/state/journal-event.ts";
import { type Ledger, NO_RECORDS, decodeLedger, encodeLedger, recordsOf, released, withRecords } from "../../../src/frontends/provider-journal/ledger.ts";
import { GIVEN_UP, withEvents } from "../../../src/frontends/provider-journal/ledger-facts.ts";
import { intent, processOf } from "../../core/state/state-fixtures.ts";
import { recorded } from "../../core/toy.ts";

const SCOPE = { workspace: "default", baseUrl: "https://toys.example/api", key: "k" };
const WRITER = { lineage: "p", process: "p", endsByMs: () => 99 };
const EMPTY = recordsOf(NO_RECORDS, SCOPE);
const RECORD = recorded("kite");

const LISTED: JournalEvent = { seq: 1, kind: "listed", ids: ["id_0"] };
const BEGUN: JournalEvent = intent(2, { listed: 1 });

function ledgerOf(...events: readonly JournalEvent[]): Ledger {
  return withRecords({ ...NO_RECORDS, processes: { p: processOf() } }, withEvents(EMPTY, events, WRITER));
}

describe("the bytes of a ledger", () => {
  it("are read as they were written", () => {
    const ledger = ledgerOf(LISTED, BEGUN, { seq: 3, kind: "done", of: 2, record: RECORD });
    expect(decodeLedger(encodeLedger(ledger), "l")).toEqual(JSON.parse(JSON.stringify(ledger)));
  });

  it("that were cut off, or changed, are refused", () => {
    const bytes = encodeLedger(ledgerOf(LISTED, BEGUN));
    for (let length = 0; length < bytes.length - 1; length++) expect(() => decodeLedger(bytes.slice(0, length), "l"), String(length)).toThrow("cannot be read");
    for (let at = 0; at < bytes.length - 1; at++) {
      const changed = bytes.slice();
      changed[at] = 0x7e;
      expect(() => decodeLedger(changed, "l"), String(at)).toThrow("cannot be read");
    }
  });
});

describe("what became of a create", () => {
  const outcomeOf = (...events: readonly JournalEvent[]) => recordsOf(ledgerOf(LISTED, BEGUN, ...events), SCOPE).creates["p#2"]?.outcome;

  it.each([
    ["nothing is known", [], { kind: "open", cause: null, answered: false }],
    [
      "the answer was lost",
      [{ seq: 3, kind: "undecided", of: 2, cause: "reset", answered: true, atMs: 7e12 }],
      { kind: "open", cause: "reset", lastAtMs: 7e12 },
    ],
    ["it was refused", [{ seq: 3, kind: "failed", of: 2, code: "bad" }], { kind: "absent" }],
    ["it was made", [{ seq: 3, kind: "done", of: 2, record: RECORD }], { kind: "made", record: RECORD, claim: "unknown" }],
    [
      "a second outcome does not replace the first",
      [
        { seq: 3, kind: "done", of: 2, record: RECORD },
        { seq: 4, kind: "failed", of: 2, code: "bad" },
      ],
      { kind: "made" },
    ],
  ] as const)("%s", (_what, events, expected) => {
    expect(outcomeOf(...(events as readonly JournalEvent[]))).toMatchObject(expected);
  });

  it("is the same if its events are recorded again, as after a lost answer", () => {
    const events: readonly JournalEvent[] = [LISTED, BEGUN, { seq: 3, kind: "failed", of: 2, code: GIVEN_UP }];
    const once = withEvents(EMPTY, events, WRITER);
    expect(withEvents(once, events, WRITER)).toEqual(once);
    expect(once.lostCreates).toEqual({ "p#2": expect.objectContaining({ preIds: ["id_0"] }) as unknown });
  });

  it("is not recorded by a process that another one has overtaken", () => {
    const taken = withEvents(EMPTY, [LISTED, BEGUN], { ...WRITER, process: "q" });
    expect(withEvents(taken, [{ seq: 3, kind: "failed", of: 2, code: GIVEN_UP }], WRITER)).toBe(taken);
  });

  it("a delete is not recorded", () => {
    const deleted: JournalEvent = intent(2, { op: "delete", id: "id_1", planned: null });
    expect(withEvents(EMPTY, [deleted, { seq: 3, kind: "done", of: 2, record: null }], WRITER)).toBe(EMPTY);
  });
});

it("a process that is released is forgotten, and its creates are nobody's", () => {
  const ledger = ledgerOf(LISTED, BEGUN);
  const after = released(ledger, "p");
  expect([Object.keys(ledger.processes), Object.keys(after.processes)]).toEqual([["p"], []]);
  expect(recordsOf(after, SCOPE).creates["p#2"]).toMatchObject({ process: null, outcome: { kind: "open" } });
  expect(released(after, "p")).toBe(after);
});
