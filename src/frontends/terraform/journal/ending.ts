import { LOST_CREATE_LIFETIME_MS } from "../../../core/apply/recovery/lost-creates.ts";
import { type LedgerCreate, type ScopeRecords } from "../../provider-journal/ledger.ts";
import { overCreate } from "../../provider-journal/ledger-facts.ts";

/** How a process ended, and what it saw. Each is asked with the name of a create. */
export interface Ending {
  readonly wasOrderly: boolean;
  /** Whether this process may change it: nobody else writes its outcome. */
  readonly isOwn: (name: string) => boolean;
  /** Whether Terraform has its object, or the object is gone. */
  readonly isOver: (name: string) => boolean;
  /** Whether this process returned its object to Terraform. */
  readonly isGiven: (name: string) => boolean;
  readonly nowMs: number;
}

/** The records at the end of a process: unchanged if it has nothing to add, and empty if nothing of them must be remembered. */
export function atEnd(records: ScopeRecords, ending: Ending): ScopeRecords {
  let creates = records.creates;
  for (const [name, create] of Object.entries(records.creates)) {
    const now = ending.isOwn(name) ? lastWord(create, name, ending) : create;
    if (now !== create) creates = { ...creates, [name]: now };
  }
  const lostCreates = Object.entries(records.lostCreates).filter(([, { sentAtMs }]) => ending.nowMs - sentAtMs < LOST_CREATE_LIFETIME_MS);
  const isNeeded = lostCreates.length > 0 || Object.values(creates).some(matters);
  if (!isNeeded)
    return Object.keys(records.creates).length + Object.keys(records.lostCreates).length === 0
      ? records
      : { ...records, creates: {}, lists: {}, lostCreates: {} };
  if (creates === records.creates) return records;
  const lists = new Set(Object.values(creates).flatMap((create) => (isSought(create) && create.list !== null ? [create.list] : [])));
  return {
    ...records,
    creates,
    lists: Object.fromEntries(Object.entries(records.lists).filter(([name]) => lists.has(name))),
    lostCreates: Object.fromEntries(lostCreates),
  };
}

function matters({ outcome }: LedgerCreate): boolean {
  return outcome.kind === "open" || outcome.kind === "made";
}

/** Its object may have to be found again. */
function isSought(create: LedgerCreate): boolean {
  return matters(create) || (create.outcome.kind === "over" && create.outcome.id === null);
}

function lastWord(create: LedgerCreate, name: string, { wasOrderly, isOver, isGiven }: Ending): LedgerCreate {
  const { outcome } = create;
  if (!matters(create)) return create;
  if (isOver(name)) return overCreate(create);
  if (!wasOrderly || outcome.kind !== "made") return create;
  if (outcome.claim === "without-id" || outcome.claim === "returned") return create;
  const claim = isGiven(name) ? "returned" : "missed";
  return outcome.claim === claim ? create : { ...create, outcome: { ...outcome, claim } };
}
