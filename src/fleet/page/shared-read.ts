import { withinTime } from "../../core/model/async.ts";
import type { Clock } from "../../core/model/ports.ts";
import { FleetUnavailable } from "../fleet-store.ts";

/** Reads again only what is older than `maxAgeMs`. Rejects with `FleetUnavailable` if there is no answer in time. */
export type SharedRead<T> = (maxAgeMs: number) => Promise<T>;

/** However many readers there are, and however slow the database is: one read is under way, and another one only instead of one that is late. */
export function sharedRead<T>(
  load: () => Promise<T>,
  timeoutMs: number,
  clock: Pick<Clock, "monotonicMs" | "sleep">,
): SharedRead<T> {
  let last: { readonly value: T; readonly atMs: number } | null = null;
  let underWay: { readonly answer: Promise<T>; readonly atMs: number } | null = null;
  const begin = (atMs: number): Promise<T> => {
    const answer = load().then(
      (value) => {
        if (last === null || last.atMs <= atMs) last = { value, atMs };
        if (underWay?.answer === answer) underWay = null;
        return value;
      },
      (error: unknown) => {
        if (underWay?.answer === answer) underWay = null;
        throw error;
      },
    );
    underWay = { answer, atMs };
    return answer;
  };
  return async (maxAgeMs) => {
    const nowMs = clock.monotonicMs();
    if (last !== null && nowMs - last.atMs < maxAgeMs) return last.value;
    const answer = underWay !== null && nowMs - underWay.atMs < timeoutMs ? underWay.answer : begin(nowMs);
    return inTime(answer, timeoutMs, clock);
  };
}

/** The result of a request to the database, or `FleetUnavailable` if it takes too long. */
export function inTime<T>(answer: Promise<T>, timeoutMs: number, clock: Pick<Clock, "sleep">): Promise<T> {
  return withinTime(answer, timeoutMs, clock, () => {
    throw new FleetUnavailable(`The database did not answer within ${String(timeoutMs / 1000)} s.`);
  });
}
