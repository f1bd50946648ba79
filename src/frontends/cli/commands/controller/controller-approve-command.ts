import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { shellWord } from "../../../../core/model/shell-word.ts";
import { assertKnown, nextController, withFleet } from "../../../../fleet/open-fleet.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FleetOptions, withDatabase } from "../../program/fleet-options.ts";

export const controllerApproveCommand: CommandDefinition<FleetOptions, readonly [team: string, plan: string]> = {
  name: "approve",
  description: "has a controller apply exactly the plan of a team that waits for approval",
  example: { lines: ["outreach controller approve acme 4f1c8a52-9d0e-4a53-8a43-0f6f3c1d7e21"] },
  declare: (command) =>
    withDatabase(command).argument("<team>", "the name of a team").argument("<plan>", "the id of the plan, as outreach controller status shows it"),
  run: (context, { options, operands: [team, plan] }) => approve(context, { team, plan }, options),
};

function approve(context: CommandContext, { team, plan }: { readonly team: string; readonly plan: string }, options: FleetOptions): Promise<ExitCode> {
  return withFleet<ExitCode>(context, options, async (store) => {
    await assertKnown(store, team, (await store.team(team)) !== null);
    const me = `${context.process.who} on ${context.process.host}`;
    const approved = await store.approve(team, plan, me);
    if (!approved.ok) throw notWaiting({ team, plan }, approved.other);
    if (approved.by !== me) {
      context.out(`${approved.by} has already approved this plan of ${team}. See the result: outreach controller status ${shellWord(team)}\n`);
      return 0;
    }
    const { who, when } = await nextController(store);
    context.out(`Approved. ${who} applies this plan of ${team}${when}, if it still fits. See the result: outreach controller status ${shellWord(team)}\n`);
    return 0;
  });
}

function notWaiting({ team, plan }: { readonly team: string; readonly plan: string }, other: string | null): DiagnosticsError {
  return DiagnosticsError.of("fleet_plan_unknown", "No such plan waits for approval", {
    detail: other === null ? `No plan of ${team} waits for approval.` : `The plan of ${team} that waits for approval now is ${other}, not ${plan}.`,
    hint:
      other === null ? "See what the teams do: outreach controller status" : "Look at the plan that waits now on the controller's page, then approve that one.",
  });
}
