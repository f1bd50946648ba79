import type { Clock } from "../../../core/model/ports.ts";
import type { PlanNotes, ListRecords } from "../../provider-journal/ledger.ts";
import type { CreateJournal } from "./create-journal.ts";
import type { ListsChange, RecordsChange } from "./ledger-changes.ts";
import { type ListFindings, learnt } from "../../../core/apply/live/list-records.ts";

/**
 * The notes of the last plan, as this process first read them. Without a journal that can be read, there are none: a create
 * is then refused as a duplicate, which loses nothing.
 */
export interface NotedObjects {
  isAlike(id: string): Promise<boolean>;
  isKept(id: string): Promise<boolean>;
  isFound(id: string): Promise<boolean>;
  late(): Promise<PlanNotes["late"]>;
}

/** Older plans are not expected to be applied. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const NO_NOTES: PlanNotes = { atMs: 0, lookalikes: [], kept: [], found: [], late: [] };

export function openNotedObjects(journal: CreateJournal, clock: Clock): NotedObjects {
  async function read() {
    const { planNotes = NO_NOTES } = await journal.known().catch((): { readonly planNotes?: PlanNotes } => ({}));
    const { lookalikes, kept, found, late } = clock.now() - planNotes.atMs < LIFETIME_MS ? planNotes : NO_NOTES;
    return { lookalikes: new Set(lookalikes), kept: new Set(kept), found: new Set(found), late };
  }
  let first: ReturnType<typeof read> | null = null;
  const noted = () => (first ??= read());
  return {
    isAlike: async (id) => (await noted()).lookalikes.has(id),
    isKept: async (id) => (await noted()).kept.has(id),
    isFound: async (id) => (await noted()).found.has(id),
    late: async () => (await noted()).late,
  };
}

/** Stores the notes of a plan; adds them to those that another process of the same run has stored since `openedAtMs`. */
export function notePlan(notes: PlanNotes, openedAtMs: number): RecordsChange {
  return (records) => {
    const { planNotes: before, ...rest } = records;
    const all = before && before.atMs > openedAtMs ? merged(before, notes) : notes;
    if (before ? countOf(all) === countOf(before) && before.atMs > openedAtMs : countOf(all) === 0) return records;
    return countOf(all) === 0 ? rest : { ...rest, planNotes: all };
  };
}

function merged(before: PlanNotes, now: PlanNotes): PlanNotes {
  const both = (name: "lookalikes" | "kept" | "found"): readonly string[] => [
    ...new Set([...before[name], ...now[name]]),
  ];
  const late = new Map([...before.late, ...now.late].map((one) => [one.id, one] as const));
  return {
    atMs: now.atMs,
    lookalikes: both("lookalikes"),
    kept: both("kept"),
    found: both("found"),
    late: [...late.values()],
  };
}

function countOf({ lookalikes, kept, found, late }: PlanNotes): number {
  return lookalikes.length + kept.length + found.length + late.length;
}

/** What the lists of this process have shown, by type. `created`: when it created its objects, by type and id. */
export function learnLists(
  findings: ReadonlyMap<string, ListFindings>,
  {
    nowMs,
    created = new Map(),
  }: { readonly nowMs: number; readonly created?: ReadonlyMap<string, ReadonlyMap<string, number>> },
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

function withHidden(
  before: ListRecords[string],
  { listed }: ListFindings,
  created: ReadonlyMap<string, number>,
): ListRecords[string] {
  const { hidden = {}, ...known } = before;
  const left = Object.entries({ ...hidden, ...Object.fromEntries(created) }).filter(([id]) => listed?.has(id) !== true);
  if (left.length === Object.keys(hidden).length && left.every(([id]) => hidden[id] !== undefined)) return before;
  return left.length === 0 ? known : { ...known, hidden: Object.fromEntries(left) };
}
