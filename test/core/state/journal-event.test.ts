import { describe, expect, test } from "vitest";
import {
  type JournalEvent,
  mayCreate,
  openRequest,
  pendingIntents,
  undecidedEvents,
  withoutIntents,
} from "../../../src/core/state/journal-event.ts";
import { recorded } from "../toy.ts";
import { intent } from "./state-fixtures.ts";

const only = (...events: readonly JournalEvent[]) => pendingIntents(events)[0] ?? expect.fail("nothing is open");
const REPLACE = { op: "replace", sentAtMs: 100 } as const;
const CREATE_FIRST = { ...REPLACE, order: "create-first" } as const;
const created: JournalEvent = { seq: 2, kind: "created", of: 1, record: recorded("kite"), atMs: 150 };
const undecided: JournalEvent = { seq: 3, kind: "undecided", of: 1, cause: "reset", answered: true, atMs: 200 };

describe("what is known of an open write", () => {
  test.each<readonly [string, readonly JournalEvent[], object]>([
    [
      "nothing but its time, if the run ended before an answer",
      [intent(1, { sentAtMs: 100 })],
      { deleted: false, created: false, cause: null, answered: false, lastAtMs: 100 },
    ],
    [
      "that the old object of a replace is gone, and since when",
      [intent(1, REPLACE), { seq: 2, kind: "deleted", of: 1, atMs: 150 }],
      { deleted: true, created: false, deletedAtMs: 150, lastAtMs: 150, cause: null },
    ],
    [
      "that it is gone, where recovery found it out",
      [intent(1, REPLACE), { seq: 2, kind: "deleted", of: 1 }],
      { deleted: true, lastAtMs: 100 },
    ],
    [
      "that the new object of a replace is there",
      [intent(1, CREATE_FIRST), created],
      { deleted: false, created: true, lastAtMs: 150, answered: false },
    ],
    [
      "why its outcome is open",
      [intent(1, REPLACE), undecided],
      { cause: "reset", answered: true, lastAtMs: 200, deleted: false, created: false },
    ],
    ["the last that was heard, not an earlier time", [intent(1, { sentAtMs: 300 }), undecided], { lastAtMs: 300 }],
  ])("%s", (_, events, known) => {
    expect(only(...events)).toEqual({ ...only(...events), intent: events[0], ...known });
    if (!("deletedAtMs" in known)) expect(only(...events)).not.toHaveProperty("deletedAtMs");
  });
});

describe("the open request of a write", () => {
  test.each<readonly [readonly JournalEvent[], string, string, boolean]>([
    [[intent(1)], "create", "create", true],
    [[intent(1, { op: "delete" })], "delete", "delete", false],
    [[intent(1, REPLACE)], "delete", "delete (first half of a replace)", false],
    [[intent(1, { ...REPLACE, order: "delete-first" })], "delete", "delete (first half of a replace)", false],
    [[intent(1, REPLACE), { seq: 2, kind: "deleted", of: 1 }], "create", "create (second half of a replace)", true],
    [[intent(1, CREATE_FIRST)], "create", "create (first half of a replace)", true],
    [[intent(1, CREATE_FIRST), created], "delete", "delete (second half of a replace)", false],
    [[intent(1, { ...REPLACE, ahead: true })], "delete", "delete (first half of a replace)", true],
    [[intent(1, { ...REPLACE, ahead: true }), undecided], "delete", "delete (first half of a replace)", false],
    [[intent(1, { ...CREATE_FIRST, ahead: true }), created], "delete", "delete (second half of a replace)", false],
    [[intent(1, { op: "delete", ahead: true })], "delete", "delete", false],
  ])("of %j is a %s", (events, half, words, isCreate) => {
    expect([openRequest(only(...events)), mayCreate(only(...events))]).toEqual([{ half, words }, isCreate]);
  });
});

describe("the events of open writes", () => {
  const events: readonly JournalEvent[] = [
    { seq: 1, kind: "listed", ids: ["id_1"] },
    { seq: 2, kind: "listed", ids: ["id_2"] },
    intent(3, { listed: 1 }),
    intent(4, { listed: 2 }),
    { seq: 5, kind: "undecided", of: 3, cause: "reset", answered: true },
    { seq: 6, kind: "done", of: 4, record: null },
    { seq: 7, kind: "recorded", address: "toy_thing.ball", record: null },
    intent(8),
  ];
  const seqs = (kept: readonly JournalEvent[]) => kept.map(({ seq }) => seq);

  test("are kept with the lists that they refer to, and no others", () => {
    expect(seqs(undecidedEvents(events))).toEqual([1, 3, 5, 8]);
  });

  test("are without those of writes that are resolved", () => {
    expect(seqs(withoutIntents(events, new Set([3])))).toEqual([8]);
    expect(seqs(withoutIntents(events, new Set([8])))).toEqual([1, 3, 5]);
    expect(seqs(withoutIntents(events, new Set()))).toEqual([1, 3, 5, 8]);
  });
});
