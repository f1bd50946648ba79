import { type Gate, gate } from "../../../core/apply/run/gate.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import type { WriteContext } from "../../../core/apply/write/write-context.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { JournaledCreate } from "./journaled-create.ts";
import type { Journals } from "./journals.ts";
import type { Recovery } from "./recovery.ts";

/** What writing objects of one type needs. */
export interface Writing {
  readonly context: WriteContext;
  readonly live: LiveList;
  readonly journals: Journals;
  readonly recovery: Recovery;
  readonly queues: Queues;
  readonly earlier: Earlier;
  /** The ids found for objects that Terraform records without one, by the name of their create. */
  readonly resolved: Map<string, string>;
  /** Whether Terraform has shown that it has this object in its state. */
  readonly isKnown: (attributes: Attributes) => boolean;
  /** Marks an object as made, or found, by this process. */
  readonly made: (id: string) => void;
  /** What this process has given to Terraform as created, by the key of the identity. */
  readonly given: Map<string, RecordedInstance>;
  /** What Terraform has and keeps, as far as it told this process: the key of its identity by its id. */
  readonly staying: ReadonlyMap<string, string>;
}

/** A queue for objects that the service's list cannot tell apart. A second create starts only when the first is decided. */
export interface Queues {
  queueOf(attributes: Attributes): Promise<string>;
  enter(queue: string): Promise<() => void>;
}

export function openQueues(definition: AnyResource, live: LiveList, signal: AbortSignal): Queues {
  const gates = new Map<string, Gate>();
  let observable: Promise<readonly string[]> | null = null;
  return {
    queueOf: async (attributes) => {
      // Read once, so that all creates compare objects by the same attributes.
      observable ??= definition.list ? live.observable(signal) : Promise.resolve(definition.identity);
      observable.catch(() => (observable = null));
      return identityKey(definition, attributes, await observable);
    },
    enter: (queue) => {
      const one = gates.get(queue) ?? gate(1);
      gates.set(queue, one);
      return one.enter();
    },
  };
}

/** Earlier creates that are still open, or whose object nothing has claimed, by queue. */
export interface Earlier {
  in(queue: string): Promise<readonly JournaledCreate[]>;
  /** Call it when more journals were taken over. */
  refill(): void;
  put(queue: string, create: JournaledCreate): void;
  drop(queue: string, create: JournaledCreate): void;
}

export function openEarlier({ type }: AnyResource, journals: Pick<Journals, "leftBehind">, queueOf: Queues["queueOf"]): Earlier {
  const byQueue = new Map<string, Map<string, JournaledCreate>>();
  const seen = new Set<string>();
  let filling: Promise<void> | null = null;

  function put(queue: string, create: JournaledCreate): void {
    const there = byQueue.get(queue) ?? new Map<string, JournaledCreate>();
    byQueue.set(queue, there.set(create.name, create));
  }
  async function fill(): Promise<void> {
    for (const create of await journals.leftBehind()) {
      const { intent, outcome, name } = create;
      if (seen.has(name)) continue;
      seen.add(name);
      if (intent.type === type && (outcome.kind === "open" || outcome.kind === "made")) put(await queueOf(intent.key), create);
    }
  }
  return {
    in: async (queue) => {
      filling ??= fill();
      filling.catch(() => (filling = null));
      await filling;
      return [...(byQueue.get(queue)?.values() ?? [])];
    },
    refill: () => void (filling = null),
    put,
    drop: (queue, { name }) => void byQueue.get(queue)?.delete(name),
  };
}
