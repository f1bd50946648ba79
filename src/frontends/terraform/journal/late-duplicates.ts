import { indexLive } from "../../../core/plan/live-index.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import { LOST_CREATE_LIFETIME_MS, lateDuplicates } from "../../../core/apply/recovery/lost-creates.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import type { Journals } from "./journals.ts";
import { turnedUpLate } from "./create-messages.ts";

export interface LateDuplicatePorts {
  readonly live: LiveList;
  readonly journals: Pick<Journals, "lostCreates" | "madeIds">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly isManaged: (id: string) => boolean;
  readonly isMarked: (id: string) => Promise<boolean>;
}

/** Reports objects of lost creates that the last list shows, each once. It never fails. */
export function openLateDuplicates(definition: AnyResource, ports: LateDuplicatePorts): () => Promise<readonly Diagnostic[]> {
  const { live, journals, clock, signal, isManaged, isMarked } = ports;
  const told = new Set<string>();
  let looked: readonly LiveObject[] | null = null;
  return async () => {
    try {
      const lostCreates = (await journals.lostCreates()).filter(
        ({ type, sentAtMs }) => type === definition.type && clock.now() - sentAtMs < LOST_CREATE_LIFETIME_MS,
      );
      if (lostCreates.length === 0) return [];
      const { objects } = await live.get(signal);
      if (objects === looked) return [];
      looked = objects;
      const index = indexLive(definition, objects);
      const late = new Map(lostCreates.flatMap((lostCreate) => lateDuplicates(lostCreate, index).map((duplicate) => [duplicate.id, duplicate] as const)));
      const made = await journals.madeIds();
      const said: Diagnostic[] = [];
      for (const { id } of late.values()) {
        if (made.has(id) || isManaged(id) || told.has(id) || (await isMarked(id))) continue;
        told.add(id);
        said.push(turnedUpLate(definition, id));
      }
      return said;
    } catch {
      // The next list is searched again.
      return [];
    }
  };
}
