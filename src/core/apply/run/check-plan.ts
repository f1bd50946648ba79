import type { LiveListing } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Attributes } from "../../model/value.ts";
import type { PlanOptions } from "../../plan/plan-context.ts";
import { planCost } from "../../plan/plan-cost.ts";
import type { Plan } from "../../plan/plan.ts";
import { listSize } from "../live/list-records.ts";
import type { LiveList } from "../live/live-list.ts";
import { type CheckedReferences, checkReferences } from "./check-references.ts";
import type { RunPorts } from "./run-ports.ts";

interface PlanToCheck {
  readonly ports: Pick<RunPorts, "catalog" | "rate" | "readClient" | "signal">;
  readonly options: PlanOptions;
  /** What the run has read, by address. */
  readonly known: ReadonlyMap<string, Attributes>;
  readonly checked: CheckedReferences;
  readonly listings: ReadonlyMap<string, LiveListing>;
  readonly live: ReadonlyMap<string, LiveList>;
  /** Whether an apply looks for what waits. */
  readonly isApplied: boolean;
  readonly withSecrets: boolean;
}

/** The ids of a plan that the service does not know, and what its apply costs. */
export async function checkPlan(
  made: Plan,
  {
    ports: { catalog, rate, readClient, signal },
    options,
    known,
    checked,
    listings,
    live,
    isApplied,
    withSecrets,
  }: PlanToCheck,
): Promise<{ readonly unknown: readonly Diagnostic[]; readonly cost: Pick<Plan, "cost"> }> {
  // A plan that is shown or saved finds out what its apply would; an approved one was checked when it was made.
  const isThorough = options.approval === "open" || options.approval === "saved";
  const before = rate?.reads() ?? 0;
  const unknown = options.guarded
    ? await checkReferences(made, {
        catalog,
        reading: { client: readClient, signal, isThorough },
        known,
        checked,
        isUntrusted: !withSecrets,
      })
    : [];
  if (!rate) return { unknown, cost: {} };
  // The apply of a plan that was shown or saved does not check again.
  const reads = isThorough ? before : rate.reads();
  const lists = new Map([...live].flatMap(([type, list]) => sizeOf(listings.get(type), { type, list })));
  return { unknown, cost: { cost: planCost(made, { catalog, limit: rate.limit, reads, lists, isApplied }) } };
}

function sizeOf(listing: LiveListing | undefined, { type, list }: { readonly type: string; readonly list: LiveList }) {
  return listing ? [[type, listSize(listing, list.findings())] as const] : [];
}
