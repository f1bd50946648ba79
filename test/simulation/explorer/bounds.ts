import type { Landing } from "../service.ts";

/** How much may go wrong in one schedule: so many faults, so many deaths, and together not more than that. */
export interface Bounds {
  readonly faults: number;
  readonly deaths: number;
  readonly troubles: number;
  /**
   * All troubles, or those after which nobody knows what was done, as far as they leave different things for the next run: `lock-schedules.test.ts`
   * enumerates those of locks. Worlds that differ only in how long ago something was are one then.
   */
  readonly which: "all" | "unclear";
}

/** A change whose answer is lost, or that comes long after, an old answer, bytes that may be on the disk or not. */
const UNCLEAR = new Set([
  "lost-after",
  "late-long",
  "rival-lost-before",
  "rival-lost-after",
  "stale",
  "torn",
  "is killed",
]);
const UNCLEAR_OF_CHANGES =
  /^(?:(?:POST|DELETE) .*: lost-before|write the state: lost-before|(?:flush|rename|sync) .*: error|meanwhile .*)$/;

/** Whether a schedule within the bounds may have this fault. */
export function takes({ which }: Bounds, point: string, fate: string): boolean {
  return which === "all" || (!isBeside(point) && (UNCLEAR.has(fate) || UNCLEAR_OF_CHANGES.test(`${point}: ${fate}`)));
}

export function isDeadly({ which }: Bounds, point: string): boolean {
  return which === "all" || !isBeside(point);
}

/** Whether a schedule within the bounds may have a death after which this becomes of the writes in flight. */
export function takesFates({ which }: Bounds, fates: readonly Landing[]): boolean {
  return which === "all" || !fates.includes("late-soon");
}

/** Whether it is about a lock, a backup or a new file that is not renamed yet: whatever goes wrong there leaves nothing else for the next run. */
function isBeside(point: string): boolean {
  return /\.lock|\.backup|^(?:create|write|flush) .*\.tmp$|^(?:un)?lock the state$/.test(point);
}

/** What is left after so many faults and deaths; null where it is too much. */
export function less(
  { faults, deaths, troubles, which }: Bounds,
  used: Pick<Bounds, "faults" | "deaths">,
): Bounds | null {
  const left = {
    which,
    faults: faults - used.faults,
    deaths: deaths - used.deaths,
    troubles: troubles - used.faults - used.deaths,
  };
  return left.faults < 0 || left.deaths < 0 || left.troubles < 0 ? null : left;
}

export function boundsText({ faults, deaths, troubles }: Bounds): string {
  return `${String(troubles)}.${String(deaths)}.${String(faults)}`;
}

/** Those with more left come first: nothing leads back to them. */
export function byBounds(a: Bounds, b: Bounds): number {
  return b.troubles - a.troubles || b.deaths - a.deaths || b.faults - a.faults;
}
