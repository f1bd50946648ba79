import { type LiveIndex, indexLive } from "../../../core/plan/live-index.ts";
import { LOST_CREATE_LIFETIME_MS, lateDuplicates } from "../../../core/apply/recovery/lost-creates.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { LostCreate } from "../../../core/state/lost-create.ts";
import { appearedLate } from "./duplicate-messages.ts";
import { madeIds } from "./known-creates.ts";
import type { RecoveryPorts } from "./recovery.ts";

/** An object of a lost create, or one that was missing and has returned (`wasManaged`), that a list shows. */
export interface Late {
  readonly id: string;
  readonly wasManaged: boolean;
  /** Whether a known create made it. */
  readonly isMade: boolean;
}

/** The objects that appeared late, managed ones included, each once. */
export function lateIn(index: LiveIndex, lostCreates: readonly LostCreate[], made: ReadonlySet<string>): readonly Late[] {
  const late = new Map<string, Late>();
  for (const lostCreate of lostCreates) {
    for (const { id } of lateDuplicates(lostCreate, index)) {
      const wasManaged = lostCreate.id === id || late.get(id)?.wasManaged === true;
      late.set(id, { id, wasManaged, isMade: !wasManaged && made.has(id) });
    }
  }
  return [...late.values()];
}

export interface LateDuplicatePorts extends Omit<RecoveryPorts, "listingDelayMs" | "made"> {
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
  const { live, journal, clock, signal, isManaged, isMarked, toldBefore } = ports;
  const told = new Set<string>();
  let looked: readonly LiveObject[] | null = null;

  /** A journal that cannot be read is reported when the provider is configured. */
  async function lostCreates(): Promise<readonly LostCreate[]> {
    const known = await journal.known().catch(() => ({ lostCreates: [] }));
    return known.lostCreates.filter(({ type, sentAtMs }) => type === definition.type && clock.now() - sentAtMs < LOST_CREATE_LIFETIME_MS);
  }
  async function report(lost: readonly LostCreate[]): Promise<readonly Diagnostic[]> {
    for (const { id } of await toldBefore()) told.add(id);
    const { objects } = await live.get(signal);
    if (objects === looked) return [];
    looked = objects;
    const said: Diagnostic[] = [];
    for (const late of lateIn(indexLive(definition, objects), lost, madeIds(await journal.known()))) {
      const { id, isMade } = late;
      if (isMade || isManaged(id) || told.has(id) || (await isMarked(id))) continue;
      told.add(id);
      said.push(appearedLate(definition, late));
    }
    return said;
  }
  return {
    isNeeded: async () => (await lostCreates()).length > 0,
    isTold: (id) => told.has(id),
    report: async () => {
      const lost = await lostCreates();
      // After a failure, the next list is searched again.
      return lost.length === 0 ? [] : report(lost).catch(() => []);
    },
  };
}
