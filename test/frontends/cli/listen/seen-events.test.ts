import { expect, test } from "vitest";
import { seenEvents } from "../../../../src/frontends/cli/commands/listen/receive-events.ts";

const event = (id: string, type = "emailsSent"): { readonly _id: string; readonly type: string } => ({ _id: id, type });

test("the same id of the same type is a duplicate", () => {
  const seen = seenEvents(10);
  expect([event("a"), event("a"), event("a", "contacted"), event("b"), {}, {}].map((one) => seen.add(one))).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("only the latest events are remembered, and a duplicate is one of them", () => {
  const seen = seenEvents(2);
  expect(["a", "b", "a", "c", "a", "b"].map((id) => seen.add(event(id)))).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
  ]);
});
