import { type Gate, gate } from "../../../core/apply/run/gate.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import type { WriteContext } from "../../../core/apply/write/write.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { JournaledCreate } from "./journaled-create.ts";
import type { Journals } from "./journals.ts";
import type { Recovery } from "./recovery.ts";

/** What it takes to write objects of one type. */
export interface Writing {
  readonly context: WriteContext;
  readonly live: LiveList;
  readonly journals: Journals;
  readonly recovery: Recovery;
  readonly lanes: Lanes;
  readonly earlier: Earlier;
  /** Objects without an id of which it is known by now what became of them, by the name of their create. */
  readonly resolved: Map<string, string>;
  /** Whether Terraform has shown that it has this object in its state. */
  readonly isKnown: (attributes: Attributes) => boolean;
  /** Tells that an object has been made, or found, by this process. */
  readonly made: (id: string) => void;
  /** What this process has given to Terraform as created, by the key of the identity. */
  readonly given: Map<string, RecordedInstance>;
  /** What Terraform has and keeps, as far as this process was told: the key of its identity by its id. */
  readonly staying: ReadonlyMap<string, string>;
}

/** One at a time of what the service's list could not tell apart: a second is not begun before the first is decided. */
export interface Lanes {
  laneOf(attributes: Attributes): Promise<string>;
  enter(lane: string): Promise<() => void>;
}

export function openLanes(definition: AnyResource, live: LiveList, signal: AbortSignal): Lanes {
  const gates = new Map<string, Gate>();
  let observable: Promise<readonly string[]> | null = null;
  return {
    laneOf: async (attributes) => {
      // The same from first to last, so that what is alike for one is alike for all.
      observable ??= definition.list ? live.observable(signal) : Promise.resolve(definition.identity);
      observable.catch(() => (observable = null));
      return identityKey(definition, attributes, await observable);
    },
    enter: (lane) => {
      const one = gates.get(lane) ?? gate(1);
      gates.set(lane, one);
      return one.enter();
    },
  };
}

/** The creates that were begun before and are not settled yet, or whose object nothing has asked for, lane by lane. */
export interface Earlier {
  in(lane: string): Promise<readonly JournaledCreate[]>;
  /** There is more than there was. */
  refill(): void;
  put(lane: string, create: JournaledCreate): void;
  drop(lane: string, create: JournaledCreate): void;
}

export function openEarlier({ type }: AnyResource, journals: Pick<Journals, "leftBehind">, laneOf: Lanes["laneOf"]): Earlier {
  const byLane = new Map<string, Map<string, JournaledCreate>>();
  const seen = new Set<string>();
  let filling: Promise<void> | null = null;

  function put(lane: string, create: JournaledCreate): void {
    const there = byLane.get(lane) ?? new Map<string, JournaledCreate>();
    byLane.set(lane, there.set(create.name, create));
  }
  async function fill(): Promise<void> {
    for (const create of await journals.leftBehind()) {
      const { intent, outcome, name } = create;
      if (seen.has(name)) continue;
      seen.add(name);
      if (intent.type === type && (outcome.kind === "open" || outcome.kind === "made")) put(await laneOf(intent.key), create);
    }
  }
  return {
    in: async (lane) => {
      filling ??= fill();
      filling.catch(() => (filling = null));
      await filling;
      return [...(byLane.get(lane)?.values() ?? [])];
    },
    refill: () => void (filling = null),
    put,
    drop: (lane, { name }) => void byLane.get(lane)?.delete(name),
  };
}
