import { describe, expect, test } from "vitest";
import type { StateDocument } from "../../../src/core/state/document.ts";
import { pendingIntents } from "../../../src/core/state/journal-event.ts";
import type { OpenState } from "../../../src/core/state/open-state.ts";
import { assertKeepsOpenWrites, reasonToKeep } from "../../../src/core/state/pushable.ts";
import { document, intent } from "./state-fixtures.ts";

function stored(more: Partial<StateDocument> = {}, storedBy?: string): OpenState {
  const whole = document(more);
  const open = {
    document: whole,
    version: "1",
    journal: null,
    restored: null,
    pending: pendingIntents(whole.pending),
    run: "now",
  };
  return storedBy === undefined ? open : { ...open, storedBy };
}

describe("a pushed state replaces the stored one", () => {
  test.each<readonly [string, Partial<StateDocument>, OpenState, string | null]>([
    ["if it comes after it", { serial: 4 }, stored(), null],
    ["if it is the same", {}, stored(), null],
    ["if the run that stored it has kept the pushed one", { serial: 4, run: "one" }, stored({}, "one"), null],
    [
      "not with another lineage",
      { lineage: "other", serial: 4 },
      stored(),
      "The pushed state has lineage other, the stored state line: they record different objects.",
    ],
    [
      "not if it is older",
      { serial: 2 },
      stored(),
      "The pushed state has serial 2. The stored state is newer, with serial 3.",
    ],
    [
      "not with other contents under the same serial",
      { instances: [] },
      stored(),
      "Both states have serial 3, but different contents.",
    ],
    [
      "not if another run stored it since",
      { serial: 4, run: "one" },
      stored({}, "two"),
      expect.stringContaining("another run may have recorded") as string,
    ],
    [
      "not if a run stored it as its last one since",
      { serial: 4, run: "one" },
      stored(),
      expect.stringContaining("another run may have recorded") as string,
    ],
  ])("%s", (_, pushed, open, reason) => {
    expect(reasonToKeep(document(pushed), open)).toEqual(reason);
  });
});

describe("open writes of the stored state", () => {
  const open = { pending: [intent(4)] };
  const push = (pushed: Partial<StateDocument>, now: OpenState) => () => assertKeepsOpenWrites(document(pushed), now);

  test.each<readonly [string, Partial<StateDocument>, OpenState]>([
    ["that has none", {}, stored()],
    ["that the pushed one has as well", open, stored(open)],
    ["that their own run has resolved since", { serial: 4, run: "one" }, stored(open, "one")],
  ])("%s, do not keep it", (_, pushed, now) => {
    expect(push(pushed, now)).not.toThrow();
  });

  test.each<readonly [string, Partial<StateDocument>, OpenState]>([
    ["are missing", { serial: 4 }, stored(open)],
    ["are others", { serial: 4, pending: [intent(5)] }, stored(open)],
    ["are missing in a state of another run", { serial: 4, run: "two" }, stored(open, "one")],
    ["are missing in a state without a run, like the stored one", { serial: 4 }, stored(open)],
    ["are missing in an earlier state of that run", { serial: 3, run: "one" }, stored(open, "one")],
    ["are missing in a state of another lineage", { serial: 4, run: "one", lineage: "other" }, stored(open, "one")],
  ])("keep it where they %s in the pushed one", (_, pushed, now) => {
    expect(push(pushed, now)).toThrow(
      expect.objectContaining({
        undecided: true,
        diagnostics: [
          expect.objectContaining({
            code: "outcome_pending",
            detail: expect.stringContaining("The pushed state does not contain it.") as string,
          }),
        ],
      }),
    );
  });
});
