import type { CommandDefinition } from "../program/command-definition.ts";
import { type PlanningOptions, guardOption, withInput, withState } from "../program/command-options.ts";
import { planAndApply } from "../plans/plan-and-apply.ts";

export const definition: CommandDefinition<PlanningOptions> = {
  description: "updates the state from the service; the same as apply --refresh-only --auto-approve",
  example: { lines: ["outreach refresh"] },
  declare: (command) =>
    withInput(withState(command))
      .addOption(
        guardOption(
          "recreate",
          "remove missing webhooks from the state, even if they exceed limits.recreate, the list may be truncated, or the API key has changed",
        ),
      )
      .option("--json", "print Terraform's machine-readable lines", false),
  forTeams: { json: "lines" },
  run: (context, { options }) => planAndApply(context, { ...options, refreshOnly: true, autoApprove: true }),
};
