import { describe, expect, test } from "vitest";
import { adopted, givenUp, openAt, takenAsNotDone } from "../../../src/core/apply/recovery/resolve-by-hand.ts";
import type { LiveObject } from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { StateDocument } from "../../../src/core/state/document.ts";
import type { LostCreate } from "../../../src/core/state/lost-create.ts";
import { pendingIntents } from "../../../src/core/state/journal-event.ts";
import { document, intent } from "../state/state-fixtures.ts";
import { live, recorded } from "../toy.ts";
import { shopCatalog, shout, shouted } from "./shop-things.ts";

const KITE = "toy_thing.kite";
const lost = (name: string, more: Partial<LostCreate> = {}): LostCreate => ({
  type: "toy_thing",
  provider: "toy",
  address: KITE,
  key: { name, room: null },
  planned: { name },
  preIds: [],
  sentAtMs: 0,
  ...more,
});
const state = (more: Partial<StateDocument>): StateDocument => document({ instances: [], journalSeq: 0, ...more });
const hey = (outcome: string): RecordedInstance => ({
  ...recorded("hey"),
  address: "toy_shout.hey",
  type: shout.type,
  id: null,
  attributes: shouted("hey", outcome),
});
const open = (before: StateDocument, address = KITE) => openAt(before, address, shopCatalog);

/** Adopts an object at the kite's address. */
function adopting(before: StateDocument, id: string, objects: readonly LiveObject[]) {
  const result = adopted(before, open(before), { catalog: shopCatalog, id, objects, nowMs: 5 });
  const after = "document" in result ? result.document : null;
  return {
    kind: result.kind,
    shape: after?.instances.map(({ address, id, deposed = [] }) => [address, id, ...deposed.map((old) => old.id)]),
    lostCreates: after?.lostCreates,
    pending: after && pendingIntents(after.pending).map(({ intent: { address } }) => address),
  };
}

describe("what is open at an address", () => {
  test("is what is undecided, unconfirmed or lost there, and nothing of its neighbours", () => {
    const before = state({
      instances: [hey("unconfirmed")],
      pending: [intent(1), intent(2, { address: "toy_thing.other" })],
      lostCreates: [lost("kite"), lost("kite", { address: "toy_thing.other" })],
    });
    expect(open(before)).toMatchObject({
      pending: [{ intent: { seq: 1 } }],
      unconfirmed: null,
      lostCreates: [{ address: KITE }],
    });
    expect(open(before, "toy_shout.hey")).toEqual({
      address: "toy_shout.hey",
      pending: [],
      unconfirmed: hey("unconfirmed"),
      lostCreates: [],
    });
    expect(open(state({ instances: [hey("heard")] }), "toy_shout.hey").unconfirmed).toBeNull();
  });

  test("taken as not done leaves a record of each create that a list may still show, with what was there before", () => {
    const before = state({
      pending: [
        { seq: 1, kind: "listed", ids: ["old"] },
        intent(2, { listed: 1 }),
        intent(3),
        intent(4, { op: "delete", id: "gone" }),
        intent(5, { type: shout.type }),
        intent(6, { address: "toy_thing.other" }),
        intent(7, { op: "replace", id: "red", ahead: true }),
      ],
      lostCreates: [lost("doll")],
    });
    const after = takenAsNotDone(before, open(before), shopCatalog);
    expect(after.lostCreates.map(({ key, preIds, replaces }) => [key["name"], preIds, replaces])).toEqual([
      ["doll", [], undefined],
      ["kite", ["old"], undefined],
      ["kite", [], undefined],
      ["kite", [], "red"],
    ]);
    expect(pendingIntents(after.pending).map(({ intent: { address } }) => address)).toEqual(["toy_thing.other"]);
  });

  test("given up is forgotten there and nowhere else, and what is unconfirmed is not sent again", () => {
    const before = state({
      instances: [recorded("ball"), hey("unconfirmed")],
      pending: [intent(1), intent(2, { address: "toy_thing.other" })],
      lostCreates: [lost("kite"), lost("kite", { address: "toy_thing.other" })],
    });
    const forgotten = givenUp(before, open(before));
    expect(forgotten.lostCreates.map(({ address }) => address)).toEqual(["toy_thing.other"]);
    expect(pendingIntents(forgotten.pending).map(({ intent: { seq } }) => seq)).toEqual([2]);
    expect(forgotten.instances).toEqual(before.instances);
    expect(givenUp(before, open(before, "toy_shout.hey")).instances).toEqual([
      recorded("ball"),
      { ...hey("unconfirmed"), settled: true },
    ]);
  });
});

describe("adopting a live object", () => {
  const made = live("kite", { id: "made" });

  test.each<readonly [string, Partial<StateDocument>, string, readonly LiveObject[]]>([
    ["nothing-to-adopt", {}, "made", [made]],
    ["nothing-to-adopt", { pending: [intent(1, { op: "delete", id: "made", planned: null })] }, "made", [made]],
    ["not-live", { pending: [intent(1)] }, "made", []],
    ["managed", { pending: [intent(1)], instances: [recorded("other", {}, { id: "made" })] }, "made", [made]],
    ["unlike", { pending: [intent(1)] }, "doll", [made, live("doll", { id: "doll" })]],
    ["unlike", { lostCreates: [lost("doll"), lost("top", { id: "other" })] }, "made", [made]],
  ])("ends with %s (%j)", (kind, more, id, objects) => {
    expect(adopting(state(more), id, objects)).toMatchObject({ kind, shape: undefined });
  });

  test("records it as the outcome of the create that could have made it, and remembers what else could have been it", () => {
    const pending = [
      intent(1, { key: { name: "doll", room: null } }),
      intent(2),
      intent(3, { address: "toy_thing.other" }),
    ];
    const result = adopting(state({ pending }), "made", [made, live("kite", { id: "second" })]);
    expect(result).toMatchObject({ kind: "current", shape: [[KITE, "made"]], pending: [KITE, "toy_thing.other"] });
    expect(result.lostCreates).toMatchObject([{ address: KITE, found: true, preIds: ["made", "second"] }]);
  });

  test("in a second half of a replace keeps the old object as far as it is live", () => {
    const pending = [intent(1, { op: "replace", order: "create-first", id: "old" })];
    const instances = [recorded("kite", {}, { id: "old" })];
    expect(adopting(state({ pending, instances }), "made", [made, live("kite", { id: "old" })]).shape).toEqual([
      [KITE, "made", "old"],
    ]);
    expect(adopting(state({ pending, instances }), "made", [made]).shape).toEqual([[KITE, "made"]]);
  });

  test("that appeared late is current where nothing else is, and else an older object to delete; its record stays", () => {
    const lostCreates = [lost("doll"), lost("kite")];
    expect(adopting(state({ lostCreates }), "made", [made])).toMatchObject({
      kind: "current",
      shape: [[KITE, "made"]],
      lostCreates,
    });
    const older = { id: "older", attributes: {}, returned: {} };
    const instances = [recorded("kite", {}, { id: "now", deposed: [older] }), recorded("ball")];
    expect(adopting(state({ lostCreates, instances }), "made", [made])).toMatchObject({
      kind: "deposed",
      shape: [
        ["toy_thing.ball", "id_ball"],
        [KITE, "now", "older", "made"],
      ],
    });
  });

  test("that had been given up as missing ends its record, whatever it looks like now", () => {
    const lostCreates = [lost("kite"), lost("doll", { id: "made" }), lost("doll", { id: "other" })];
    expect(adopting(state({ lostCreates }), "made", [made])).toMatchObject({
      kind: "current",
      lostCreates: [{ key: { name: "kite" } }, { id: "other" }],
    });
  });

  test("prefers an undecided create to one that was given up", () => {
    expect(adopting(state({ pending: [intent(1)], lostCreates: [lost("kite")] }), "made", [made])).toMatchObject({
      pending: [],
      kind: "current",
    });
  });
});
