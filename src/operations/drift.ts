import { blockOf } from "../core/model/address.ts";
import { type DriftReport, driftReport } from "../core/plan/drift-report.ts";
import { compareLive } from "./compare-live.ts";
import { stageName } from "./configuration/configuration-name.ts";
import { withoutConfiguration } from "./configuration/load-configuration.ts";
import type { OperationContext } from "./context.ts";
import { withOpenRun } from "./open-run.ts";
import type { StateLockOptions } from "./options.ts";
import { meantAddresses, nothingCompared } from "./state/records.ts";

export interface FoundDrift extends DriftReport {
  /** What tells the places of the state of this configuration apart; null for its default one. */
  readonly stage: string | null;
}

export interface DriftOptions extends StateLockOptions {
  readonly trusted?: boolean;
  /** Only these addresses, or all instances of these blocks, and nothing that is not recorded; absent: everything. */
  readonly targets?: readonly string[];
}

/** Compares the state with the service. Sends no writes, stores nothing, resolves no secret, and needs no declarations. */
export function drift(context: OperationContext, options: DriftOptions): Promise<FoundDrift> {
  const { targets = [] } = options;
  return withOpenRun(context, { ...options, operation: "drift", persists: false, needs: "settings" }, async (run) => {
    const { planned, listings } = await compareLive(run, withoutConfiguration(context).evaluate, { targets });
    const found = driftReport({ catalog: context.catalog, instances: planned.document.instances, plan: planned.plan, listings });
    const report = targets.length === 0 ? found : onlyTargets(found, meantAddresses(context, run, targets));
    const diagnostics = [...run.diagnostics, ...nothingCompared(context, run), ...report.diagnostics];
    return { ...report, diagnostics, stage: stageName(context, run.store, run.loaded.configuration) };
  });
}

function onlyTargets(report: DriftReport, targets: readonly string[]): DriftReport {
  const wanted = new Set(targets);
  const isMeant = ({ address }: { readonly address: string | null }): boolean => address !== null && (wanted.has(address) || wanted.has(blockOf(address)));
  const { missing, changed, unchecked, undecided } = report;
  return {
    ...report,
    missing: missing.filter(isMeant),
    changed: changed.filter(isMeant),
    unchecked: unchecked.filter(isMeant),
    undecided: undecided.filter(isMeant),
    unmanaged: [],
    unobservable: [],
    truncated: [],
  };
}
