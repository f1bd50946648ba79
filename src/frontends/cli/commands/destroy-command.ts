import type { CommandDefinition } from "../program/command-definition.ts";
import { type PlanningOptions, withPlan } from "../program/command-options.ts";
import { planAndApply } from "../plans/plan-and-apply.ts";

export const definition: CommandDefinition<PlanningOptions> = {
  description: "destroys everything that is managed; the same as apply --destroy",
  example: { lines: ["outreach destroy"] },
  declare: (command) => withPlan(command).option("--auto-approve", "do not ask for approval", false),
  forTeams: { json: "lines" },
  run: (context, { options }) => planAndApply(context, { ...options, destroy: true }),
};
