import { type Before, type OpenCreate, type ListingDelayMs, remainingListingDelayMs, listedBefore } from "../../../core/apply/recovery/decide-creates.ts";
import { LOST_CREATE_LIFETIME_MS, lostCreateOf } from "../../../core/apply/recovery/lost-creates.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { LostCreate } from "../../../core/state/document.ts";
import type { JournalContents } from "../../../core/state/journal.ts";
import { type Intent, type JournalEvent, type JournalFact, pendingIntents } from "../../../core/state/journal-event.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";

/** A create as a journal describes it. */
export interface JournaledCreate {
  /** Its unique name: the journal's name and the create's number there. */
  readonly name: string;
  readonly intent: Intent;
  readonly before: Before | undefined;
  readonly outcome: CreateOutcome;
}

export type CreateOutcome =
  | { readonly kind: "open"; readonly cause: string | null; readonly answered: boolean; readonly lastAtMs: number }
  | {
      readonly kind: "made";
      readonly record: RecordedInstance;
      /** A process returned it to Terraform and ended in order. Then Terraform has usually stored it. */
      readonly wasOrderly: boolean;
      /** A later process did not find it in Terraform's state. */
      readonly wasMissed: boolean;
    }
  /** Refused, or looked for and not found. */
  | { readonly kind: "absent" }
  /** Terraform has its object, or the object is gone: the create can be forgotten. */
  | { readonly kind: "over"; /** No answer arrived. */ readonly wasOpen: boolean };

/** The lineage of the journal that it is in. */
export function journalOf({ name }: Pick<JournaledCreate, "name">): string {
  return name.slice(0, name.lastIndexOf("#"));
}

/** Whether the outcome is known. */
export function isDecided({ outcome }: JournaledCreate): boolean {
  return outcome.kind !== "open";
}

/** The unique name of an object: its id, or its identity if it has none. */
export function nameOf(definition: AnyResource, attributes: Attributes): string {
  const { id } = attributes;
  return typeof id === "string" ? `${definition.type} ${id}` : identityKey(definition, attributes);
}

/** The code of a create whose object was looked for and not found. */
export const GIVEN_UP = "given_up";

/** The creates of a journal, in their order. */
export function createsIn({ header, events }: Pick<JournalContents, "header" | "events">): readonly JournaledCreate[] {
  const before = listedBefore(events);
  const outcomes = outcomesIn(events);
  return events.flatMap((event): readonly JournaledCreate[] => {
    if (event.kind !== "intent" || event.op !== "create" || event.id !== null) return [];
    const outcome = outcomes.get(event.seq) ?? { kind: "over", wasOpen: false };
    return [{ name: `${header.lineage}#${String(event.seq)}`, intent: event, before: event.listed === null ? undefined : before.get(event.listed), outcome }];
  });
}

/** The ids of all objects that a journal's creates made, deleted ones included. */
export function madeIdsIn({ events }: Pick<JournalContents, "events">): readonly string[] {
  return events.flatMap((event) => (event.kind === "done" && event.record && event.record.id !== null ? [event.record.id] : []));
}

function outcomesIn(events: readonly JournalEvent[]): ReadonlyMap<number, CreateOutcome> {
  const outcomes = new Map<number, CreateOutcome>();
  const mark = (seq: number, what: { readonly wasOrderly?: true; readonly wasMissed?: true }): void => {
    const outcome = outcomes.get(seq);
    if (outcome?.kind === "made") outcomes.set(seq, { ...outcome, ...what });
  };
  for (const { intent, cause, answered, lastAtMs } of pendingIntents(events)) outcomes.set(intent.seq, { kind: "open", cause, answered, lastAtMs });
  for (const event of events) {
    if (event.kind === "done" && event.record) outcomes.set(event.of, { kind: "made", record: event.record, wasOrderly: false, wasMissed: false });
    else if (event.kind === "failed") outcomes.set(event.of, { kind: "absent" });
    else if (event.kind === "over") for (const seq of event.creates) outcomes.set(seq, { kind: "over", wasOpen: outcomes.get(seq)?.kind === "open" });
    else if (event.kind === "ended") {
      for (const seq of event.given) mark(seq, { wasOrderly: true });
      for (const seq of event.missed) mark(seq, { wasMissed: true });
    }
  }
  return outcomes;
}

/** The lost creates of a journal: those whose object was looked for. An intent with an id is of an object that was missing. */
export function lostCreatesIn({ events }: Pick<JournalContents, "events">): readonly LostCreate[] {
  const looked = events.flatMap((event): readonly { readonly of: number; readonly lookalikes: readonly string[] | null }[] => {
    if (event.kind === "failed" && event.code === GIVEN_UP) return [{ of: event.of, lookalikes: null }];
    return event.kind === "done" && event.lookalikes ? [{ of: event.of, lookalikes: event.lookalikes }] : [];
  });
  if (looked.length === 0) return [];
  const before = listedBefore(events);
  const intents = new Map(events.flatMap((event) => (event.kind === "intent" ? [[event.seq, event] as const] : [])));
  return looked.flatMap(({ of, lookalikes }): readonly LostCreate[] => {
    const intent = intents.get(of);
    if (!intent) return [];
    if (intent.id !== null) return [{ ...lostCreateOf(intent, []), id: intent.id }];
    return [lookalikes ? { ...lostCreateOf(intent, lookalikes), found: true } : lostCreateOf(intent, [...(before.get(intent.listed ?? -1)?.ids ?? [])])];
  });
}

/** Whether a journal still holds something that must not be forgotten. */
function matters(creates: readonly JournaledCreate[], lostCreates: readonly LostCreate[], nowMs: number): boolean {
  return (
    creates.some(({ outcome }) => outcome.kind === "open" || outcome.kind === "made") ||
    lostCreates.some(({ sentAtMs }) => nowMs - sentAtMs < LOST_CREATE_LIFETIME_MS)
  );
}

/** Whether a journal is needed once its process has ended, and which last facts to write to it. */
export function lastWords(
  journal: Pick<JournalContents, "header" | "events">,
  end: {
    readonly isOver: (create: JournaledCreate) => boolean;
    readonly wasOrderly: boolean;
    /** Whether this process returned the object to Terraform. */
    readonly isGiven: (create: JournaledCreate) => boolean;
    readonly nowMs: number;
  },
): { readonly isNeeded: boolean; readonly facts: readonly JournalFact[] } {
  const unclaimed = createsIn(journal).filter(({ outcome }) => outcome.kind === "open" || outcome.kind === "made");
  const over = unclaimed.filter(end.isOver);
  const rest = unclaimed.filter((create) => !over.includes(create));
  const given = rest.filter((create) => create.outcome.kind === "made" && !create.outcome.wasOrderly && end.isGiven(create));
  const missed = rest.filter((create) => create.outcome.kind === "made" && !create.outcome.wasMissed && !end.isGiven(create));
  const facts: readonly JournalFact[] = [
    ...(over.length > 0 ? [{ kind: "over", creates: over.map(numberOf) } as const] : []),
    ...(end.wasOrderly && given.length + missed.length > 0 ? [{ kind: "ended", given: given.map(numberOf), missed: missed.map(numberOf) } as const] : []),
  ];
  return { isNeeded: matters(rest, lostCreatesIn(journal), end.nowMs), facts };
}

/** The number of a create in its journal. */
export function numberOf({ name }: Pick<JournaledCreate, "name">): number {
  return Number(name.slice(name.lastIndexOf("#") + 1));
}

/** A create whose object to look for in the list. */
export interface LookedFor extends OpenCreate {
  readonly name: string;
  readonly answered: boolean;
  readonly lastAtMs: number;
}

export function lookedFor({ name, intent, before, outcome }: JournaledCreate): LookedFor {
  const { answered, lastAtMs } = outcome.kind === "open" ? outcome : { answered: false, lastAtMs: intent.sentAtMs };
  return { name, intent, before, problem: null, answered, lastAtMs };
}

/** How long to wait until a list shows all of them. */
export function longestWait(sought: readonly Pick<LookedFor, "answered" | "lastAtMs">[], listingDelayMs: ListingDelayMs, nowMs: number): number {
  return Math.max(0, ...sought.map((one) => remainingListingDelayMs(one, listingDelayMs, nowMs)));
}
