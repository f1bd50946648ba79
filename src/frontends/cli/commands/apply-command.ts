import type { CommandDefinition } from "../program/command-definition.ts";
import { type PlanningOptions, withMaxDuration, withPlan, withPlanFile } from "../program/command-options.ts";
import { applyPlanFile } from "../plans/apply-plan-file.ts";
import { isPlanFolder, teamPlanFile } from "../plans/plan-file.ts";
import { planAndApply } from "../plans/plan-and-apply.ts";

export const definition: CommandDefinition<PlanningOptions, readonly [planFile: string | undefined]> = {
  description: "applies the configuration to the service",
  example: {
    purpose: "after a merge",
    lines: [
      "outreach apply --auto-approve",
      "outreach apply saved.plan",
      "outreach apply --max-duration 10m saved.plan",
    ],
  },
  declare: (command) =>
    withMaxDuration(
      withPlanFile(withPlan(command))
        .argument(
          "[planfile]",
          "a plan saved by outreach plan --out: the file is the approval; for several teams, the folder",
        )
        .option("--auto-approve", "do not ask for approval", false),
      "begin nothing more",
    )
      .option("--detailed-exitcode", "exit with 2 if --max-duration has left changes", false)
      .option("--destroy", "destroy everything that is managed", false),
  forTeams: {
    json: "lines",
    knowsTeam: async (context, { operands: [planFile] }) =>
      planFile !== undefined && !(await isPlanFolder(context, planFile)),
    call: async (_, { operands: [folder] }, team) =>
      folder === undefined ? {} : { operands: [teamPlanFile(folder, team)] },
  },
  run: (context, { options, operands: [planFile], given }) =>
    planFile === undefined ? planAndApply(context, options) : applyPlanFile(context, planFile, { options, given }),
};
