import { openLiveList } from "../core/apply/live/live-list.ts";
import type { PlannedRun } from "../core/apply/run/run-ports.ts";
import type { Evaluate } from "../core/model/declaration.ts";
import type { LiveListing } from "../core/model/definition.ts";
import { hasErrors } from "../core/model/diagnostic.ts";
import { EVERYTHING, PLAIN_OPTIONS, type Scope } from "../core/plan/plan-context.ts";
import type { OpenRun } from "./open-run.ts";
import { showHosts } from "./personal-data.ts";
import { planWith } from "./plan.ts";

/** The recorded objects compared with the live ones. */
export interface Comparison {
  /** A refresh that nobody applies. */
  readonly planned: PlannedRun;
  /** Every live object, by type: also of types without a record. */
  readonly listings: ReadonlyMap<string, LiveListing>;
}

/** Compares the state with the service: sends nothing that writes, resolves no secret, stores nothing. */
export async function compareLive(
  run: OpenRun,
  evaluate: Evaluate,
  {
    confirm = false,
    scope = EVERYTHING,
  }: {
    /** Whether to ask for proof that each list is whole. */ readonly confirm?: boolean;
    readonly scope?: Scope;
  } = {},
): Promise<Comparison> {
  const { ports } = run;
  const planned = await planWith(run, {
    evaluate,
    options: { ...PLAIN_OPTIONS, refreshOnly: true, ...scope },
    withSecrets: false,
  });
  const listings = new Map<string, LiveListing>();
  // The run ended before it read anything.
  if (planned.live.size === 0 && hasErrors(planned.plan.diagnostics)) return { planned, listings };
  for (const definition of ports.catalog.resources) {
    if (!definition.list) continue;
    const list = planned.live.get(definition.type) ?? openLiveList(definition, ports.readClient, () => new Set());
    const listing = await (confirm ? list.again(ports.signal, { confirm }) : list.get(ports.signal));
    listings.set(definition.type, listing);
    showHosts(run.context, listing.objects);
  }
  return { planned, listings };
}
