import { DiagnosticsError, noteOf } from "../../../core/model/diagnostic.ts";
import { capitalised } from "../../../core/model/words.ts";
import { shellWord } from "../../../core/model/shell-word.ts";

import { resolvePath } from "../../../operations/configuration/named-file.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import type { CommandDefinition, TeamCall } from "../program/command-definition.ts";
import { type PlanningOptions, withPlan } from "../program/command-options.ts";
import { withView } from "../screen/view.ts";
import { plan } from "../../../operations/plan.ts";
import { exitCodeOf } from "../exit-code.ts";
import { readablePlan, removeEarlierPlan, savePlan, teamPlanFile } from "../plans/plan-file.ts";
import { type OpenRun, withOpenRun } from "../../../operations/open-run.ts";
import { missingKey } from "../../../operations/service/untrusted-key.ts";

/** Shows what an apply would do. Sends no writes, and stores nothing except the plan with `--out`. */
export const definition: CommandDefinition<PlanningOptions> = {
  description: "shows what apply would do; sends no writes",
  example: { purpose: "for a pull request", lines: ["outreach plan --detailed-exitcode"] },
  declare: (command) =>
    withPlan(command)
      .option("--detailed-exitcode", "exit with 2 if there are changes", false)
      .option("--destroy", "plan to destroy everything that is managed", false)
      .option(
        "--out <file>",
        "save the plan: outreach apply FILE applies exactly this plan; for several teams, a folder",
      )
      .option("--no-secrets", "resolve no secrets and run no commands, for untrusted code; the plan cannot be applied"),
  forTeams: { json: "lines", call: (context, { options: { out } }, team) => planForTeam(context, out, team) },
  run: (context, { options }) => {
    const { out } = options;
    return withView(context, options, async (view) => {
      if (out !== undefined) await removeEarlierPlan(context, out);
      const opening = {
        ...options,
        operation: "plan",
        persists: false,
        check: assertKey(context),
      };
      const planning = withOpenRun<ExitCode>(context, opening, async (run) => {
        // A plan without secrets is never applied: it is only shown, also from a file.
        const { withSecrets } = run.loaded;
        const approval = out !== undefined && withSecrets ? "saved" : "open";
        const planned = await plan(run, { ...options, approval });
        view.plan(planned);
        const { status } = planned;
        if (status !== "failed" && out !== undefined) {
          await savePlan(context, out, { run, planned, config: options.config });
          const use = withSecrets
            ? `To apply exactly this plan, run:\n    outreach apply ${context.given}${shellWord(out)}`
            : "A plan made with --no-secrets cannot be applied.";
          if (!run.store.encryption || !withSecrets)
            view.diagnostics(readablePlan(context, out, { plan: planned.plan, withSecrets }));
          view.say(`\nSaved the plan to ${out}\n\n${context.asCalled(use)}\n`);
        }
        return exitCodeOf(status === "changed" && !options.detailedExitcode ? "unchanged" : status);
      });
      return planning.catch((error: unknown) => {
        if (!(error instanceof WithoutKey)) throw error;
        if (options.json)
          view.diagnostics([
            noteOf("team_skipped", "Team skipped", {
              detail: `${capitalised(error.message)}, so the team was not planned.`,
            }),
          ]);
        context.skip?.(error.message);
        return 0;
      });
    });
  },
};

/** Why a team is skipped. */
class WithoutKey extends Error {}

/** Looks for the key of one of several teams, before anything is read from its state. A single team has an error instead. */
function assertKey(context: CommandContext): (opened: Pick<OpenRun, "loaded">) => void {
  return ({ loaded }) => {
    const why = loaded.withSecrets || !context.isPart ? null : missingKey(context, loaded.configuration);
    if (why !== null) throw new WithoutKey(why);
  };
}

/** Several plans are saved in a folder: one file for each team. */
async function planForTeam(
  { files, folder, isPart }: CommandContext,
  out: string | undefined,
  team: string,
): Promise<TeamCall> {
  if (!isPart || out === undefined) return {};
  const full = resolvePath(folder, out);
  if ((await files.kind(full)) === "file") throw notAFolder(out);
  await files.makeFolder(full);
  return { options: { out: teamPlanFile(out, team) } };
}

function notAFolder(path: string): DiagnosticsError {
  return DiagnosticsError.of("plan_file_unwritable", "Cannot save the plans", {
    detail: `For several teams, --out names a folder, but ${path} is a file.`,
    hint: "Name a folder, as in --out plans, or one team with --team NAME.",
  });
}
