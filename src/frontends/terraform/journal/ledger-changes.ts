import { LOST_CREATE_LIFETIME_MS, lostCreateOf } from "../../../core/apply/recovery/lost-creates.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { Intent, JournalFact } from "../../../core/state/journal-event.ts";
import type {
  Returned,
  CreateOutcome,
  LedgerCreate,
  ListRecords,
  ScopeRecords,
} from "../../provider-journal/ledger.ts";
import { DecidedElsewhere, BegunElsewhere } from "./journal-problems.ts";
import { isUnsettled } from "./known-creates.ts";

/** A pure change of the records of a scope. It may be made again on newer ones, also after it was stored: then it changes nothing. */
export type RecordsChange = (records: ScopeRecords) => ScopeRecords;

/** A pure change of what is known of the lists of a service and key. */
export type ListsChange = (lists: ListRecords) => ListRecords;

/** Whether another process may have made the same. */
export type IsSameCreate = (name: string, create: LedgerCreate) => boolean;

/** Creates that a process is about to send, by name, and the lists that they refer to. Throws `BegunElsewhere` if another process has begun the same. */
export function storeIntents(
  own: string,
  begun: { readonly [name: string]: Pick<LedgerCreate, "intent" | "list" | "endsByMs"> },
  { lists, isSame }: { readonly lists: ScopeRecords["lists"]; readonly isSame: IsSameCreate },
): RecordsChange {
  const creates = Object.fromEntries(
    Object.entries(begun).map(([name, one]): [string, LedgerCreate] => [
      name,
      { process: own, ...one, outcome: unanswered(one.intent) },
    ]),
  );
  // What is recorded already stays, and so does the order.
  return (records) => {
    const isStored = Object.keys(creates).every((name) => records.creates[name]);
    const isBegunElsewhere =
      !isStored &&
      Object.entries(records.creates).some(([name, create]) => create.process !== own && isSame(name, create));
    if (isBegunElsewhere) throw new BegunElsewhere("another process has begun the same");
    return {
      ...records,
      creates: { ...records.creates, ...creates, ...records.creates },
      lists: { ...lists, ...records.lists },
    };
  };
}

function unanswered({ sentAtMs }: Intent): CreateOutcome {
  return { kind: "open", cause: null, answered: false, lastAtMs: sentAtMs };
}

/** Takes back creates that were never sent. */
export function withdraw(names: readonly string[]): RecordsChange {
  return (records) => {
    const left = Object.entries(records.creates).filter(([name]) => !names.includes(name));
    return left.length === Object.keys(records.creates).length
      ? records
      : { ...records, creates: Object.fromEntries(left) };
  };
}

/** A create is sent later than its record says. Throws once another process has recorded its outcome. */
export function renewIntent(
  name: string,
  { own, sentAtMs, endsByMs }: { readonly own: string; readonly sentAtMs: number; readonly endsByMs: number },
): RecordsChange {
  return (records) => {
    const create = records.creates[name];
    if (create?.process !== own || create.outcome.kind !== "open")
      throw new Error("another process looked for its object in the meantime");
    const intent = { ...create.intent, sentAtMs };
    return withCreate(records, name, {
      ...create,
      endsByMs,
      intent,
      outcome: { ...create.outcome, lastAtMs: sentAtMs },
    });
  };
}

/** What the answer to a create told, or that none arrived. */
export type Answer = Extract<JournalFact, { kind: "done" | "failed" | "undecided" }>;

/** The process that sent a create records its answer, unless another process has recorded an outcome. */
export function answer(name: string, own: string, fact: Answer): RecordsChange {
  return (records) => {
    const create = records.creates[name];
    if (create?.process !== own || create.outcome.kind !== "open") return records;
    const after = withCreate(records, name, withOutcome(create, outcomeOf(fact, create.intent)));
    return fact.kind !== "undecided" && fact.lost
      ? { ...after, lostCreates: { ...after.lostCreates, [name]: fact.lost } }
      : after;
  };
}

function outcomeOf(fact: Answer, { sentAtMs }: Intent): CreateOutcome {
  if (fact.kind === "undecided")
    return { kind: "open", cause: fact.cause, answered: fact.answered, lastAtMs: Math.max(sentAtMs, fact.atMs ?? 0) };
  return fact.kind === "done" && fact.record
    ? { kind: "made", record: fact.record, returned: "unknown" }
    : { kind: "absent" };
}

/** The object that a create made, and what looked like it in the list. */
export interface Found {
  readonly record: RecordedInstance;
  /** Somebody else may have made the object. Then the create's own one is none of these. Null if no list can show it. */
  readonly lookalikes: readonly string[] | null;
}

/** Records the outcome of an open create whose object was looked for. The first process to do so owns it; in every other one it throws `DecidedElsewhere`. */
export function settle(name: string, own: string, found: Found | null): RecordsChange {
  return (records) => {
    const create = records.creates[name];
    if (!create || (create.outcome.kind !== "open" && create.process === own)) return records;
    if (create.outcome.kind !== "open") throw new DecidedElsewhere("another process has recorded its outcome");
    return withFound(records, name, { create: { ...create, process: own }, found, returned: "unknown" });
  };
}

/** Terraform gets this object for one that it recorded without an id, unless another one has it. */
export function returnWithoutId(name: string, found: Found): RecordsChange {
  return (records) => {
    const create = records.creates[name];
    if (!create || create.outcome.kind === "absent" || (create.outcome.kind === "over" && !create.outcome.isSought))
      return records;
    if (create.outcome.kind === "made" && create.outcome.returned === "without-id") return records;
    return withFound(records, name, { create: { ...create, process: null }, found, returned: "without-id" });
  };
}

/** A record stays of a create whose object was looked for: the object may appear late, unless it was found by its mark. */
function withFound(
  records: ScopeRecords,
  name: string,
  {
    create,
    found,
    returned,
  }: { readonly create: LedgerCreate; readonly found: Found | null; readonly returned: Returned },
): ScopeRecords {
  const { intent, list } = create;
  const outcome: CreateOutcome = found ? { kind: "made", record: found.record, returned } : { kind: "absent" };
  const after = withCreate(records, name, withOutcome(create, outcome));
  if (found && (!found.lookalikes || intent.mark !== undefined)) return after;
  const lost = found?.lookalikes
    ? { ...lostCreateOf(intent, found.lookalikes), found: true as const }
    : lostCreateOf(intent, records.lists[list ?? ""]?.ids ?? []);
  return { ...after, lostCreates: { ...after.lostCreates, [name]: lost } };
}

function withOutcome(create: LedgerCreate, outcome: CreateOutcome): LedgerCreate {
  // The record has the planned values.
  return { ...create, intent: outcome.kind === "made" ? { ...create.intent, planned: null } : create.intent, outcome };
}

function withCreate(records: ScopeRecords, name: string, create: LedgerCreate): ScopeRecords {
  return { ...records, creates: { ...records.creates, [name]: create } };
}

/** What a process saw, at its end. `isOver` and `isReturned` are asked with the name of a create that no other process writes. */
export interface Ending {
  readonly wasOrderly: boolean;
  readonly isOurs: (name: string) => boolean;
  /** Whether Terraform has its object, or the object is gone. */
  readonly isOver: (name: string) => boolean;
  /** Whether this process returned its object to Terraform. */
  readonly isReturned: (name: string) => boolean;
  readonly nowMs: number;
}

/** Forgets what nobody needs any more. Unchanged if the process has nothing to add. */
export function end(ending: Ending): RecordsChange {
  return (records) => {
    const all = Object.entries(records.creates);
    const now = all.map(
      ([name, create]) => [name, ending.isOurs(name) ? lastWord(create, name, ending) : create] as const,
    );
    const lost = Object.entries(records.lostCreates);
    const late = lost.filter(([, { sentAtMs }]) => ending.nowMs - sentAtMs < LOST_CREATE_LIFETIME_MS);
    const isNeeded = late.length > 0 || now.some(([, create]) => isUnsettled(create));
    if (!isNeeded)
      return all.length + lost.length === 0 ? records : { ...records, creates: {}, lists: {}, lostCreates: {} };
    if (now.every(([, create], index) => create === all[index]?.[1])) return records;
    const lists = new Set(now.flatMap(([, create]) => (needsList(create) ? [create.list] : [])));
    return {
      ...records,
      creates: Object.fromEntries(now),
      lists: Object.fromEntries(Object.entries(records.lists).filter(([name]) => lists.has(name))),
      lostCreates: Object.fromEntries(late),
    };
  };
}

/** Whether its object may have to be found again. */
function needsList(create: LedgerCreate): boolean {
  return isUnsettled(create) || (create.outcome.kind === "over" && create.outcome.isSought);
}

function lastWord(create: LedgerCreate, name: string, { wasOrderly, isOver, isReturned }: Ending): LedgerCreate {
  if (!isUnsettled(create)) return create;
  if (isOver(name)) return over(create);
  const { outcome } = create;
  if (!wasOrderly || outcome.kind !== "made" || outcome.returned === "without-id" || outcome.returned === "orderly")
    return create;
  const returned = isReturned(name) ? "orderly" : "missed";
  return outcome.returned === returned ? create : { ...create, outcome: { ...outcome, returned } };
}

function over(create: LedgerCreate): LedgerCreate {
  const { outcome, intent } = create;
  if (outcome.kind !== "made") return { ...create, outcome: { kind: "over", id: null, isSought: true } };
  const { returned, record } = outcome;
  const isSought = returned === "without-id";
  return {
    ...create,
    intent: isSought ? { ...intent, planned: record.attributes } : intent,
    outcome: { kind: "over", id: record.id, isSought },
  };
}
