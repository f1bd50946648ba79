import type { RecordedInstance } from "../model/instance.ts";
import type { Attributes } from "../model/value.ts";
import type { LostCreate } from "./lost-create.ts";

/** A write that is about to be sent, stored durably before. */
export interface Intent {
  readonly kind: "intent";
  /** `replace` is a delete and then a create under one record; its `deleted` event is the boundary between the phases. */
  readonly op: "create" | "delete" | "replace";
  /** Which half of a replace comes first; the delete when absent. */
  readonly order?: "delete-first" | "create-first";
  /** Null in the Terraform provider: the protocol does not contain it. */
  readonly address: string | null;
  readonly type: string;
  readonly provider: string;
  /** The object that is deleted or replaced. */
  readonly id: string | null;
  /** The attributes by which the new object can be found in the list. */
  readonly key: Attributes;
  /** The values of the new object; secrets as digests. Null for a delete. */
  readonly planned: Attributes | null;
  /** The `listed` event that holds the ids that were live before. */
  readonly listed: number | null;
  readonly serverDate: string;
  /** Milliseconds since the epoch, by the local clock: when it was sent; of one that was begun ahead, the latest time when it may have been. */
  readonly sentAtMs: number;
  /** Begun ahead of its requests: no event records whether the second half of a replace was sent. */
  readonly ahead?: true;
  /** What the record of the new object holds in addition to its values, as in `RecordedInstance`. */
  readonly masked?: readonly string[];
  readonly lookups?: { readonly [attribute: string]: string };
  readonly details?: { readonly [name: string]: string };
  /** The mark that the new object carries. */
  readonly mark?: string;
  /** An event of a newer state's journal than the current one: its outcome may have been forgotten, so no list decides it. */
  readonly restored?: true;
}

export type JournalFact =
  | Intent
  /** The ids that were live before a window of writes: any other object is newer. Stored once, referred to by `seq`. */
  | {
      readonly kind: "listed";
      readonly ids: readonly string[];
      /** The list may have been cut off. */ readonly partial?: true;
    }
  /** A change of the record alone, without a request: null takes it out of the state. */
  | { readonly kind: "recorded"; readonly address: string; readonly record: RecordedInstance | null }
  /** Objects that go from one address to another, all at once: null takes an address out. */
  | {
      readonly kind: "moved";
      readonly records: readonly { readonly address: string; readonly record: RecordedInstance | null }[];
    }
  /** The first phase of a replace is over: the old object is gone. `returned` is what the service said of it. */
  | { readonly kind: "deleted"; readonly of: number; readonly atMs?: number; readonly returned?: Attributes }
  /** The first phase of a create-first replace is over: the new object is there, and the old one is deposed. */
  | {
      readonly kind: "created";
      readonly of: number;
      readonly record: RecordedInstance;
      readonly atMs?: number;
      readonly lost?: LostCreate;
    }
  /** Carried out. `record` is the object's new record, null if it is gone. `returned`: the answer of the service to a delete. */
  | {
      readonly kind: "done";
      readonly of: number;
      readonly record: RecordedInstance | null;
      readonly returned?: Attributes;
      /** The ids of all objects that a create, found in the list, could be taken for then. */
      readonly lookalikes?: readonly string[];
      /** Whether the answer of a create that was found in the list had rejected it. */
      readonly lost?: LostCreate;
    }
  /** Not carried out. `lost` is set for a rejected create, in case its object appears anyway. */
  | { readonly kind: "failed"; readonly of: number; readonly code: string; readonly lost?: LostCreate }
  /** The answer does not tell whether it was carried out. */
  | {
      readonly kind: "undecided";
      readonly of: number;
      readonly cause: string;
      /** Whether an answer came: without one the service may still be working on it. */
      readonly answered: boolean;
      /** When the answer came, or was waited for no longer: by the local clock. */
      readonly atMs?: number;
    };

/** One event of the journal. `seq` grows by one over the lifetime of a state, across runs. */
export type JournalEvent = JournalFact & { readonly seq: number };

/** An intent without a decided outcome, and what is known about it. */
export interface PendingIntent {
  readonly intent: Intent & { readonly seq: number };
  /** Whether a replace has already deleted its old object. */
  readonly deleted: boolean;
  /** When that was stored, by the local clock; absent where recovery found it out. */
  readonly deletedAtMs?: number;
  /** Whether a create-first replace has already recorded its new object. */
  readonly created: boolean;
  /** Null when the process ended before an answer came. */
  readonly cause: string | null;
  /** Whether the last request was answered: without an answer the service may still be working on it. */
  readonly answered: boolean;
  /** The last that was heard or sent, by the local clock. */
  readonly lastAtMs: number;
}

/** The intents that are neither done nor failed, in their order. */
export function pendingIntents(events: readonly JournalEvent[]): readonly PendingIntent[] {
  const open = new Map<number, PendingIntent>();
  for (const event of events) {
    if (event.kind === "intent") {
      open.set(event.seq, {
        intent: event,
        deleted: false,
        created: false,
        cause: null,
        answered: false,
        lastAtMs: event.sentAtMs,
      });
    } else if (event.kind === "done" || event.kind === "failed") open.delete(event.of);
    else if (event.kind === "deleted" || event.kind === "created" || event.kind === "undecided") {
      const pending = open.get(event.of);
      if (pending)
        open.set(event.of, { ...pending, ...progressOf(event), lastAtMs: Math.max(pending.lastAtMs, event.atMs ?? 0) });
    }
  }
  return [...open.values()];
}

function progressOf(
  event: Extract<JournalEvent, { kind: "deleted" | "created" | "undecided" }>,
): Partial<PendingIntent> {
  if (event.kind === "deleted")
    return { deleted: true, ...(event.atMs === undefined ? {} : { deletedAtMs: event.atMs }) };
  if (event.kind === "created") return { created: true };
  return { cause: event.cause, answered: event.answered };
}

/** Which request of a write is open, in words. */
export function openRequest({ intent, deleted, created }: PendingIntent): {
  readonly half: "create" | "delete";
  readonly words: string;
} {
  const { op, order } = intent;
  if (op !== "replace") return { half: op, words: op };
  if (order === "create-first") {
    return created
      ? { half: "delete", words: "delete (second half of a replace)" }
      : { half: "create", words: "create (first half of a replace)" };
  }
  return deleted
    ? { half: "create", words: "create (second half of a replace)" }
    : { half: "delete", words: "delete (first half of a replace)" };
}

/** Whether a create may be open: of a delete-first replace that was begun ahead, and has no stored outcome, either half. */
export function mayCreate(one: PendingIntent): boolean {
  const { op, ahead } = one.intent;
  return (
    openRequest(one).half === "create" || (op === "replace" && ahead === true && one.cause === null && !one.created)
  );
}

/** The events of undecided intents alone, with what they refer to. */
export function undecidedEvents(events: readonly JournalEvent[]): readonly JournalEvent[] {
  const open = pendingIntents(events).map(({ intent }) => intent);
  const kept = new Set(open.flatMap(({ seq, listed }) => (listed === null ? [seq] : [seq, listed])));
  return events.filter((event) => kept.has("of" in event ? event.of : event.seq));
}

/** The undecided events without those of the intents that are resolved now. */
export function withoutIntents(
  events: readonly JournalEvent[],
  resolved: ReadonlySet<number>,
): readonly JournalEvent[] {
  return undecidedEvents(events.filter((event) => !resolved.has("of" in event ? event.of : event.seq)));
}

/** Where a run stores what it is about to send, before it sends it, and what became of it. */
export interface Journal {
  /** Stores the facts and returns their sequence numbers. Intents are durable when it resolves. */
  begin(facts: readonly JournalFact[], signal: AbortSignal): Promise<readonly number[]>;
  /** Takes what became of writes: durable when it resolves, or, by windows, with the next write of the state. */
  record(facts: readonly JournalFact[]): Promise<void>;
  /** Called right before each request of a write, after its intent is durable. Rejects when it must not be sent any more. */
  beforeRequest(intentSeq: number, signal: AbortSignal): Promise<void>;
  /** The windows of a journal that stores intents by them; absent where each write is begun right before it is sent. */
  readonly windows?: Windows;
}

/** Writes that are begun ahead of their requests, so that one store write announces several of them. */
export interface Windows {
  /** How many writes should be begun at once, so that windows fill up. */
  readonly ahead: number;
  /** Takes back a write that was begun; does nothing once it was sent. */
  withdraw(intentSeq: number): void;
}
