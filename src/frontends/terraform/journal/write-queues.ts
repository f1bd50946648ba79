import { type Semaphore, semaphore } from "../../../core/model/async.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import type { Evidence } from "../../../core/apply/recovery/decide-creates.ts";
import type { WriteContext } from "../../../core/apply/write/write-context.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { Intent } from "../../../core/state/journal-event.ts";
import type { CreateJournal } from "./create-journal.ts";
import type { CreateRecovery } from "./create-recovery.ts";

/** What writing objects of one type needs. */
export interface Writing {
  readonly context: WriteContext;
  readonly live: LiveList;
  readonly journal: CreateJournal;
  readonly recovery: CreateRecovery;
  readonly queues: Queues;
  /** Whether Terraform has shown that it has this object in its state. */
  readonly isKnown: (attributes: Attributes) => boolean;
  /** Marks an object as made, or found, by this process. */
  readonly made: (id: string) => void;
  /** What this process has returned to Terraform as created, by the key of the identity. */
  readonly returned: Map<string, RecordedInstance>;
  /** What this process has forgotten as unconfirmed, to send it again in a replace, by the key of the identity. */
  readonly unconfirmed: Set<string>;
  /** What Terraform has and keeps, as far as it told this process: the key of its identity by its id. */
  readonly staying: ReadonlyMap<string, string>;
  /** The objects that Terraform has shown, and a list does not show. */
  readonly unlisted: Evidence["unlisted"];
}

/** A queue for objects that the service's list cannot tell apart. A second create starts only when the first is decided. */
export interface Queues {
  queueOf(attributes: Attributes): Promise<string>;
  /** Whether a create belongs to the queue. */
  membersOf(queue: string): Promise<(create: { readonly intent: Pick<Intent, "type" | "key"> }) => boolean>;
  enter(queue: string): Promise<() => void>;
}

export function openQueues(definition: AnyResource, live: LiveList, signal: AbortSignal): Queues {
  const gates = new Map<string, Semaphore>();
  let observable: Promise<readonly string[]> | null = null;
  function compared(): Promise<readonly string[]> {
    // Read once, so that all creates compare objects by the same attributes.
    observable ??= definition.list ? live.observable(signal) : Promise.resolve(definition.identity);
    observable.catch(() => (observable = null));
    return observable;
  }
  return {
    queueOf: async (attributes) => identityKey(definition, attributes, await compared()),
    membersOf: async (queue) => {
      const names = await compared();
      return ({ intent: { type, key } }) => type === definition.type && identityKey(definition, key, names) === queue;
    },
    enter: (queue) => {
      const one = gates.get(queue) ?? semaphore(1);
      gates.set(queue, one);
      return one.enter();
    },
  };
}
