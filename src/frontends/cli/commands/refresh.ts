import type { CommandDefinition } from "../program/command-definition.ts";
import { type StateOptions, withState } from "../program/options.ts";
import { planAndApply } from "../session/plan-and-apply.ts";

interface RefreshOptions extends StateOptions {
  readonly allowRecreate: boolean;
  readonly json: boolean;
}

export const refreshCommand: CommandDefinition<RefreshOptions> = {
  name: "refresh",
  description: "make the state follow what is live; the same as apply --refresh-only --auto-approve",
  example: { lines: ["outreach refresh"] },
  declare: (command) =>
    withState(command)
      .option("--allow-recreate", "forget missing webhooks: more than limits.recreate allows, where the list may be cut off, or with another key", false)
      .option("--json", "print Terraform's machine-readable lines", false),
  run: (context, { options }) =>
    planAndApply(context, {
      target: [],
      replace: [],
      destroy: false,
      adopt: false,
      assumeUnsubscribed: false,
      allowDeletes: false,
      allowUnsubscribes: false,
      allowCampaignChange: false,
      allowServiceChange: false,
      allowLocalState: false,
      ...options,
      refreshOnly: true,
      autoApprove: true,
    }),
};
