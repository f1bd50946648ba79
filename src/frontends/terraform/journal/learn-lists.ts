import { type ListFindings, learnt } from "../../../core/apply/live/list-records.ts";
import type { ListRecords } from "../../provider-journal/ledger.ts";

/** A pure change of what is known of the lists of a service and key. */
export type ListsChange = (lists: ListRecords) => ListRecords;

/** What the lists of this process have shown, by type. `created`: when it created its objects, by type and id. */
export function learnLists(
  findings: ReadonlyMap<string, ListFindings>,
  { nowMs, created = new Map() }: { readonly nowMs: number; readonly created?: ReadonlyMap<string, ReadonlyMap<string, number>> },
): ListsChange {
  return (lists) => {
    const changed = [...findings].flatMap(([type, found]) => {
      const before = lists[type] ?? {};
      const after = withHidden(learnt(before, found, nowMs), found, created.get(type) ?? new Map());
      return after === before ? [] : [[type, after] as const];
    });
    return changed.length === 0 ? lists : { ...lists, ...Object.fromEntries(changed) };
  };
}

/** The service has rejected a second object with the same value of the type's exclusive attribute. */
export function learnExclusive(type: string): ListsChange {
  return (lists) => (lists[type]?.exclusive ? lists : { ...lists, [type]: { ...lists[type], exclusive: true } });
}

function withHidden(before: ListRecords[string], { listed }: ListFindings, created: ReadonlyMap<string, number>): ListRecords[string] {
  const { hidden = {}, ...known } = before;
  const left = Object.entries({ ...hidden, ...Object.fromEntries(created) }).filter(([id]) => listed?.has(id) !== true);
  if (left.length === Object.keys(hidden).length && left.every(([id]) => hidden[id] !== undefined)) return before;
  return left.length === 0 ? known : { ...known, hidden: Object.fromEntries(left) };
}
