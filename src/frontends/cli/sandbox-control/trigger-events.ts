import type { Interrupt, Ports } from "../../../operations/context.ts";

/** How many events to trigger, and how many a second; null: as fast as the sandbox takes them. */
export interface Pace {
  readonly count: number;
  readonly rate: number | null;
}

/** Events in one request. */
const MAX_BATCH = 500;
/** The shortest time between two requests with a rate. */
const TICK_MS = 20;
/** The queue length from which the deliveries of the sandbox get time to catch up. */
const MANY_QUEUED = 50_000;
const CATCH_UP_MS = 1000;

/**
 * Triggers events in batches until there are `count`, or until an interrupt. `post` triggers some of them, and returns how many deliveries the
 * sandbox has not finished. Returns how many events it triggered.
 */
export async function triggerEvents(
  { clock, stop }: Interrupt & Pick<Ports, "clock">,
  { count, rate }: Pace,
  post: (count: number) => Promise<{ readonly unfinished: number }>,
): Promise<number> {
  const begunMs = clock.monotonicMs();
  const pause = (ms: number): Promise<void> => clock.sleep(ms, stop).catch(() => undefined);
  let triggered = 0;
  while (triggered < count && !stop.aborted) {
    const elapsedMs = clock.monotonicMs() - begunMs;
    // The first event is due at once.
    const due = rate === null ? count : Math.min(count, Math.floor((elapsedMs * rate) / 1000) + 1);
    const batch = Math.min(due - triggered, MAX_BATCH);
    if (batch <= 0) {
      await pause(Math.max(TICK_MS, (triggered * 1000) / (rate ?? 1) - elapsedMs));
      continue;
    }
    const { unfinished } = await post(batch);
    triggered += batch;
    if (unfinished > MANY_QUEUED && triggered < count) await pause(CATCH_UP_MS);
  }
  return triggered;
}
