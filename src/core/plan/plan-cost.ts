import { type Catalog, type ListSize, resourceOf } from "../model/definition.ts";
import type { Plan, PlanCost, RateLimit, Step } from "./plan.ts";

/** What an apply of a plan depends on in addition to its steps. */
export interface CostInput {
  readonly catalog: Catalog;
  readonly limit: RateLimit;
  /** How many requests the reads of the plan took: an apply makes them, too. */
  readonly reads: number;
  /** The lists that the plan was made with, by type. */
  readonly lists: ReadonlyMap<string, ListSize>;
  /** Whether an apply looks for what waits. */
  readonly isApplied: boolean;
}

/** The requests of an apply of a plan in which every request succeeds: its reads, its writes, and the list that it reads at its end. */
export function planCost({ steps, waiting }: Plan, input: CostInput): PlanCost {
  const { catalog, limit, reads, lists, isApplied } = input;
  const writes = sum(steps, writesOf) + (isApplied ? (waiting?.now.length ?? 0) : 0);
  const last = sum([...lists], ([type, list]) =>
    lastListRequests(list, { ofType: steps.filter((step) => step.type === type), type, catalog }),
  );
  return costOf(reads + writes + last, limit);
}

/** The cost of so many requests. The first `limit.requests` may go at once, and each later one a window after the one so many before it. */
export function costOf(requests: number, limit: RateLimit): PlanCost {
  const windows = Math.floor(Math.max(0, requests - 1) / limit.requests);
  return { requests, leastMs: windows * limit.windowMs, limit };
}

function writesOf({ action }: Step): number {
  if (action === "replace") return 2;
  return action === "create" || action === "delete" ? 1 : 0;
}

/** The list that a run reads once it has created something of the type. */
function lastListRequests(
  { records, ...list }: ListSize,
  { ofType, type, catalog }: { readonly ofType: readonly Step[]; readonly type: string; readonly catalog: Catalog },
): number {
  const created = ofType.filter(({ action }) => action === "create" || action === "replace").length;
  if (created === 0) return 0;
  const deleted = ofType.filter(({ action }) => action === "delete" || action === "replace").length;
  return resourceOf(catalog, type).listRequests?.({ ...list, records: records + created - deleted }) ?? 1;
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
