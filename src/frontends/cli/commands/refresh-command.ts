import type { CommandDefinition } from "../program/command-definition.ts";
import { DEFAULT_PLANNING, type StateOptions, withInput, withState } from "../program/command-options.ts";
import { planAndApply } from "../plans/plan-and-apply.ts";

interface RefreshOptions extends StateOptions {
  readonly allowRecreate: boolean;
  readonly json: boolean;
}

export const refreshCommand: CommandDefinition<RefreshOptions> = {
  name: "refresh",
  description: "updates the state from the service; the same as apply --refresh-only --auto-approve",
  example: { lines: ["outreach refresh"] },
  declare: (command) =>
    withInput(withState(command))
      .option(
        "--allow-recreate",
        "remove missing webhooks from the state, even if they exceed limits.recreate, the list may be truncated, or the API key has changed",
        false,
      )
      .option("--json", "print Terraform's machine-readable lines", false),
  forTeams: { json: "lines" },
  run: (context, { options }) =>
    planAndApply(context, {
      ...DEFAULT_PLANNING,
      ...options,
      refreshOnly: true,
      autoApprove: true,
    }),
};
