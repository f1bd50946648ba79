import { describe, expect, it } from "vitest";
import {
  type Ledger,
  NO_RECORDS,
  decodeLedger,
  encodeLedger,
  recordsOf,
  released,
  withRecords,
} from "../../../src/frontends/provider-journal/ledger.ts";
import { intent, processOf } from "../../core/state/state-fixtures.ts";

const SCOPE = { workspace: "default", baseUrl: "https://toys.example/api", key: "k" };
const OPEN = { kind: "open", cause: null, answered: false, lastAtMs: 1 } as const;

function openLedger(): Ledger {
  const create = { process: "p", intent: intent(2), list: "p#1", endsByMs: 99, outcome: OPEN };
  const records = { ...recordsOf(NO_RECORDS, SCOPE), creates: { "p#2": create }, lists: { "p#1": { ids: ["id_0"] } } };
  return withRecords({ ...NO_RECORDS, processes: { p: processOf() } }, records);
}

describe("the bytes of a ledger", () => {
  it("are read as they were written", () => {
    const ledger = openLedger();
    expect(decodeLedger(encodeLedger(ledger), "l")).toEqual(JSON.parse(JSON.stringify(ledger)));
  });

  it("that were cut off, or changed, are refused", () => {
    const bytes = encodeLedger(openLedger());
    for (let length = 0; length < bytes.length - 1; length++)
      expect(() => decodeLedger(bytes.slice(0, length), "l"), String(length)).toThrow("cannot be read");
    for (let at = 0; at < bytes.length - 1; at++) {
      const changed = bytes.slice();
      changed[at] = 0x7e;
      expect(() => decodeLedger(changed, "l"), String(at)).toThrow("cannot be read");
    }
  });
});

it("a process that is released is forgotten, and its creates are nobody's", () => {
  const ledger = openLedger();
  const after = released(ledger, "p");
  expect([Object.keys(ledger.processes), Object.keys(after.processes)]).toEqual([["p"], []]);
  expect(recordsOf(after, SCOPE).creates["p#2"]).toMatchObject({ process: null, outcome: { kind: "open" } });
  expect(released(after, "p")).toBe(after);
});
