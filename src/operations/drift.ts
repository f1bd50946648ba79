import { type DriftReport, driftReport } from "../core/plan/drift-report.ts";
import { type Diagnostic, noteOf } from "../core/model/diagnostic.ts";
import type { Scope } from "../core/plan/plan-context.ts";
import { inScope, isPartial } from "../core/plan/targets.ts";
import { compareLive } from "./compare-live.ts";
import { stageName } from "./configuration/configuration-name.ts";
import { withoutConfiguration } from "./configuration/load-configuration.ts";
import type { OperationContext } from "./context.ts";
import { type OpenRun, withOpenRun } from "./open-run.ts";
import type { OperationOptions } from "./options.ts";
import { expander } from "./plan.ts";
import { learnPlanned } from "./personal-data.ts";
import { nothingCompared } from "./state/records.ts";

export interface FoundDrift extends DriftReport {
  /** What tells the places of the state of this configuration apart; null for its default one. */
  readonly stage: string | null;
}

/**
 * Compares the state with the service. Sends no writes, stores nothing, resolves no secret, and needs no declarations. With targets,
 * nothing that is not recorded is part of the report.
 */
export function drift(context: OperationContext, options: OperationOptions & Partial<Scope>): Promise<FoundDrift> {
  const { targets = [], excludes = [] } = options;
  const scope = { targets, excludes };
  return withOpenRun(context, { ...options, operation: "drift", persists: false, needs: "settings" }, async (run) => {
    const { planned, listings } = await compareLive(run, withoutConfiguration(context).evaluate, { scope });
    const found = driftReport({
      catalog: context.catalog,
      instances: planned.document.instances,
      plan: planned.plan,
      listings,
    });
    const meant = meantIn(context, run, scope);
    const report = isPartial(scope) ? partOf(found, meant) : found;
    const isLeftOut =
      planned.document.instances.length > 0 &&
      !planned.document.instances.some(({ address }) => inScope(meant)(address));
    learnPlanned(context, report);
    const diagnostics = [
      ...run.diagnostics,
      ...nothingCompared(context, run),
      ...report.diagnostics,
      ...(isLeftOut ? [allLeftOut()] : []),
    ];
    return { ...report, diagnostics, stage: stageName(context, run.store, run.loaded.configuration) };
  });
}

/** The scope with the recorded addresses that the user means. */
function meantIn(
  context: OperationContext,
  { open: { document, pending } }: OpenRun,
  { targets, excludes }: Scope,
): Scope {
  const recorded = [...document.instances, ...pending.map(({ intent }) => intent)].flatMap(({ address }) =>
    address === null ? [] : [address],
  );
  const meant = (typed: readonly string[]): readonly string[] => typed.map((one) => expander(context)(one, recorded));
  return { targets: meant(targets), excludes: meant(excludes) };
}

function allLeftOut(): Diagnostic {
  return noteOf("all_left_out", "Nothing was compared", {
    detail: "The targets and exclusions leave out everything that is recorded.",
  });
}

function partOf(report: DriftReport, scope: Scope): DriftReport {
  const includes = inScope(scope);
  const isMeant = ({ address }: { readonly address: string | null }): boolean => address !== null && includes(address);
  const { missing, changed, unchecked, undecided } = report;
  return {
    ...report,
    missing: missing.filter(isMeant),
    changed: changed.filter(isMeant),
    unchecked: unchecked.filter(isMeant),
    undecided: undecided.filter(isMeant),
    ...(scope.targets.length > 0 ? { unmanaged: [], unobservable: [], truncated: [] } : {}),
  };
}
