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
  /** It blocks no create of this process any more. */
  drop(create: JournaledCreate): void;
}

export function openEarlier({ type }: AnyResource, journals: Pick<Journals, "earlier">, queueOf: Queues["queueOf"]): Earlier {
  const dropped = new Set<string>();
  const queues = new Map<string, string>();
  async function isIn(queue: string, { name, intent }: JournaledCreate): Promise<boolean> {
    if (intent.type !== type || dropped.has(name)) return false;
    const own = queues.get(name) ?? (await queueOf(intent.key));
    queues.set(name, own);
    return own === queue;
  }
  return {
    in: async (queue) => {
      const found: JournaledCreate[] = [];
      for (const create of await journals.earlier()) if (await isIn(queue, create)) found.push(create);
      return found;
    },
    drop: ({ name }) => void dropped.add(name),
  };
}
