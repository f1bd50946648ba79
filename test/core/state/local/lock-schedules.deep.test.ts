import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Setting, play, playAll } from "./lock-schedules.ts";

/** Every schedule with a few switches between the processes, at any call. */
const EXHAUSTIVE: readonly (readonly [name: string, setting: Setting, switches: number])[] = [
  ["3 processes", { contenders: 3 }, 1],
  ["2 processes, one of which is killed", { contenders: 2, kills: 1 }, 2],
  ["3 processes, two of which are killed", { contenders: 3, kills: 2 }, 1],
  ["2 processes while somebody unlocks by force", { contenders: 2, unlocks: "ended" }, 2],
  ["3 processes while somebody unlocks a living one by force", { contenders: 3, unlocks: "living" }, 2],
  ["3 processes, without hard links", { contenders: 3, hasLinks: false }, 1],
];

/** Random schedules, with any number of switches. */
const RANDOM: readonly (readonly [name: string, setting: Setting])[] = [
  ["3 processes", { contenders: 3 }],
  ["4 processes", { contenders: 4 }],
  ["4 processes, two of which are killed", { contenders: 4, kills: 2 }],
  ["3 processes while somebody unlocks by force, two of all are killed", { contenders: 3, kills: 2, unlocks: "ended" }],
  ["4 processes, two of them in containers of their own", { contenders: 4, containers: true }],
  ["4 processes while somebody unlocks a living one by force", { contenders: 4, unlocks: "living" }],
  ["4 processes, two of which are killed, without hard links", { contenders: 4, kills: 2, hasLinks: false }],
];

describe("the lock of an ended process goes to one process at a time, and never gets stuck", () => {
  test.each(EXHAUSTIVE)(
    "with %s, at every point where they can be stopped",
    { timeout: 180_000 },
    async (_, setting, switches) => {
      const { schedules, held } = await playAll(setting, switches);
      expect(held).toBeGreaterThan(0);
      expect(schedules).toBeGreaterThan(100);
    },
  );

  test.each(RANDOM)("with %s, in random order", async (_, setting) => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1_000_000)), async (numbers) => {
        const played = await play(setting, (choices) => {
          const steps = choices.filter(({ what }) => what === "step");
          const number = Number(numbers.next().value);
          const among = number % 20 === 0 ? choices : steps;
          return among[Math.floor(number / 20) % among.length] ?? expect.fail("nothing to choose from");
        });
        expect(played.faults).toEqual([]);
        held += played.held;
      }),
      { numRuns: 300 },
    );
    expect(held).toBeGreaterThan(100);
  });
});
