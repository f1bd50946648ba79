import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { shellWord } from "../../../../core/model/shell-word.ts";
import type { FleetStore } from "../../../../fleet/database/pg-fleet-store.ts";
import { assertKnown, nextController, withFleet } from "../../../../fleet/open-fleet.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FleetOptions, withDatabase } from "../../program/fleet-options.ts";

type TeamCommand = CommandDefinition<FleetOptions, readonly [team: string]>;

/** A command about one team of a fleet. `act` does it, and returns what to say. */
function teamCommand(name: string, description: string, act: (store: FleetStore, team: string) => Promise<string>): TeamCommand {
  return {
    name,
    description,
    example: { lines: [`outreach controller ${name} acme`] },
    declare: (command) => withDatabase(command).argument("<team>", "the name of a team"),
    run: (context, { options, operands: [team] }) =>
      withFleet<ExitCode>(context, options, async (store) => {
        context.out(`${await act(store, team)}\n`);
        return 0;
      }),
  };
}

/** A run in flight is finished. */
export const controllerPauseCommand = teamCommand("pause", "stops reconciling a team until outreach controller resume", async (store, team) => {
  await assertKnown(store, team, await store.pause(team));
  return `${team} is paused. To go on: outreach controller resume ${team}`;
});

export const controllerResumeCommand = teamCommand(
  "resume",
  "goes on with a team that was paused, or parked until a person has looked",
  async (store, team) => {
    const done = await store.resume(team);
    await assertKnown(store, team, done !== "unknown");
    if (done === "active") return `${team} is neither paused nor parked, so there was nothing to resume.`;
    const { who, when } = await nextController(store);
    return `${team} is resumed. ${who} reconciles it${when}.`;
  },
);

export const controllerRunCommand = teamCommand("run", "has a controller reconcile a team now", async (store, team) => {
  await assertKnown(store, team, await store.requestRun(team));
  const status = await store.team(team);
  if (status?.state === "parked") throw parked(team, status.message);
  const { who, when } = await nextController(store);
  return `${who} reconciles ${team}${when}. See the result: outreach controller status`;
});

function parked(team: string, message: string | null): DiagnosticsError {
  return DiagnosticsError.of("fleet_team_parked", "The team is parked", {
    detail: `No controller reconciles ${team} until somebody resumes it.${message === null ? "" : ` ${message}`}`,
    hint: `See what is open: outreach plan --team ${team}\nSettle an undecided outcome with outreach resolve. Then go on: outreach controller resume ${team}`,
  });
}

export const controllerApproveCommand: CommandDefinition<FleetOptions, readonly [team: string, plan: string]> = {
  name: "approve",
  description: "has a controller apply exactly the plan of a team that waits for approval",
  example: { lines: ["outreach controller approve acme 4f1c8a52-9d0e-4a53-8a43-0f6f3c1d7e21"] },
  declare: (command) =>
    withDatabase(command).argument("<team>", "the name of a team").argument("<plan>", "the id of the plan, as outreach controller status shows it"),
  run: (context, { options, operands: [team, plan] }) =>
    withFleet<ExitCode>(context, options, async (store) => {
      await assertKnown(store, team, (await store.team(team)) !== null);
      const me = `${context.process.who} on ${context.process.host}`;
      const approved = await store.approve(team, plan, me);
      if (!approved.ok) throw notWaiting({ team, plan }, approved.other);
      const result = `See the result: outreach controller status ${shellWord(team)}`;
      if (approved.by !== me) context.out(`${approved.by} has already approved this plan of ${team}. ${result}\n`);
      else {
        const { who, when } = await nextController(store);
        context.out(`Approved. ${who} applies this plan of ${team}${when}, if it still fits. ${result}\n`);
      }
      return 0;
    }),
};

function notWaiting({ team, plan }: { readonly team: string; readonly plan: string }, other: string | null): DiagnosticsError {
  return DiagnosticsError.of("fleet_plan_unknown", "No such plan waits for approval", {
    detail: other === null ? `No plan of ${team} waits for approval.` : `The plan of ${team} that waits for approval now is ${other}, not ${plan}.`,
    hint:
      other === null ? "See what the teams do: outreach controller status" : "Look at the plan that waits now on the controller's page, then approve that one.",
  });
}
