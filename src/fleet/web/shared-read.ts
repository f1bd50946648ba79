import type { Clock } from "../../core/model/ports.ts";
import { FleetUnavailable } from "../fleet-store.ts";

/** Reads again only what is older than `maxAgeMs`. Rejects with `FleetUnavailable` if there is no answer in time. */
export type SharedRead<T> = (maxAgeMs: number) => Promise<T>;

/** However many readers there are, and however slow the database is: at most one read is under way. */
export function sharedRead<T>(load: () => Promise<T>, timeoutMs: number, clock: Pick<Clock, "monotonicMs" | "sleep">): SharedRead<T> {
  let last: { readonly value: T; readonly atMs: number } | null = null;
  let underWay: Promise<T> | null = null;
  const read = async (): Promise<T> => {
    const atMs = clock.monotonicMs();
    try {
      const value = await load();
      last = { value, atMs };
      return value;
    } finally {
      underWay = null;
    }
  };
  return async (maxAgeMs) => {
    if (last !== null && clock.monotonicMs() - last.atMs < maxAgeMs) return last.value;
    underWay ??= read();
    return inTime(underWay, timeoutMs, clock);
  };
}

/** The result of a request to the database, or `FleetUnavailable` if it takes too long. */
export async function inTime<T>(answer: Promise<T>, timeoutMs: number, { sleep }: Pick<Clock, "sleep">): Promise<T> {
  const ended = new AbortController();
  const late = sleep(timeoutMs, ended.signal).then(() => {
    throw new FleetUnavailable(`The database did not answer within ${String(timeoutMs / 1000)} s.`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    ended.abort();
  }
}
