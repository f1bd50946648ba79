import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JournalEvent } from "../../../src/core/state/journal-event.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { recorded } from "../toy.ts";
import { document, intent } from "./state-fixtures.ts";

const BALL = recorded("ball");
const KITE = recorded("kite");
const NEW_BALL = recorded("ball", { room: "attic" }, { id: "id_new" });

describe("events folded into a state", () => {
  const cases: readonly (readonly [string, readonly JournalEvent[], readonly unknown[], readonly number[]])[] = [
    ["nothing", [], [BALL], []],
    ["a create that is done", [intent(11), { seq: 12, kind: "done", of: 11, record: KITE }], [BALL, KITE], []],
    ["a create that failed", [intent(11), { seq: 12, kind: "failed", of: 11, code: "no" }], [BALL], []],
    ["a create that is open", [{ seq: 11, kind: "listed", ids: [] }, intent(12, { listed: 11 })], [BALL], [11, 12]],
    [
      "a create that was left undecided",
      [intent(11), { seq: 12, kind: "undecided", of: 11, cause: "reset", answered: true }],
      [BALL],
      [11, 12],
    ],
    [
      "a delete that is done",
      [
        intent(11, { op: "delete", address: BALL.address, id: BALL.id }),
        { seq: 12, kind: "done", of: 11, record: null },
      ],
      [],
      [],
    ],
    [
      "a delete that failed",
      [
        intent(11, { op: "delete", address: BALL.address, id: BALL.id }),
        { seq: 12, kind: "failed", of: 11, code: "no" },
      ],
      [BALL],
      [],
    ],
    [
      "a replace that is done",
      [
        intent(11, { op: "replace", address: BALL.address, id: BALL.id }),
        { seq: 12, kind: "deleted", of: 11 },
        { seq: 13, kind: "done", of: 11, record: NEW_BALL },
      ],
      [NEW_BALL],
      [],
    ],
    [
      "a replace that is between its halves",
      [intent(11, { op: "replace", address: BALL.address, id: BALL.id }), { seq: 12, kind: "deleted", of: 11 }],
      [],
      [11, 12],
    ],
    [
      "a replace whose create was refused",
      [
        intent(11, { op: "replace", address: BALL.address, id: BALL.id }),
        { seq: 12, kind: "deleted", of: 11 },
        { seq: 13, kind: "failed", of: 11, code: "no" },
      ],
      [],
      [],
    ],
    ["a changed record", [{ seq: 11, kind: "recorded", address: BALL.address, record: NEW_BALL }], [NEW_BALL], []],
    ["a record taken out", [{ seq: 11, kind: "recorded", address: BALL.address, record: null }], [], []],
    ["an outcome of a write that is not there", [{ seq: 11, kind: "done", of: 9, record: KITE }], [BALL], []],
    [
      "an outcome without an address, as the provider has it",
      [intent(11, { address: null }), { seq: 12, kind: "done", of: 11, record: null }],
      [BALL],
      [],
    ],
  ];
  test.each(cases)("%s", (_, events, instances, pending) => {
    const after = fold(document(), events);
    expect(after.instances).toEqual(instances);
    expect(after.pending.map(({ seq }) => seq)).toEqual(pending);
    expect(after.journalSeq).toBe(Math.max(10, ...events.map(({ seq }) => seq)));
  });

  test("resolve writes that an earlier run left open", () => {
    const open = fold(document(), [intent(11)]);
    const after = fold(open, [{ seq: 12, kind: "done", of: 11, record: KITE }]);
    expect(after.instances).toEqual([BALL, KITE]);
    expect(after.pending).toEqual([]);
  });

  const eventsOf = fc
    .array(
      fc.constantFrom<readonly ["create" | "delete" | "replace", string]>(
        ["create", "done"],
        ["create", "failed"],
        ["create", "open"],
        ["create", "undecided"],
        ["delete", "done"],
        ["delete", "open"],
        ["replace", "done"],
        ["replace", "half"],
      ),
    )
    .map((writes) => {
      let seq = 10;
      return writes.flatMap(([op, end], index): readonly JournalEvent[] => {
        const name = `toy_${String(index % 3)}`;
        const begun = intent(++seq, { op, address: `toy_thing.${name}` });
        const of = begun.seq;
        const deleted: readonly JournalEvent[] = op === "replace" ? [{ seq: ++seq, kind: "deleted", of }] : [];
        const ends: { readonly [end: string]: () => JournalEvent } = {
          done: () => ({ seq: ++seq, kind: "done", of, record: op === "delete" ? null : recorded(name) }),
          failed: () => ({ seq: ++seq, kind: "failed", of, code: "no" }),
          undecided: () => ({ seq: ++seq, kind: "undecided", of, cause: "reset", answered: true }),
        };
        const ended = ends[end];
        return [begun, ...deleted, ...(ended ? [ended()] : [])];
      });
    });

  test("twice, or in two parts, come to the same as once", () => {
    fc.assert(
      fc.property(eventsOf, fc.nat(40), (events, at) => {
        const once = fold(document(), events);
        expect(fold(once, events)).toEqual(once);
        expect(fold(fold(document(), events.slice(0, at)), events)).toEqual(once);
        expect(fold(fold(document(), events.slice(0, at)), events.slice(at))).toEqual(once);
      }),
    );
  });
});
