import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { shellWord } from "../../../../core/model/shell-word.ts";
import type { Asker } from "../../../../fleet/act-on-teams.ts";
import type { FleetStore } from "../../../../fleet/database/pg-fleet-store.ts";
import { assertKnown, assertNotHeld, nextController, withFleet } from "../../../../fleet/open-fleet.ts";
import type { Action } from "../../../../fleet/selection.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FilterOptions, isFiltered, withFilters } from "./fleet-filters.ts";
import { actOnSeveral } from "./act-on-several.ts";

type TeamCommand = CommandDefinition<FilterOptions, readonly [team?: string]>;

/** Who asks. */
export function asker({ process }: CommandContext): string {
  return `${process.who} on ${process.host}`;
}

/** A command about one team of a fleet, or about those that filters find. `act` does it for one team, and returns what to say. */
function teamCommand(
  name: Exclude<Action, "approve">,
  description: string,
  act: (store: FleetStore, team: string, by: string) => Promise<string>,
): TeamCommand {
  return {
    description,
    example: { lines: [`outreach controller ${name} acme`, `outreach controller ${name} ${EXAMPLES[name]}`] },
    declare: (command) =>
      withFilters(command).argument("[team]", "the name of a team; or choose several with the options"),
    run: (context, { options, operands: [team] }) => {
      const several = isFiltered(options, { name: team, command: `controller ${name}` });
      return withFleet<ExitCode>(context, options, async (store) => {
        if (several || team === undefined)
          return actOnSeveral(context, store, { action: name, by: asker(context), options });
        context.out(`${await act(store, team, asker(context))}\n`);
        return 0;
      });
    },
  };
}

const EXAMPLES = {
  adopt: "--failed",
  run: "--failed",
  pause: "--team 'client-*'",
  resume: "--team 'client-*'",
} as const;

/** A run in flight is finished. */
const pause = teamCommand(
  "pause",
  "stops reconciling teams until outreach controller resume",
  async (store, team, by) => {
    await assertKnown(store, team, await store.pause(team, by));
    return `${team} is paused. To go on: outreach controller resume ${team}`;
  },
);

const resume = teamCommand(
  "resume",
  "goes on with teams that were paused, or parked until a person has looked",
  async (store, team, by) => {
    const done = await store.resume(team, by);
    await assertKnown(store, team, done !== "unknown");
    if (done === "active") return `${team} is neither paused nor parked, so there was nothing to resume.`;
    const { who, when } = await nextController(store);
    return `${team} is resumed. ${who} reconciles it${when}.`;
  },
);

const run = teamCommand("run", "has a controller reconcile teams now", async (store, team, by) => {
  await assertKnown(store, team, await store.requestRun(team, by));
  const status = await store.team(team);
  if (status?.state === "parked") throw parked(team, status.message);
  const { who, when } = await nextController(store);
  return `${who} reconciles ${team}${when}. See the result: outreach controller status`;
});

const adopt = teamCommand(
  "adopt",
  "has a controller plan the import of webhooks that are live and identical, as after a state was lost; the plans wait for approval",
  async (store, team, by) => {
    await assertKnown(store, team, await store.requestRun(team, by, true));
    const status = await store.team(team);
    if (status?.state === "parked") throw parked(team, status.message);
    const { who, when } = await nextController(store);
    return `${who} plans ${team}${when}. See the plan: outreach controller status ${shellWord(team)}`;
  },
);

function parked(team: string, message: string | null): DiagnosticsError {
  return DiagnosticsError.of("fleet_team_parked", "The team is parked", {
    detail: `No controller reconciles ${team} until somebody resumes it.${message === null ? "" : ` ${message}`}`,
    hint: `See what is open: outreach plan --team ${team}\nSettle an undecided outcome with outreach resolve. Then go on: outreach controller resume ${team}`,
  });
}

const approve: CommandDefinition<FilterOptions, readonly [team?: string, plan?: string]> = {
  description:
    "has a controller apply exactly the plans that wait for approval, of one team or of those that filters find",
  example: {
    lines: [
      "outreach controller approve acme 4f1c8a52-9d0e-4a53-8a43-0f6f3c1d7e21",
      "outreach controller approve --group 4f1c8a529d",
    ],
  },
  declare: (command) =>
    withFilters(command)
      .option("--ignore-freeze", "apply them also during a freeze", false)
      .option("--only-creates", "the teams whose plan creates webhooks, and does nothing else", false)
      .argument("[team]", "the name of a team; or choose several with the options")
      .argument("[plan]", "the id of the plan, as outreach controller status shows it"),
  run: (context, { options, operands: [team, plan] }) => {
    const several = isFiltered(options, { name: team, command: "controller approve" });
    if (team !== undefined && plan === undefined) throw planMissing(team);
    return withFleet<ExitCode>(context, options, async (store) => {
      const by = asker(context);
      if (several || team === undefined || plan === undefined)
        return actOnSeveral(context, store, { action: "approve", by, options });
      context.out(`${await approveOne(store, { team, plan, by, isAnyway: options.ignoreFreeze ?? false })}\n`);
      return 0;
    });
  },
};

/** Approves a plan, and returns what to say. */
async function approveOne(
  store: FleetStore,
  { team, plan, by, isAnyway }: Required<Asker> & { readonly team: string; readonly plan: string },
): Promise<string> {
  await assertKnown(store, team, (await store.team(team)) !== null);
  await assertNotHeld(store, isAnyway);
  const approved = await store.approve(team, plan, by, isAnyway);
  if (!approved.ok) throw notWaiting({ team, plan }, approved.other);
  const result = `See the result: outreach controller status ${shellWord(team)}`;
  if (approved.by !== by) return `${approved.by} has already approved this plan of ${team}. ${result}`;
  const { who, when } = await nextController(store);
  return `Approved. ${who} applies this plan of ${team}${when}, if it still fits. ${result}`;
}

function planMissing(team: string): DiagnosticsError {
  return DiagnosticsError.of("fleet_plan_missing", "No plan named", {
    detail: `An approval names the plan that you have read, and not only its team ${JSON.stringify(team)}.`,
    hint: `See the plan and its id: outreach controller status ${shellWord(team)}`,
  });
}

function notWaiting(
  { team, plan }: { readonly team: string; readonly plan: string },
  other: string | null,
): DiagnosticsError {
  return DiagnosticsError.of("fleet_plan_unknown", "No such plan waits for approval", {
    detail:
      other === null
        ? `No plan of ${team} waits for approval.`
        : `The plan of ${team} that waits for approval now is ${other}, not ${plan}.`,
    hint:
      other === null
        ? "See what the teams do: outreach controller status"
        : "Look at the plan that waits now on the controller's page, then approve that one.",
  });
}

/** By their last words. */
export const TEAM_COMMANDS = { run, adopt, pause, resume, approve };
