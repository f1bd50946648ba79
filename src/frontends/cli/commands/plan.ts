import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { hasChanges } from "../../../core/plan/plan.ts";
import type { ExitCode, Output, WorkingFolder } from "../command-context.ts";
import type { ServiceContext } from "../session/connection.ts";
import { resolvePath } from "../configuration/named-file.ts";
import type { CommandDefinition, TeamCall } from "../program/command-definition.ts";
import { type PlanOptions, withPlan } from "../program/options.ts";
import { withView } from "../screen/view.ts";
import { planAndShow, planRequest } from "../session/plan-and-show.ts";
import { checkPlanPath, savePlan, teamPlanFile } from "../session/plan-file.ts";
import { readablePlan } from "../session/readable-plan.ts";
import { withSession } from "../session/session.ts";

export const planCommand: CommandDefinition<PlanOptions> = {
  name: "plan",
  description: "shows what apply would do; sends no writes",
  example: { purpose: "for a pull request", lines: ["outreach plan --detailed-exitcode"] },
  declare: (command) =>
    withPlan(command)
      .option("--detailed-exitcode", "exit with 2 if there are changes", false)
      .option("--destroy", "plan to destroy everything that is managed", false)
      .option("--out <file>", "save the plan: outreach apply FILE applies exactly this plan; for several teams, a folder")
      .option("--no-secrets", "resolve no secrets and run no commands, for untrusted code; the plan cannot be applied"),
  forTeams: { json: "lines", call: (context, { options }, team) => planForTeam(context, options, team) },
  run: (context, { options }) => plan(context, options),
};

/** Several plans are saved in a folder: one file for each team. */
async function planForTeam(
  { files, folder }: WorkingFolder,
  { out, secrets }: PlanOptions,
  { name, isOnly }: { readonly name: string; readonly isOnly: boolean },
): Promise<TeamCall> {
  if (isOnly) return {};
  if (!secrets) throw new DiagnosticsError([keyOfOneTeam()]);
  if (out === undefined) return {};
  const full = resolvePath(folder, out);
  if ((await files.kind(full)) === "file") throw new DiagnosticsError([notAFolder(out)]);
  await files.makeFolder(full);
  return { options: { out: teamPlanFile(out, name) } };
}

function keyOfOneTeam(): Diagnostic {
  return {
    code: "options_conflict",
    severity: "error",
    summary: "Conflicting options",
    detail: "With --no-secrets the key comes only from OUTREACH_API_KEY, so such a plan is about one team.",
    hint: "Name the team of that key with --team NAME.",
  };
}

function notAFolder(path: string): Diagnostic {
  return {
    code: "plan_file_unwritable",
    severity: "error",
    summary: "Cannot save the plans",
    detail: `For several teams, --out names a folder, but ${path} is a file.`,
    hint: "Name a folder, as in --out plans, or one team with --team NAME.",
  };
}

/** Shows what an apply would do. Sends no writes, and stores nothing except the plan with `--out`. */
function plan(context: Output & ServiceContext, options: PlanOptions): Promise<ExitCode> {
  return withView(context, options, async (view) => {
    if (options.out !== undefined) await checkPlanPath(context, options.out);
    return withSession(context, options, { operation: "plan", persists: false, trusted: options.secrets }, async (session) => {
      const request = planRequest(context, session, options, { approval: approvalOf(options), withSecrets: options.secrets });
      const planned = await planAndShow(context, session, { view, request, allowLocalState: options.allowLocalState });
      if (!planned) return 1;
      if (options.out !== undefined) {
        await savePlan(context, options.out, { session, planned, choices: request.options, options });
        const use = options.secrets
          ? `To apply exactly this plan, run:\n    outreach apply ${context.given}${shellWord(options.out)}`
          : "A plan made with --no-secrets cannot be applied.";
        if (!session.store.encryption || !options.secrets)
          view.diagnostics(readablePlan(context, options.out, { plan: planned.plan, withSecrets: options.secrets }));
        view.say(`\nSaved the plan to ${options.out}\n\n${context.asCalled(use)}\n`);
      }
      if (planned.plan.undecided.length > 0) return 3;
      return options.detailedExitcode && hasChanges(planned.plan) ? 2 : 0;
    });
  });
}

/** A plan without secrets is never applied: it is only shown, also from a file. */
function approvalOf({ out, secrets }: PlanOptions): "saved" | "open" {
  return out !== undefined && secrets ? "saved" : "open";
}
