import type { Plan } from "../../../core/plan/plan.ts";
import { modeOf, type ShownPlan } from "../../../output/content/output-format.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { configurationName, stageName } from "../../../operations/configuration/configuration-name.ts";
import { DEFAULT_PLANNING, type PlanFileOptions, type PlanOptions, type StateOptions } from "../program/command-options.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";
import { withView } from "../screen/view.ts";

import { plan } from "../../../operations/plan.ts";
import { exitCodeOf } from "../exit-code.ts";
import { readPlan } from "./plan-file.ts";
import { withOpenRun } from "../../../operations/open-run.ts";
import { shownPlan } from "./show-documents.ts";

/** A plan, and what a report says about it. */
export interface ReportedPlan {
  readonly plan: Plan;
  readonly shown: ShownPlan;
}

/** The plan in a file. Needs neither the service nor its key. */
export async function savedPlan(context: CommandContext, path: string, options: PlanFileOptions): Promise<ReportedPlan> {
  const { saved } = await readPlan(context, path, options);
  return { plan: saved.plan, shown: shownPlan(context, { saved, path }) };
}

/** Plans as `outreach plan` does, shows the plan, and passes it on. A plan with errors is only shown: exit code 1. */
export function planNow(
  context: CommandContext,
  given: StateOptions & Pick<PlanOptions, "secrets">,
  report: (plan: ReportedPlan) => Promise<void>,
): Promise<ExitCode> {
  const options: PlanOptions = { ...DEFAULT_PLANNING, detailedExitcode: false, ...given };
  return withView(context, options, (view) =>
    withOpenRun(context, { ...options, operation: "plan", persists: false, trusted: options.secrets }, async (run) => {
      const planned = await plan(run, { ...options, approval: "open", withSecrets: options.secrets });
      view.plan(planned);
      if (planned.status === "failed") return exitCodeOf(planned.status);
      view.say("\n");
      const { messages, document } = planned;
      const diagnostics = arrangedDiagnostics(context, [...messages, ...planned.plan.diagnostics], { hidesEmails: context.hidesEmails.out });
      const configuration = configurationName(context, options.config, run.loaded.configuration.team);
      const stage = stageName(context, run.store, run.loaded.configuration);
      const shown = { mode: modeOf(planned.options), configuration, stage, targets: [], planFile: null, diagnostics, variables: {}, outputs: document.outputs };
      await report({ plan: planned.plan, shown });
      return 0;
    }),
  );
}
