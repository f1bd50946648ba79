import type { Plan } from "../../../core/plan/plan.ts";
import type { ShownPlan } from "../../../output/format.ts";
import type { ExitCode, Output } from "../command-context.ts";
import { configurationName, stageName } from "../configuration/configuration-name.ts";
import { DEFAULT_PLANNING, type PlanFileOptions, type PlanOptions, type StateOptions } from "../program/options.ts";
import { arrangedDiagnostics } from "../screen/print-diagnostics.ts";
import { withView } from "../screen/view.ts";
import type { ServiceContext } from "./connection.ts";
import { modeOf, planAndShow, planRequest } from "./plan-and-show.ts";
import { readPlan } from "./plan-file.ts";
import { withSession } from "./session.ts";
import { shownPlan } from "./show-documents.ts";

/** A plan, and what a report says about it. */
export interface ReportedPlan {
  readonly plan: Plan;
  readonly shown: ShownPlan;
}

/** The plan in a file. Needs neither the service nor its key. */
export async function savedPlan(context: Output & ServiceContext, path: string, options: PlanFileOptions): Promise<ReportedPlan> {
  const { saved } = await readPlan(context, path, options);
  return { plan: saved.plan, shown: shownPlan(context, { saved, path }) };
}

/** Plans as `outreach plan` does, shows the plan, and passes it on. A plan with errors is only shown: exit code 1. */
export function planNow(
  context: Output & ServiceContext,
  given: StateOptions & Pick<PlanOptions, "secrets">,
  report: (plan: ReportedPlan) => Promise<void>,
): Promise<ExitCode> {
  const options: PlanOptions = { ...DEFAULT_PLANNING, detailedExitcode: false, ...given };
  return withView(context, options, (view) =>
    withSession(context, options, { operation: "plan", persists: false, trusted: options.secrets }, async (session) => {
      const request = planRequest(context, session, options, { approval: "open", withSecrets: options.secrets });
      const planned = await planAndShow(context, session, { view, request, allowLocalState: options.allowLocalState });
      if (!planned) return 1;
      view.say("\n");
      const { plan, messages, document } = planned;
      const diagnostics = arrangedDiagnostics(context, [...messages, ...plan.diagnostics], "out");
      const configuration = configurationName(context, options.config, session.loaded.configuration.team);
      const stage = stageName(context, session.store, session.loaded.configuration);
      const shown = { mode: modeOf(request.options), configuration, stage, targets: [], planFile: null, diagnostics, variables: {}, outputs: document.outputs };
      await report({ plan, shown });
      return 0;
    }),
  );
}
