import { expect, test } from "vitest";
import { catalog } from "../../src/service/resources/catalog.ts";
import type { Reason, Step } from "../../src/core/plan/plan.ts";
import { changeShape, createsOnly, removedIds } from "../../src/fleet/team/change-shape.ts";

const CONFIG: Reason = { attribute: "target_url", why: "config" };

function replaced(address: string, id: string, because: readonly Reason[] = [CONFIG]): Step {
  return {
    action: "replace",
    order: "create-first",
    address,
    type: "t",
    provider: "p",
    because,
    masked: [],
    id,
    before: { url: id },
    after: { url: `${id}2` },
  };
}

function shape(steps: readonly Step[], reasons: readonly string[] = [], outputs: readonly string[] = []): string {
  return changeShape(
    { steps, outputs: outputs.map((name) => ({ name, before: null, after: null, sensitive: false })) },
    reasons,
  );
}

test("ids, values, keys of a fan-out and the order do not count", () => {
  const one = shape([replaced('t.a["x"]', "1"), replaced("t.b", "2")], ["one", "two"]);
  expect(shape([replaced("t.b", "8"), replaced('t.a["y"]', "9")], ["two", "one", "one"])).toBe(one);
});

test("what is done, where, how often, because of what, and why it waits count", () => {
  const shapes = [
    shape([replaced("t.a", "1")]),
    shape([replaced("t.b", "1")]),
    shape([replaced("t.a[1]", "1"), replaced("t.a[2]", "2")]),
    shape([replaced("t.a", "1", [{ attribute: "secret", why: "secret" }])]),
    shape([{ ...replaced("t.a", "1"), action: "delete" } as Step]),
    shape([replaced("t.a", "1")], ["too_many_replaces"]),
    shape([replaced("t.a", "1")], [], ["url"]),
  ];
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("ids of what nothing manages count: a person who approves a group deletes the same everywhere", () => {
  const removed = (id: string): Step => ({
    action: "delete",
    address: `t.removals["${id}"]`,
    type: "t",
    provider: "p",
    because: [],
    masked: [],
    id,
    before: {},
    removal: { reason: "old" },
  });
  expect(shape([removed("1")])).toBe(shape([removed("1")]));
  expect(shape([removed("1")])).not.toBe(shape([removed("2")]));
  expect(removedIds({ steps: [removed("2"), replaced("t.a", "3"), removed("1")] })).toEqual(["1", "2"]);
});

test("what a plan keeps does not count", () => {
  const kept: Step = {
    action: "keep",
    address: "t.k",
    type: "t",
    provider: "p",
    because: [],
    masked: [],
    id: "1",
    before: {},
  };
  expect(shape([kept])).toBe(shape([]));
});

test("a plan only creates if every step creates what a later plan can delete again", () => {
  const created = (type: string): Step => ({
    action: "create",
    address: `${type}.a`,
    type,
    provider: "p",
    because: [],
    masked: [],
    after: {},
  });
  const kept: Step = {
    action: "keep",
    address: "outreach_webhook.k",
    type: "outreach_webhook",
    provider: "p",
    because: [],
    masked: [],
    id: "1",
    before: {},
  };
  const [webhook, unsubscription] = [created("outreach_webhook"), created("outreach_lead_unsubscription")];
  const plans = [
    [webhook],
    [webhook, kept],
    [webhook, unsubscription],
    [webhook, replaced("outreach_webhook.b", "1")],
    [kept],
    [],
  ];
  expect(plans.map((steps) => createsOnly({ steps }, catalog))).toEqual([true, true, false, false, false, false]);
});
