import { choicesOf } from "../../../core/plan/plan-context.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { assertApplicable } from "../../../operations/saved-plan/saved-plan.ts";
import { withSavedPlan } from "../../../operations/saved-plan/with-saved-plan.ts";
import { assertConfiguration } from "../../../operations/saved-plan/plan-places.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { Invocation } from "../program/command-definition.ts";
import type { PlanningOptions } from "../program/command-options.ts";
import { applyAndShow, applyExitCode } from "./apply-and-show.ts";
import { withView } from "../screen/view.ts";
import { readPlan } from "./plan-file.ts";

/** What a saved plan fixes. */
const FIXED: readonly string[] = Object.keys(choicesOf({}));

/** Applies the plan in a file: the file is the approval. */
export function applyPlanFile(
  context: CommandContext,
  path: string,
  { options, given }: Pick<Invocation<PlanningOptions, never>, "options" | "given">,
): Promise<ExitCode> {
  return withView(context, options, async (view) => {
    const other = given.filter((option) => FIXED.includes(option.attributeName())).map(({ long }) => String(long));
    if (other.length > 0) throw decidedAlready(other);
    const read = await readPlan(context, path, { ...options, runsCommands: true });
    const { saved } = read;
    assertApplicable(saved, path);
    assertConfiguration(context, saved, options);
    return withSavedPlan(
      context,
      read,
      { ...options, variables: saved.variables, operation: "apply" },
      async (run, { planned, diagnostics, status }) => {
        view.diagnostics(diagnostics);
        if (status === "failed") return exitCodeOf(status);
        const applied = await applyAndShow(context, run, planned, {
          view,
          approval: "saved",
          destroying: saved.choices.destroy,
          maxDurationMs: options.maxDurationMs ?? null,
        });
        return applyExitCode(applied, options);
      },
    );
  });
}

function decidedAlready(options: readonly string[]): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: `A saved plan is applied unchanged, so ${[...new Set(options)].join(", ")} cannot be passed to apply.`,
    hint: "Pass them to outreach plan --out, and apply that plan.",
  });
}
