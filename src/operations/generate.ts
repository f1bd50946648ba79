import { undecidedDiagnostics } from "../core/apply/run/plan-run.ts";
import { DiagnosticsError } from "../core/model/diagnostic.ts";
import { driftReport } from "../core/plan/drift-report.ts";
import { type Adoption, adoption } from "../frontends/generate/adoption/adopt-webhooks.ts";
import { WEBHOOK } from "../frontends/generate/adoption/live-webhook.ts";
import { adoptionInput } from "./adopt-live.ts";
import { compareLive } from "./compare-live.ts";
import { hasConfiguration } from "./configuration/load-configuration.ts";
import type { OperationContext } from "./context.ts";
import { withOpenRun } from "./open-run.ts";
import type { OperationOptions } from "./options.ts";

export interface Generated extends Adoption {
  /** Whether a configuration exists already. */
  readonly isConfigured: boolean;
  /** Whether the service lists no webhooks at all. */
  readonly isServiceEmpty: boolean;
}

/**
 * A configuration for the live webhooks that nothing manages. Throws where the lists may be truncated, or an outcome is undecided. Sends no
 * writes, stores nothing, resolves no secret.
 */
export async function generate(context: OperationContext, options: OperationOptions): Promise<Generated> {
  const isConfigured = await hasConfiguration(context, options);
  const needs = isConfigured ? "everything" : "settings";
  return withOpenRun(context, { ...options, operation: "generate", persists: false, needs }, async (run) => {
    const compared = await compareLive(run, run.loaded.evaluate, { confirm: true });
    const { plan, document } = compared.planned;
    const { diagnostics } = driftReport({
      catalog: context.catalog,
      instances: document.instances,
      plan,
      listings: compared.listings,
    });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new DiagnosticsError(errors);
    if (plan.undecided.length > 0)
      throw new DiagnosticsError(undecidedDiagnostics(compared.planned), { undecided: true });
    return {
      ...adoption(await adoptionInput(context, run, compared)),
      isConfigured,
      isServiceEmpty: compared.listings.get(WEBHOOK)?.objects.length === 0,
    };
  });
}
