import type { Before, OpenCreate } from "../../../core/apply/recovery/decide-creates.ts";
import type { ListingDelayMs } from "../../../core/apply/live/listing-delay.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Clock, ProcessIdentity, ProcessMark } from "../../../core/model/ports.ts";
import { type Hidden, type ProcessFate, fateOf, hiddenBy } from "../../../core/model/process-fate.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { LostCreate } from "../../../core/state/lost-create.ts";
import type { Intent } from "../../../core/state/journal-event.ts";
import {
  type CreateOutcome,
  type JournalScope,
  type Ledger,
  type LedgerCreate,
  type ListRecords,
  type PlanNotes,
  type ScopeRecords,
  isSameScope,
  listsOf,
  recordsOf,
} from "../../provider-journal/ledger.ts";

/** What the ledger tells a process about its scope. */
export interface ScopeView {
  readonly creates: readonly KnownCreate[];
  readonly lostCreates: readonly LostCreate[];
  readonly planNotes?: PlanNotes;
  readonly lists: ListRecords;
  /** Ids of what was created from this workspace at this address with other keys. */
  readonly madeElsewhere: ReadonlySet<string>;
  /** The open creates of other workspaces, services and keys, without those of processes that run here. They prove nothing here. */
  readonly otherScopes: readonly { readonly scope: JournalScope; readonly creates: readonly KnownCreate[] }[];
}

export interface KnownCreate extends OpenCreate {
  /** Unique: of the process that began it, and its number there. */
  readonly name: string;
  readonly intent: Intent;
  readonly outcome: CreateOutcome;
  /**
   * Who writes its outcome: this process, which began it; nobody, since its process has ended; a process that runs on this
   * machine; or one that may run where this one cannot see it.
   */
  readonly owner: "me" | "nobody" | "alive" | "unknown";
  readonly process: string | null;
  /** The process that may run where this one cannot see it; null for any other owner. */
  readonly unknownOwner: UnknownOwner | null;
  /** Whether its last request was answered, and when that was, or may have been. */
  readonly answered: boolean;
  readonly lastAtMs: number;
}

export interface UnknownOwner {
  /** The id that `outreach force-unlock` takes. */
  readonly id: string;
  readonly mark: ProcessMark;
  readonly why: Hidden;
  /** From then on the create is certainly over, whatever became of its process. Null if that is not known. */
  readonly overAtMs: number | null;
}

export function isOpen({ outcome }: KnownCreate): boolean {
  return outcome.kind === "open";
}

/** Whether its object may have to be found, or given to Terraform. */
export function isUnsettled({ outcome }: Pick<LedgerCreate, "outcome">): boolean {
  return outcome.kind === "open" || outcome.kind === "made";
}

/** Whether no other process writes its outcome. */
export function isOurs({ owner }: KnownCreate): boolean {
  return owner === "me" || owner === "nobody";
}

/** The ids of all objects that known creates made, deleted ones included. */
export function madeIds({ creates }: Pick<ScopeView, "creates">): ReadonlySet<string> {
  const ids = creates.map(({ outcome }) =>
    outcome.kind === "made" ? outcome.record.id : outcome.kind === "over" ? outcome.id : null,
  );
  return new Set(ids.filter((id) => id !== null));
}

/** The view of a scope of the ledger. */
export function scopeView(ledger: Ledger, scope: JournalScope, { creates }: CreatesView): ScopeView {
  const records = recordsOf(ledger, scope);
  const { lostCreates, planNotes } = records;
  const others = ledger.scopes.filter((one) => !isSameScope(one.scope, scope));
  const openIn = (other: ScopeRecords) => creates(other).filter((one) => isOpen(one) && one.owner !== "alive");
  return {
    creates: creates(records),
    lostCreates: Object.values(lostCreates),
    lists: listsOf(ledger, scope),
    ...(planNotes ? { planNotes } : {}),
    madeElsewhere: madeIds({
      creates: others
        .filter((one) => one.scope.workspace === scope.workspace && one.scope.baseUrl === scope.baseUrl)
        .flatMap(creates),
    }),
    otherScopes: others
      .map((one) => ({ scope: one.scope, creates: openIn(one) }))
      .filter((one) => one.creates.length > 0),
  };
}

/** The unique name of an object: its id, or its identity if it has none. */
export function nameOf(definition: AnyResource, attributes: Attributes): string {
  const { id } = attributes;
  return typeof id === "string" ? `${definition.type} ${id}` : identityKey(definition, attributes);
}

/** The clocks of two machines may differ by this much. */
const CLOCK_DIFFERENCE_MS = 120_000;

export interface ViewPorts {
  readonly clock: Clock;
  readonly process: ProcessIdentity;
  readonly listingDelayMs: ListingDelayMs;
  /** The id of this process in the ledger. */
  readonly own: string;
}

/** Who writes which create of a ledger. */
export interface CreatesView {
  /** Looks which processes of the ledger still run. True if one has ended: it may have written its outcomes after the ledger was read. */
  refresh(ledger: Ledger): Promise<boolean>;
  creates(records: ScopeRecords): readonly KnownCreate[];
}

export function openCreatesView({ clock, process, listingDelayMs, own }: ViewPorts): CreatesView {
  const fates = new Map<string, ProcessFate>();
  let marks: Ledger["processes"] = {};
  /** When this process first saw that another one is over. Until then, that one may have sent something. */
  const overSinceMs = new Map<string | null, number>();

  function overAtMs({ endsByMs, outcome }: LedgerCreate): number | null {
    return outcome.kind === "open" && endsByMs !== null
      ? endsByMs + listingDelayMs.unanswered + CLOCK_DIFFERENCE_MS
      : null;
  }
  function ownerOf(name: string, create: LedgerCreate): KnownCreate["owner"] {
    const writer = create.process;
    if (writer === own) return isBegunBy(own, name) ? "me" : "nobody";
    if (writer === null) return "nobody";
    // An owner that is not known yet is new.
    const fate = fates.get(writer) ?? "running";
    if (fate !== "unknown") return fate === "ended" ? "nobody" : "alive";
    const over = overAtMs(create);
    return create.outcome.kind !== "open" || (over !== null && clock.now() >= over) ? "nobody" : "unknown";
  }
  /** Without an answer, a request was under way until its process ended, or until its own end. */
  function lastAtMs({ process: writer, endsByMs, outcome, intent }: LedgerCreate, owner: KnownCreate["owner"]): number {
    if (outcome.kind !== "open") return intent.sentAtMs;
    if (outcome.cause !== null || owner === "me" || endsByMs === null) return outcome.lastAtMs;
    const overMs = overSinceMs.get(writer) ?? clock.now();
    if (owner === "nobody") overSinceMs.set(writer, overMs);
    return Math.max(outcome.lastAtMs, Math.min(endsByMs, overMs));
  }
  function unknownOwner({ process: id, ...create }: LedgerCreate): UnknownOwner | null {
    const mark = id === null ? undefined : marks[id];
    const why = mark ? hiddenBy(mark, process) : null;
    return id === null || !mark || why === null
      ? null
      : { id, mark, why, overAtMs: overAtMs({ process: id, ...create }) };
  }
  function knownCreates({ creates, lists }: ScopeRecords): readonly KnownCreate[] {
    const before = new Map(
      Object.entries(lists).map(([name, { ids, partial = false }]): [string, Before] => [
        name,
        { ids: new Set(ids), partial },
      ]),
    );
    return Object.entries(creates).map(([name, one]): KnownCreate => {
      const { intent, outcome, list } = one;
      const owner = ownerOf(name, one);
      return {
        name,
        intent: outcome.kind === "made" ? { ...intent, planned: outcome.record.attributes } : intent,
        before: list === null ? undefined : before.get(list),
        problem: null,
        outcome,
        owner,
        process: one.process,
        unknownOwner: owner === "unknown" ? unknownOwner(one) : null,
        answered: outcome.kind === "open" && outcome.answered,
        lastAtMs: lastAtMs(one, owner),
      };
    });
  }
  return {
    refresh: async ({ processes }) => {
      marks = processes;
      let hasEnded = false;
      for (const [id, mark] of Object.entries(processes)) {
        if (fates.get(id) === "ended") continue;
        const fate = await fateOf(mark, process);
        hasEnded ||= fate === "ended";
        fates.set(id, fate);
      }
      return hasEnded;
    },
    creates: knownCreates,
  };
}

/** The name of the create that a process began with this number. */
export function createName(process: string, seq: number): string {
  return `${process}#${String(seq)}`;
}

export function isBegunBy(process: string, name: string): boolean {
  return name.startsWith(`${process}#`);
}
