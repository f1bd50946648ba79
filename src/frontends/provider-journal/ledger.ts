import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import type { ProcessMark } from "../../core/model/ports.ts";
import { checksum } from "../../core/state/checksum.ts";
import type { ListKnowledge } from "../../core/state/document.ts";
import type { LostCreate } from "../../core/state/lost-create.ts";
import type { Intent } from "../../core/state/journal-event.ts";

/**
 * The journal of the Terraform provider, as one document: what every process, of every workspace, service and key, may
 * have sent and Terraform may not have recorded. Terraform's state cannot hold intents.
 */
export interface Ledger {
  readonly journal: 1;
  /** Grows by one with every write. */
  readonly serial: number;
  /** The processes that wrote creates here and did not release them, by the id that `outreach force-unlock` takes. */
  readonly processes: { readonly [id: string]: ProcessMark };
  readonly scopes: readonly ScopeRecords[];
  /** What the lists of each service and key have shown. */
  readonly services: readonly ServiceRecords[];
}

/** The records of one workspace, service and key. */
export interface ScopeRecords {
  readonly scope: JournalScope;
  readonly creates: { readonly [name: string]: LedgerCreate };
  /** The objects that were live before creates. */
  readonly lists: { readonly [name: string]: { readonly ids: readonly string[]; readonly partial?: true } };
  /** Creates whose object was looked for, and objects that were missing: what appears late is reported. */
  readonly lostCreates: { readonly [name: string]: LostCreate };
  /** Absent: there is nothing to note. */
  readonly planNotes?: PlanNotes;
}

/** What a plan saw in the service's lists. Terraform does not pass it to the process that applies the plan. */
export interface PlanNotes {
  /** Milliseconds since the epoch, by the local clock. */
  readonly atMs: number;
  /**
   * Managed objects that look like a planned create in the list: those that it replaces, where the create comes first, and
   * those that differ only in attributes the list does not show. Without this note they would count as unmanaged duplicates.
   */
  readonly lookalikes: readonly string[];
  /** Managed objects that look like a create that was given up, seen by this plan or an earlier one. */
  readonly kept: readonly string[];
  /** Objects that open creates made. If the plan is not applied, Terraform does not know them, and they have to be found again. */
  readonly found: readonly string[];
  /** Objects of lost creates that appeared later, and managed ones that returned after they were missing. */
  readonly late: readonly { readonly type: string; readonly id: string; readonly wasManaged?: true }[];
}

interface ServiceRecords extends Omit<JournalScope, "workspace"> {
  readonly lists: ListRecords;
}

/**
 * What the lists of a service have shown, by type. `hidden`: created objects that no list has shown since, although one was
 * read, and when they were created, in milliseconds since the epoch by the local clock.
 */
export interface ListRecords {
  readonly [type: string]: ListKnowledge & { readonly hidden?: { readonly [id: string]: number } };
}

/** The records that a write is meant for, and the service that it goes to. */
export interface JournalScope {
  readonly workspace: string;
  readonly baseUrl: string;
  /** A fingerprint of the API key. */
  readonly key: string;
}

export interface LedgerCreate {
  /** The process that writes its outcome; null once none does. */
  readonly process: string | null;
  /** Its `listed` is not used: see `list`. */
  readonly intent: Intent;
  /** Its name in `ScopeRecords.lists`. */
  readonly list: string | null;
  /** No request of it is under way after this time, by the clock of its process. Null if that is not known. */
  readonly endsByMs: number | null;
  readonly outcome: CreateOutcome;
}

export type CreateOutcome =
  | { readonly kind: "open"; readonly cause: string | null; readonly answered: boolean; readonly lastAtMs: number }
  | { readonly kind: "made"; readonly record: RecordedInstance; readonly returned: Returned }
  /** Refused, or looked for and not found. */
  | { readonly kind: "absent" }
  /**
   * Terraform has its object, or the object is gone. The id stays known: a list must not take the object for that of another
   * create. `isSought`: Terraform had an object without an id for it, and goes back to that if it does not store its state.
   */
  | { readonly kind: "over"; readonly id: string | null; readonly isSought: boolean };

/**
 * Whether Terraform has stored an object that was returned to it. `orderly`: a process returned it and ended in order, so
 * Terraform has usually stored it. `missed`: a later process did not find it in Terraform's state. `without-id`: it was
 * found for an object that Terraform recorded without an id.
 */
export type Returned = "unknown" | "orderly" | "missed" | "without-id";

export const NO_RECORDS: Ledger = { journal: 1, serial: 0, processes: {}, scopes: [], services: [] };

export function isSameScope(one: JournalScope, other: JournalScope): boolean {
  return one.workspace === other.workspace && one.baseUrl === other.baseUrl && one.key === other.key;
}

/** The records of a scope; none if the ledger has none. */
export function recordsOf({ scopes }: Ledger, scope: JournalScope): ScopeRecords {
  return scopes.find((one) => isSameScope(one.scope, scope)) ?? { scope, creates: {}, lists: {}, lostCreates: {} };
}

/** The ledger with these records in the place of those of their scope. A scope without any is left out. */
export function withRecords(ledger: Ledger, records: ScopeRecords): Ledger {
  const others = ledger.scopes.filter(({ scope }) => !isSameScope(scope, records.scope));
  const isEmpty =
    Object.keys(records.creates).length === 0 && Object.keys(records.lostCreates).length === 0 && !records.planNotes;
  return withoutIdle({ ...ledger, scopes: isEmpty ? others : [...others, records] });
}

/** What is known of the lists of a scope's service and key. */
export function listsOf({ services }: Ledger, { baseUrl, key }: JournalScope): ListRecords {
  return services.find((one) => one.baseUrl === baseUrl && one.key === key)?.lists ?? {};
}

export function withLists(ledger: Ledger, { baseUrl, key }: JournalScope, lists: ListRecords): Ledger {
  const others = ledger.services.filter((one) => one.baseUrl !== baseUrl || one.key !== key);
  return { ...ledger, services: [...others, { baseUrl, key, lists }] };
}

/** Without the processes that no create refers to. */
function withoutIdle(ledger: Ledger): Ledger {
  const named = new Set(ledger.scopes.flatMap(({ creates }) => Object.values(creates).map((create) => create.process)));
  return { ...ledger, processes: Object.fromEntries(Object.entries(ledger.processes).filter(([id]) => named.has(id))) };
}

/** Releases the creates of a process, whose outcomes it will not write any more. */
export function released(ledger: Ledger, process: string): Ledger {
  if (!ledger.processes[process]) return ledger;
  const release = (create: LedgerCreate): LedgerCreate =>
    create.process === process ? { ...create, process: null } : create;
  const scopes = ledger.scopes.map((records) => {
    const creates = Object.entries(records.creates).map(([name, create]) => [name, release(create)]);
    return { ...records, creates: Object.fromEntries(creates) as ScopeRecords["creates"] };
  });
  return withoutIdle({ ...ledger, scopes });
}

const CHECKED = /^\{"checksum":"([0-9a-f]+)",/;

export function encodeLedger(ledger: Ledger): Uint8Array {
  const json = JSON.stringify(ledger);
  return new TextEncoder().encode(`{"checksum":"${checksum(json)}",${json.slice(1)}\n`);
}

/** Throws `journal_unreadable` for anything but a whole ledger. */
export function decodeLedger(bytes: Uint8Array, name: string): Ledger {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trimEnd();
    const [start = "", stored] = CHECKED.exec(text) ?? [];
    const json = `{${text.slice(start.length)}`;
    const ledger = JSON.parse(json) as Ledger;
    if (ledger.journal === 1 && stored === checksum(json)) return ledger;
  } catch {
    // Reported below.
  }
  throw unreadable(
    `${name} is damaged, is not a journal of the provider, or is of a newer version. It shows which writes were open when a run ended, so the provider creates nothing until it can read it.`,
    "If it is something else, correct OUTREACH_JOURNAL. If it is damaged, compare the service's list with Terraform's state. If they agree, move it away.",
  );
}

export function unreadable(detail: string, hint: string): DiagnosticsError {
  return DiagnosticsError.of("journal_unreadable", "The journal cannot be read", { detail, hint });
}
