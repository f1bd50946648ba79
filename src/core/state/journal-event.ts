import type { RecordedInstance } from "../model/instance.ts";
import type { Attributes } from "../model/value.ts";

/** What a write is about to do, stored durably before it is sent. */
export interface Intent {
  readonly kind: "intent";
  /** `replace` is a delete and then a create under one record; its `deleted` event is the boundary between the phases. */
  readonly op: "create" | "delete" | "replace";
  /** Of a replace: which half comes first; the delete when absent. */
  readonly order?: "delete-first" | "create-first";
  /** Null in the Terraform provider: the protocol does not tell it. */
  readonly address: string | null;
  readonly type: string;
  readonly provider: string;
  /** The object that is deleted or replaced. */
  readonly id: string | null;
  /** The attributes by which the new object can be found in the list. */
  readonly key: Attributes;
  /** What the new object shall be; secrets as digests. Null for a delete. */
  readonly planned: Attributes | null;
  /** The `listed` event that holds the ids that were live before. */
  readonly listed: number | null;
  readonly serverDate: string;
  /** Milliseconds since the epoch, by the local clock. */
  readonly sentAtMs: number;
}

export type JournalFact =
  | Intent
  /** The ids that were live before a window of writes: what is not among them came later. Stored once, referred to by `seq`. */
  | { readonly kind: "listed"; readonly ids: readonly string[] }
  /** A change of the record alone, without a request: null takes it out of the state. */
  | { readonly kind: "recorded"; readonly address: string; readonly record: RecordedInstance | null }
  /** The first phase of a replace is over: the old object is gone. */
  | { readonly kind: "deleted"; readonly of: number }
  /** The first phase of a create-first replace is over: the new object is there, and the old one is deposed. */
  | { readonly kind: "created"; readonly of: number; readonly record: RecordedInstance }
  /** Carried out. `record` is the object as it is now recorded, null when it is gone. */
  | { readonly kind: "done"; readonly of: number; readonly record: RecordedInstance | null }
  /** Certainly not carried out. */
  | { readonly kind: "failed"; readonly of: number; readonly code: string }
  /** The answer left open whether it was carried out. */
  | {
      readonly kind: "undecided";
      readonly of: number;
      readonly cause: string;
      /** Whether there was an answer: without one the service may still be at it. */
      readonly answered: boolean;
    };

/** One event of the journal. `seq` grows by one over the lifetime of a state, across runs. */
export type JournalEvent = JournalFact & { readonly seq: number };

/** An intent without a decided outcome, and what is known of it. */
export interface PendingIntent {
  readonly intent: Intent & { readonly seq: number };
  /** Whether a replace has already deleted its old object. */
  readonly deleted: boolean;
  /** Null when the process ended before an answer came. */
  readonly cause: string | null;
}

/** The intents that are neither done nor failed, in their order. */
export function pendingIntents(events: readonly JournalEvent[]): readonly PendingIntent[] {
  const open = new Map<number, PendingIntent>();
  for (const event of events) {
    if (event.kind === "intent") open.set(event.seq, { intent: event, deleted: false, cause: null });
    else if (event.kind === "done" || event.kind === "failed") open.delete(event.of);
    else if (event.kind === "deleted" || event.kind === "undecided") {
      const pending = open.get(event.of);
      if (!pending) continue;
      open.set(event.of, event.kind === "deleted" ? { ...pending, deleted: true } : { ...pending, cause: event.cause });
    }
  }
  return [...open.values()];
}

/**
 * Where writes are told before and after they are sent. Both calls resolve only when what they were given is durable.
 * `windowSize` is how many intents one `begin` may open.
 */
export interface Journal {
  readonly windowSize: number;
  /** Stores the facts and returns their sequence numbers. */
  begin(facts: readonly JournalFact[], signal: AbortSignal): Promise<readonly number[]>;
  settle(facts: readonly JournalFact[]): Promise<void>;
}
