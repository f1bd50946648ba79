import { lostCreateOf } from "../../core/apply/recovery/lost-creates.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
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
  const lost = lookalikes ? { ...lostCreateOf(create.intent, lookalikes), found: true as const } : lostCreateOf(create.intent, preIds);
  return { ...decided, lostCreates: { ...decided.lostCreates, [name]: lost } };
}

function outcomeOf({ outcome }: LedgerCreate, event: OutcomeFact): CreateOutcome {
  if (event.kind === "failed") return { kind: "absent" };
  if (event.kind === "done") return event.record ? { kind: "made", record: event.record, claim: "unknown" } : { kind: "absent" };
  const { cause, answered, atMs = 0 } = event;
  return { kind: "open", cause, answered, lastAtMs: Math.max(outcome.kind === "open" ? outcome.lastAtMs : 0, atMs) };
}

/** Forgets what is not needed any more. The id stays known: a list must not take the object for that of another create. */
export function overCreate(create: LedgerCreate): LedgerCreate {
  const { outcome, intent } = create;
  if (outcome.kind !== "made") return { ...create, outcome: { kind: "over", id: null } };
  const { claim, record } = outcome;
  if (claim === "without-id") return { ...create, intent: { ...intent, planned: record.attributes }, outcome: { kind: "over", id: null } };
  return { ...create, intent: { ...intent, planned: null }, outcome: { kind: "over", id: record.id } };
}

/** Terraform gets this object for one that it recorded without an id, unless it has it already. */
export function withoutId(
  records: ScopeRecords,
  name: string,
  { record, lookalikes }: { readonly record: RecordedInstance; readonly lookalikes: readonly string[] },
): ScopeRecords {
  const create = records.creates[name];
  const isNew = create && create.outcome.kind !== "absent" && !(create.outcome.kind === "over" && create.outcome.id !== null);
  if (!isNew || (create.outcome.kind === "made" && create.outcome.claim === "without-id")) return records;
  const { intent } = create;
  const found = { ...lostCreateOf(intent, lookalikes), found: true as const };
  return withCreate({ ...records, lostCreates: { [name]: found, ...records.lostCreates } }, name, {
    ...create,
    process: null,
    intent: { ...intent, planned: null },
    outcome: { kind: "made", record, claim: "without-id" },
  });
}
