import { indexLive } from "../../../core/apply/live-index.ts";
import type { LiveList } from "../../../core/apply/live-list.ts";
import { TOMBSTONE_LIFETIME_MS, lateTwins } from "../../../core/apply/tombstones.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import type { Journals } from "./journals.ts";
import { turnedUpLate } from "./wording.ts";

export interface LateTwinPorts {
  readonly live: LiveList;
  readonly journals: Pick<Journals, "tombstones" | "creates">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly isManaged: (id: string) => boolean;
}

/** Reports outcomes that have turned up after they were given up, each once: in the list as it was last read. It never fails. */
export function openLateTwins(definition: AnyResource, { live, journals, clock, signal, isManaged }: LateTwinPorts): () => Promise<readonly Diagnostic[]> {
  const told = new Set<string>();
  let looked: readonly LiveObject[] | null = null;
  return async () => {
    try {
      const tombstones = (await journals.tombstones()).filter(
        ({ type, sentAtMs }) => type === definition.type && clock.now() - sentAtMs < TOMBSTONE_LIFETIME_MS,
      );
      if (tombstones.length === 0) return [];
      const { objects } = await live.get(signal);
      if (objects === looked) return [];
      looked = objects;
      const index = indexLive(definition, objects);
      const late = new Map(tombstones.flatMap((tombstone) => lateTwins(tombstone, index).map((twin) => [twin.id, twin] as const)));
      const { own, ofLiving } = await journals.creates();
      for (const { outcome } of [...own, ...ofLiving]) if (outcome.kind === "made" && outcome.record.id !== null) late.delete(outcome.record.id);
      const untold = [...late.values()].filter(({ id }) => !isManaged(id) && !told.has(id));
      for (const { id } of untold) told.add(id);
      return untold.map((twin) => turnedUpLate(definition, twin));
    } catch {
      // It is looked for again with the next list.
      return [];
    }
  };
}
