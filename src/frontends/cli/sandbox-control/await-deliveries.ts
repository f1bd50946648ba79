import type { LoggedDelivery } from "../../../sandbox/delivery/delivery-log.ts";
import type { Interrupt, Ports } from "../../../operations/context.ts";
import type { ControlClient } from "./control-client.ts";

const POLL_MS = 50;
/** Of more deliveries than this, each list is long: ask less often. */
const FEW = 100;
const POLL_MANY_MS = 500;

/**
 * The deliveries with these ids, oldest first, as soon as each had an attempt, but at the latest after `waitMs`. Those that the sandbox's log has
 * no longer are missing.
 */
export async function awaitDeliveries(
  { clock, stop }: Interrupt & Pick<Ports, "clock">,
  client: ControlClient,
  ids: readonly number[],
  waitMs: number,
): Promise<readonly LoggedDelivery[]> {
  if (ids.length === 0) return [];
  const wanted = new Set(ids);
  const endMs = clock.monotonicMs() + waitMs;
  const after = String(Math.min(...wanted) - 1);
  for (;;) {
    const listed = (await client.get(`/deliveries?after=${after}`)) as readonly LoggedDelivery[];
    const found = listed.filter(({ id }) => wanted.has(id));
    if (stop.aborted || clock.monotonicMs() >= endMs || found.every(({ state }) => state !== "pending")) return found;
    await clock.sleep(ids.length > FEW ? POLL_MANY_MS : POLL_MS, stop).catch(() => undefined);
  }
}
