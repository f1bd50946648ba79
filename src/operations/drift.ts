import { type DriftReport, driftReport } from "../core/plan/drift-report.ts";
import { compareLive } from "./compare-live.ts";
import { stageName } from "./configuration/configuration-name.ts";
import { withoutConfiguration } from "./configuration/load-configuration.ts";
import type { OperationContext } from "./context.ts";
import { withOpenRun } from "./open-run.ts";
import type { StateLockOptions } from "./options.ts";
import { nothingCompared } from "./state/records.ts";

export interface FoundDrift extends DriftReport {
  /** What tells the places of the state of this configuration apart; null for its default one. */
  readonly stage: string | null;
}

/** Compares the state with the service. Sends no writes, stores nothing, resolves no secret, and needs no declarations. */
export function drift(context: OperationContext, options: StateLockOptions & { readonly trusted?: boolean }): Promise<FoundDrift> {
  return withOpenRun(context, { ...options, operation: "drift", persists: false, needs: "settings" }, async (run) => {
    const { planned, listings } = await compareLive(run, withoutConfiguration(context).evaluate);
    const report = driftReport({ catalog: context.catalog, instances: planned.document.instances, plan: planned.plan, listings });
    const diagnostics = [...run.diagnostics, ...nothingCompared(context, run), ...report.diagnostics];
    return { ...report, diagnostics, stage: stageName(context, run.store, run.loaded.configuration) };
  });
}
