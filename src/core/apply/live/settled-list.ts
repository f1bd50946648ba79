import { waitForList, type ListWait } from "./listing-delay.ts";
import type { AnyResource, LiveListing } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Clock } from "../../model/ports.ts";
import { isUnsettled } from "../run/record-first-listed.ts";
import { isContradicted } from "./list-records.ts";
import type { LiveList } from "./live-list.ts";

export interface Settling extends ListWait {
  readonly definition: AnyResource;
  /** The recorded objects of the type. */
  readonly instances: readonly RecordedInstance[];
  readonly listingDelayMs: number;
  readonly clock: Clock;
  /** Asks for proof that the list is whole. */
  readonly confirm?: boolean;
}

/**
 * The list once everything that was created lately has had time to appear in it. Reads again while a recent object is missing,
 * or shows other values than were sent. Never waits longer than the listing delay, even if a recorded time is in the future.
 * Notes a list that lacks even then what it must have shown.
 */
export async function settledList(listing: LiveListing, list: LiveList, settling: Settling): Promise<LiveListing> {
  const { definition, instances, listingDelayMs, clock, signal, confirm = false } = settling;
  const latestMs = clock.now() + listingDelayMs;
  for (let seen = listing; ; seen = await list.again(signal, { confirm })) {
    const there = new Map(seen.objects.map((object) => [object.id, object]));
    const missing = instances.filter(({ id }) => id !== null && !there.has(id));
    const young = instances.filter(
      ({ id, recordedAtMs }) => id !== null && recordedAtMs + listingDelayMs > clock.now(),
    );
    const open = young.filter((instance) => isUnsettled(definition, instance, there.get(instance.id ?? "")));
    const { unchanged } = list.findings();
    const times = [
      ...open.map(({ recordedAtMs }) => recordedAtMs),
      ...(unchanged && missing.length > 0 ? [unchanged.atMs] : []),
    ];
    const youngestMs = times.reduce((youngest, atMs) => Math.max(youngest, atMs), Number.NEGATIVE_INFINITY);
    const waitMs = Math.min(youngestMs + listingDelayMs, latestMs) - clock.now();
    if (waitMs <= 0) {
      const nowMs = clock.now();
      if (!isContradicted(list.findings(), { missing, listingDelayMs, nowMs })) return seen;
      list.contradict(nowMs);
      return list.get(signal);
    }
    await waitForList(waitMs, settling);
  }
}
