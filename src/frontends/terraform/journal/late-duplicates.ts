import { indexLive } from "../../../core/plan/live-index.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import { LOST_CREATE_LIFETIME_MS, lateDuplicates } from "../../../core/apply/recovery/lost-creates.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import type { LostCreate } from "../../../core/state/document.ts";
import type { Journals } from "./journals.ts";
import { turnedUpLate } from "./create-messages.ts";
import { returned } from "./duplicate-messages.ts";

export interface LateDuplicatePorts {
  readonly live: LiveList;
  readonly journals: Pick<Journals, "lostCreates" | "madeIds">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly isManaged: (id: string) => boolean;
  readonly isMarked: (id: string) => Promise<boolean>;
  /** The objects that were reported when the provider was configured. */
  readonly toldBefore: () => Promise<readonly { readonly id: string }[]>;
}

/** Objects of lost creates, and missing objects, that the last list shows. */
export interface LateDuplicates {
  /** Whether there is anything to look for. It never fails. */
  isNeeded(): Promise<boolean>;
  /** Reports each object once. It never fails. */
  report(): Promise<readonly Diagnostic[]>;
  isTold(id: string): boolean;
}

export function openLateDuplicates(definition: AnyResource, ports: LateDuplicatePorts): LateDuplicates {
  const { live, journals, clock, signal, isManaged, isMarked, toldBefore } = ports;
  const told = new Set<string>();
  let looked: readonly LiveObject[] | null = null;

  async function lookedFor(): Promise<readonly LostCreate[]> {
    const lostCreates = await journals.lostCreates();
    return lostCreates.filter(({ type, sentAtMs }) => type === definition.type && clock.now() - sentAtMs < LOST_CREATE_LIFETIME_MS);
  }
  return {
    // A folder that cannot be read is reported when the provider is configured.
    isNeeded: () =>
      lookedFor().then(
        ({ length }) => length > 0,
        () => false,
      ),
    isTold: (id) => told.has(id),
    report: async () => {
      try {
        const lostCreates = await lookedFor();
        if (lostCreates.length === 0) return [];
        for (const { id } of await toldBefore()) told.add(id);
        const { objects } = await live.get(signal);
        if (objects === looked) return [];
        looked = objects;
        const index = indexLive(definition, objects);
        const late = new Map(lostCreates.flatMap((lostCreate) => lateDuplicates(lostCreate, index).map(({ id }) => [id, lostCreate] as const)));
        const made = await journals.madeIds();
        const said: Diagnostic[] = [];
        for (const [id, lostCreate] of late) {
          const isKnown = lostCreate.id === id;
          if ((!isKnown && made.has(id)) || isManaged(id) || told.has(id) || (await isMarked(id))) continue;
          told.add(id);
          said.push(isKnown ? returned(definition, id) : turnedUpLate(definition, id));
        }
        return said;
      } catch {
        // The next list is searched again.
        return [];
      }
    },
  };
}
