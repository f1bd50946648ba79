import { expect, test } from "vitest";
import { type BudgetRow, sharedBudget } from "../../src/fleet/shared-budget.ts";
import type { SharedRequests } from "../../src/service/api/pace.ts";
import type { Part } from "../../src/service/api/shared-parts.ts";

const NOTHING: SharedRequests = { countedMs: [], held: 0, heldUntilMs: 0, pausedUntilMs: 0, fastestMs: null };
const HOUR_MS = 3.6e6;
/** The database's time at the local time 0. */
const THEN_MS = 1_700_000_000_000;

/** A budget whose row has a part of another process, and whose answers are at this local time. */
function budget(other: Partial<Part>) {
  const world = { nowMs: 0, row: {} as Omit<BudgetRow, "parts" | "sinceMs">, stored: [] as readonly Part[] };
  const clock = { now: () => 0, monotonicMs: () => world.nowMs, sleep: () => Promise.resolve() };
  const rows = {
    change: async (_: string, change: (row: BudgetRow) => readonly Part[]) => {
      world.stored = change({ ...world.row, sinceMs: null, parts: [{ participant: "other", ...NOTHING, ...other }] });
      return Promise.resolve();
    },
  };
  const log = sharedBudget(clock, rows, { key: "key", participant: "own" });
  /** What the exchange shows of the other process, and stores of both. */
  async function exchange(nowMs: number, row: typeof world.row, own: readonly number[] = []) {
    Object.assign(world, { nowMs, row });
    await log.exchange(() => ({ ...NOTHING, countedMs: own }));
    const stored = (name: string): readonly number[] | undefined =>
      world.stored.find(({ participant }) => participant === name)?.countedMs;
    return { seen: log.peek()?.[0], own: stored("own"), other: stored("other") };
  }
  return exchange;
}

/** An exchange without delay, with a database's clock that is so much further. */
const at = (nowMs: number, furtherMs = 0): Omit<BudgetRow, "parts" | "sinceMs"> => ({
  sentMs: nowMs,
  beganMs: THEN_MS + nowMs + furtherMs,
  lockedMs: THEN_MS + nowMs + furtherMs,
});

test("what the ways to and from the database leave open makes requests later, and waiting for the row does not", async () => {
  const exchange = budget({
    countedMs: [THEN_MS - 500],
    held: 1,
    heldUntilMs: THEN_MS + 5000,
    pausedUntilMs: THEN_MS + 3000,
  });
  // The database's clock says 10 ms after the sending when the transaction begins, and 20 ms before the answer that the row is locked.
  const { seen, own } = await exchange(1000, { sentMs: 100, beganMs: THEN_MS + 110, lockedMs: THEN_MS + 980 }, [900]);
  expect(seen).toEqual({
    participant: "other",
    countedMs: [-480],
    held: 1,
    heldUntilMs: 5020,
    pausedUntilMs: 3020,
    fastestMs: null,
  });
  expect(own).toEqual([THEN_MS + 910]);
});

test("requests from before the database's clock was set ahead count for a window as if it had not been", async () => {
  const exchange = budget({ countedMs: [THEN_MS - 10] });
  expect((await exchange(0, at(0))).seen?.countedMs).toEqual([-10]);
  expect((await exchange(4000, at(4000, 60_000))).seen?.countedMs).toEqual([-10]);
  expect((await exchange(4300, at(4300, 60_000))).seen?.countedMs).toEqual([-60_010]);
});

test("requests from before the database's clock was set back count from now, once", async () => {
  const exchange = budget({ countedMs: [THEN_MS + HOUR_MS], held: 1, heldUntilMs: THEN_MS + HOUR_MS });
  const { seen, other } = await exchange(0, at(0));
  expect(seen).toMatchObject({ countedMs: [100], heldUntilMs: 10_000 });
  expect(other).toEqual([THEN_MS + 100]);
});
