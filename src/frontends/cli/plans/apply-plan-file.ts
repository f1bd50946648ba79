import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { assertApplicable } from "../../../operations/saved-plan/saved-plan.ts";
import { withSavedPlan } from "../../../operations/saved-plan/with-saved-plan.ts";
import { assertConfiguration } from "../../../operations/saved-plan/plan-places.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { PlanningOptions } from "../program/command-options.ts";
import { applyAndShow, applyExitCode } from "./apply-and-show.ts";
import { withView } from "../screen/view.ts";
import { readPlan } from "./plan-file.ts";

/** The options that may be passed with a saved plan. The plan itself fixes everything else. */
const MAY_BE_GIVEN = new Set([
  "--config",
  "--team",
  "--var",
  "--var-file",
  "--state",
  "--lock",
  "--lock-timeout",
  "--auto-approve",
  "--input",
  "--json",
  "--show-emails",
  "--run-key-command",
  "--max-duration",
  "--detailed-exitcode",
]);

/** Applies the plan in a file: the file is the approval. */
export function applyPlanFile(
  context: CommandContext,
  path: string,
  {
    options,
    given,
  }: {
    readonly options: PlanningOptions;
    /** The options on the command line. */ readonly given: readonly string[];
  },
): Promise<ExitCode> {
  return withView(context, options, async (view) => {
    const other = given.filter((option) => !MAY_BE_GIVEN.has(option));
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
