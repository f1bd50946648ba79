import { expect, test } from "vitest";
import type { Attributes } from "../../../src/core/model/value.ts";
import { declared, live, recorded } from "../toy.ts";
import { given, inputOf, pledged } from "./world.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";

const MANY = 10_000;
/** Each takes some 300 ms; what looks at every pair of them takes minutes. */
const ENOUGH_MS = 5_000;
const numbers = Array.from({ length: MANY }, (_, index) => String(index));

const attributes: Attributes = { room: "attic", secret: { $secret: "aa" } };
const thingAt = (block: string, name: string) =>
  declared(name, attributes, { address: `toy_thing.x["${block}${name}"]` });
const recordAt = (name: string) => recorded(name, attributes, { address: `toy_thing.x["${name}"]` });
const pair = (name: string): Attributes => ({ club: "c", name: `Lead${name}@example.com` });

const lists = {
  declared: numbers.map((name) => thingAt("", name)),
  changed: numbers.map((name) => declared(name, { ...attributes, shiny: true }, { address: `toy_thing.x["${name}"]` })),
  moved: numbers.map((name) => thingAt("new/", name)),
  recorded: numbers.map((name) => recordAt(name)),
  live: numbers.map((name) => live(name, { room: "attic" })),
  strangers: numbers.map((name) => live(name, { room: "cellar", id: `other_${name}` })),
  pledged: numbers.map((name) =>
    pledged("p", pair(name), { address: `toy_pledge.p["${name}"]`, lookups: { club: "q" } }),
  ),
  given: numbers.map((name) => given("p", pair(name), { address: `toy_pledge.p["${name}"]`, lookups: { club: "q" } })),
  elsewhere: numbers.map((name) =>
    given("p", { ...pair(name), club: "d" }, { address: `toy_pledge.p["${name}"]`, lookups: { club: "q" } }),
  ),
};

test.each([
  ["that are as declared", { declarations: lists.declared, instances: lists.recorded, live: lists.live }, "keep"],
  ["to replace", { declarations: lists.changed, instances: lists.recorded, live: lists.live }, "replace"],
  ["to create next to as many of others", { declarations: lists.declared, live: lists.strangers }, "create"],
  ["to move", { declarations: lists.moved, instances: lists.recorded, live: lists.live }, "update-state"],
  ["to delete", { instances: lists.recorded, live: lists.live, options: { destroy: true } }, "delete"],
  ["to send once", { declarations: lists.pledged }, "create"],
  ["that are sent", { declarations: lists.pledged, instances: lists.given }, "keep"],
  ["that are stopped", { declarations: lists.pledged, instances: lists.elsewhere }, null],
])("ten thousand %s are planned in one go", (_, world, action) => {
  const input = inputOf(world);
  const begun = process.cpuUsage();
  const { steps } = makePlan(input);
  const { user } = process.cpuUsage(begun);
  expect(new Set(steps.map((step) => step.action))).toEqual(new Set(action === null ? [] : [action]));
  expect(steps).toHaveLength(action === null ? 0 : MANY);
  expect(user / 1000).toBeLessThan(ENOUGH_MS);
});
