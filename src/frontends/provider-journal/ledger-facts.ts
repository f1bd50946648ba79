import { lostCreateOf } from "../../core/apply/recovery/lost-creates.ts";
import type { Intent, JournalEvent, JournalFact } from "../../core/state/journal-event.ts";
import type { CreateOutcome, LedgerCreate, ScopeRecords } from "./ledger.ts";

/** The code of a create whose object was looked for and not found. */
export const GIVEN_UP = "given_up";

/** The process that the events are from. */
export interface Writer {
  /** Part of the names of its creates. */
  readonly lineage: string;
  readonly process: string | null;
  /** As in `LedgerCreate`, of an intent. */
  readonly endsByMs: (intent: Intent) => number | null;
}

export function nameOfCreate({ lineage }: Pick<Writer, "lineage">, seq: number): string {
  return `${lineage}#${String(seq)}`;
}

/**
 * The records with these events. Only creates are recorded: Terraform's state has what is deleted until the service has
 * confirmed that. Events that are recorded already change nothing.
 */
export function withEvents(records: ScopeRecords, events: readonly JournalEvent[], writer: Writer): ScopeRecords {
  return events.reduce((now, event) => withEvent(now, event, writer), records);
}

function withEvent(records: ScopeRecords, event: JournalEvent, writer: Writer): ScopeRecords {
  const nameOf = (seq: number): string => nameOfCreate(writer, seq);
  switch (event.kind) {
    case "listed": {
      const { ids, partial } = event;
      return { ...records, lists: { ...records.lists, [nameOf(event.seq)]: { ids, ...(partial ? { partial } : {}) } } };
    }
    case "intent": {
      const { seq, ...intent } = event;
      return intent.op === "create" && !records.creates[nameOf(seq)] ? withCreate(records, nameOf(seq), begun(intent, writer)) : records;
    }
    case "done":
    case "failed":
    case "undecided": {
      const name = nameOf(event.of);
      const create = records.creates[name];
      // Once another process has recorded the outcome, the create is its own.
      if (!create || create.process !== writer.process || create.outcome.kind !== "open") return records;
      return withOutcome(records, { name, create }, event);
    }
    case "over":
      return event.creates.reduce((now, seq) => withChanged(now, nameOf(seq), overCreate), records);
    case "ended": {
      const marked = event.given.reduce((now, seq) => withChanged(now, nameOf(seq), (create) => marking(create, "wasOrderly")), records);
      return event.missed.reduce((now, seq) => withChanged(now, nameOf(seq), (create) => marking(create, "wasMissed")), marked);
    }
    default:
      return records;
  }
}

function begun(intent: Intent, { lineage, process, endsByMs }: Writer): LedgerCreate {
  const list = intent.listed === null ? null : nameOfCreate({ lineage }, intent.listed);
  return { process, intent, list, endsByMs: endsByMs(intent), outcome: { kind: "open", cause: null, answered: false, lastAtMs: intent.sentAtMs } };
}

export function withCreate(records: ScopeRecords, name: string, create: LedgerCreate): ScopeRecords {
  return { ...records, creates: { ...records.creates, [name]: create } };
}

function withChanged(records: ScopeRecords, name: string, change: (create: LedgerCreate) => LedgerCreate): ScopeRecords {
  const create = records.creates[name];
  return create ? withCreate(records, name, change(create)) : records;
}

type OutcomeFact = Extract<JournalFact, { kind: "done" | "failed" | "undecided" }>;

/** Of a create whose object was looked for, a record stays: the object may appear late. */
export function withOutcome(
  records: ScopeRecords,
  { name, create }: { readonly name: string; readonly create: LedgerCreate },
  event: OutcomeFact,
): ScopeRecords {
  const outcome = outcomeOf(create, event);
  // The record has the same values.
  const intent = outcome.kind === "made" ? { ...create.intent, planned: null } : create.intent;
  const decided = withCreate(records, name, { ...create, intent, outcome });
  const lookalikes = event.kind === "done" ? event.lookalikes : undefined;
  const isGivenUp = event.kind === "failed" && event.code === GIVEN_UP;
  if (!isGivenUp && !lookalikes) return decided;
  const preIds = records.lists[create.list ?? ""]?.ids ?? [];
  const lost = lookalikes ? { ...lostCreateOf(create.intent, lookalikes), found: true as const } : lostOf(create.intent, preIds);
  return { ...decided, lostCreates: { ...decided.lostCreates, [name]: lost } };
}

/** In a journal of an earlier version, an intent with an id is of an object that was missing. */
function lostOf(intent: Intent, preIds: readonly string[]) {
  return intent.id === null ? lostCreateOf(intent, preIds) : { ...lostCreateOf(intent, []), id: intent.id };
}

function outcomeOf({ outcome }: LedgerCreate, event: OutcomeFact): CreateOutcome {
  if (event.kind === "failed") return { kind: "absent" };
  if (event.kind === "done") return event.record ? { kind: "made", record: event.record, wasOrderly: false, wasMissed: false } : { kind: "absent" };
  const { cause, answered, atMs = 0 } = event;
  return { kind: "open", cause, answered, lastAtMs: Math.max(outcome.kind === "open" ? outcome.lastAtMs : 0, atMs) };
}

/** Forgets what is not needed any more. The id stays known: a list must not take the object for that of another create. */
export function overCreate(create: LedgerCreate): LedgerCreate {
  const { outcome, intent } = create;
  const id = outcome.kind === "made" ? outcome.record.id : null;
  return { ...create, intent: { ...intent, planned: null }, outcome: { kind: "over", wasOpen: outcome.kind === "open", id } };
}

export function marking(create: LedgerCreate, mark: "wasOrderly" | "wasMissed"): LedgerCreate {
  return create.outcome.kind === "made" ? { ...create, outcome: { ...create.outcome, [mark]: true } } : create;
}
