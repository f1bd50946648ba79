import { expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/catalog.ts";
import { FirstActivities } from "../../../src/sandbox/delivery/first-activities.ts";
import { activity } from "./receiver.ts";

test("each type is first once for a lead", () => {
  const firsts = new FirstActivities();
  for (const isFirst of [true, false]) for (const { name: type } of EVENT_TYPES) expect([type, firsts.note(activity({ type }))]).toEqual([type, isFirst]);
});

test("the memory is bounded: of more than 100,000 leads, the oldest is forgotten", () => {
  const firsts = new FirstActivities();
  const one = activity();
  const note = (lead: number): boolean => firsts.note({ ...one, leadId: `lea_${String(lead)}` });
  for (let lead = 0; lead < 100_000; lead++) note(lead);
  expect([note(0), note(99_999)]).toEqual([false, false]);
  note(100_000);
  expect([note(1), note(0)]).toEqual([false, true]);
});
