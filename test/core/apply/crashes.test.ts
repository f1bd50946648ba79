import { describe, expect, test } from "vitest";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import { declared } from "../toy.ts";
import { type Ended, type Mishap, shopWorld } from "./shop-world.ts";

const word = (text: string): Declaration =>
  declared(text, { word: text }, { type: "toy_shout", attributes: { word: text } });

/** Made by a first apply, without any trouble. */
const BEFORE = [
  declared("rotated", { room: "hall" }),
  declared("swapped", { room: "hall", rotation: "create_first" }),
  declared("removed"),
];
/** Two creates, a replace in each order, a delete, and a shout. */
const AFTER = [
  declared("one"),
  declared("two"),
  declared("rotated", { room: "hall", shiny: true }),
  declared("swapped", { room: "hall", rotation: "create_first", shiny: true }),
  word("hey"),
];
const MANAGED = 4;
const REQUESTS = 8;

async function begun() {
  const world = shopWorld();
  await world.run(BEFORE);
  expect(world.bucket.size).toBe(3);
  return world;
}

type World = Awaited<ReturnType<typeof begun>>;

/** Runs again and again, as somebody would who approves what is shown, until nothing is left to do. */
async function untilClean(world: World): Promise<readonly Ended[]> {
  const runs: Ended[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const ended = await world.run(AFTER, { approved: true });
    runs.push(ended);
    const isClean =
      ended.plan?.steps.every(({ action }) => action === "keep") &&
      !ended.applied?.undecided &&
      ended.recovered?.undecided.length === 0;
    if (isClean) return runs;
  }
  throw new Error(`it does not come to an end: ${JSON.stringify(runs.at(-1)?.diagnostics)}`);
}

/** What must hold at the end, judged by what the shop has done. */
async function judge(world: World, runs: readonly Ended[]) {
  const { instances, pending } = await world.state();
  expect(pending).toEqual([]);
  // One live object a declaration, and every one of them managed.
  const things = instances.filter(({ type }) => type === "toy_thing");
  expect(things.map(({ address }) => address)).toEqual([
    "toy_thing.one",
    "toy_thing.rotated",
    "toy_thing.swapped",
    "toy_thing.two",
  ]);
  expect(things.map(({ id }) => id).toSorted()).toEqual([...world.bucket.keys()].toSorted());
  expect(things).toHaveLength(MANAGED);
  expect(things.every(({ deposed }) => deposed === undefined)).toBe(true);
  // Nothing was deleted that this configuration had not made.
  const posted = new Set(world.log.flatMap((entry) => (entry.startsWith("POST") ? [entry.split(" -> ")[1]] : [])));
  for (const entry of world.log.filter((one) => one.startsWith("DELETE")))
    expect(posted).toContain(entry.split(" ")[1]);
  // What is irreversible was done; after a run in which its outcome was lost, only where that was shown and approved.
  expect(world.log).toContain("SHOUT hey");
  const shouting = runs.filter(({ sent }) => sent.includes("SHOUT hey"));
  for (const { sent } of shouting)
    expect(sent.filter((entry) => entry.startsWith("SHOUT")).length).toBeLessThanOrEqual(3);
  for (const { plan } of shouting.slice(1))
    expect(plan?.steps).toContainEqual(expect.objectContaining({ action: "create", again: "unconfirmed" }));
  expect(runs.at(-1)?.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
}

test("without any trouble everything is done in one run", async () => {
  const world = await begun();
  const before = world.sent.length;
  expect((await world.run(AFTER)).applied?.counts).toEqual({ import: 0, add: 5, change: 0, destroy: 3, forget: 0 });
  expect(world.sent.length - before).toBe(REQUESTS);
  await judge(world, await untilClean(world));
});

describe.each<Mishap>(["crash-before", "crash-after", "lost-before", "lost-after", "refused"])(
  "a request that ends in %s",
  (what) => {
    test.each(Array.from({ length: REQUESTS }, (_, at) => at))("at request %i", async (at) => {
      const world = await begun();
      world.befall(what, at);
      const first = await world.run(AFTER);
      expect(first.crashed).toBe(what.startsWith("crash"));
      await judge(world, [first, ...(await untilClean(world))]);
    });

    test.each(Array.from({ length: REQUESTS }, (_, at) => at))(
      "at request %i, and again in the run after it",
      async (at) => {
        for (let second = 0; second < REQUESTS; second++) {
          const world = await begun();
          world.befall(what, at);
          const runs = [await world.run(AFTER)];
          world.befall(what, second);
          runs.push(await world.run(AFTER, { approved: true }));
          await judge(world, [...runs, ...(await untilClean(world))]);
        }
      },
    );
  },
);

describe("a process that ends at any call of the disk", () => {
  test.each(["nothing", "half", "all"] as const)("of which %s has happened", async (done) => {
    let at = 0;
    for (; at < 200; at++) {
      const world = await begun();
      world.fail({ at, code: "CRASH", done });
      const first = await world.run(AFTER);
      if (!first.crashed) break;
      await judge(world, [first, ...(await untilClean(world))]);
    }
    expect(at).toBeGreaterThan(20);
    expect(at).toBeLessThan(200);
  });
});

test("an unconfirmed shout is not sent again by a run that nobody has approved", async () => {
  const world = await begun();
  world.befall("crash-after", REQUESTS - 1);
  await world.run(AFTER);
  const sent = world.sent.length;
  for (let turn = 0; turn < 3; turn++) {
    const ended = await world.run(AFTER);
    expect(ended.applied).toMatchObject({
      undecided: true,
      diagnostics: [{ code: "outcome_unconfirmed", address: "toy_shout.hey" }],
    });
  }
  expect(world.sent.slice(sent)).toEqual([]);
  await world.run(AFTER, { approved: true });
  expect(world.sent.slice(sent)).toEqual(["SHOUT hey"]);
});
