import type { ScopeRecords } from "../../provider-journal/ledger.ts";
import { withCreate } from "../../provider-journal/ledger-facts.ts";
import type { UndecidedCreate } from "../private-state.ts";

/**
 * The records with an open create that Terraform has recorded. The ledger decides what became of it. Only if it has lost
 * the create, or has forgotten it although Terraform still has its object without an id, the copy in Terraform's state counts.
 */
export function withReturned(records: ScopeRecords, type: string, undecided: UndecidedCreate): ScopeRecords {
  const { name, key, planned, provider, serverDate, sentAtMs, preIds, partial, cause, answered, lastAtMs } = undecided;
  const kind = records.creates[name]?.outcome.kind;
  if (kind !== undefined && kind !== "over") return records;
  const lists = preIds === null ? records.lists : { ...records.lists, [name]: { ids: preIds, ...(partial ? { partial } : {}) } };
  return withCreate({ ...records, lists }, name, {
    process: null,
    intent: { kind: "intent", op: "create", address: null, id: null, listed: null, type, key, planned, provider, serverDate, sentAtMs },
    list: preIds === null ? null : name,
    endsByMs: null,
    outcome: { kind: "open", cause, answered, lastAtMs },
  });
}
