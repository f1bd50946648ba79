import { type Diagnostic, DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";
import { visible } from "../../../../core/model/visible.ts";
import { firstFew } from "../../../../core/model/words.ts";
import { actOnTeams } from "../../../../fleet/act-on-teams.ts";
import type { FleetStore } from "../../../../fleet/database/pg-fleet-store.ts";
import type { TeamStatus } from "../../../../fleet/fleet-store.ts";
import { assertNotHeld, nextController } from "../../../../fleet/open-fleet.ts";
import { groupsTable } from "../../../../fleet/page/fleet-status.ts";
import { countText } from "../../../../fleet/page/fleet-words.ts";
import { waitingGroups } from "../../../../fleet/page/team-groups.ts";
import { type Action, selectTeams } from "../../../../fleet/selection.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { FilterOptions } from "./fleet-filters.ts";

const MOST_NAMED = 10;

/** Shows what is done with the teams that the filters find, asks, does it, and says what became of each. */
export async function actOnSeveral(
  context: CommandContext,
  store: FleetStore,
  { action, by, options }: { readonly action: Action; readonly by: string; readonly options: FilterOptions },
): Promise<ExitCode> {
  const found = selectTeams(await store.teams(), action, options);
  // --auto-approve approves no removals.
  const left = action === "approve" && options.autoApprove ? found.filter(({ removals }) => removals.length > 0) : [];
  const teams = found.filter((team) => !left.includes(team));
  if (found.length === 0) {
    context.out(`${NOTHING[action]} Nothing was done.\n`);
    return 0;
  }
  const { ignoreFreeze: isAnyway = false } = options;
  if (action === "approve") await assertNotHeld(store, isAnyway);
  if (teams.length === 0) throw new DiagnosticsError([removalsLeft(left)]);
  const { atMs } = await store.times();
  const shown = shownText(action, teams, atMs);
  context.out(`${shown}\n`);
  if (!options.autoApprove && !(await confirmed(context))) {
    context.out("\nCancelled. Nothing was done.\n");
    return 1;
  }
  const { done, late } = await actOnTeams(store, teams, action, { by, isAnyway });
  const { who, when } = await nextController(store);
  context.out(`${doneText(action, done.length, `${who} ${WORK[action]}${when}`)}\n`);
  const problems = [
    ...(late.length > 0 ? [changedMeanwhile(action, late)] : []),
    ...(left.length > 0 ? [removalsLeft(left)] : []),
  ];
  if (problems.length > 0) throw new DiagnosticsError(problems);
  return 0;
}

function changedMeanwhile(action: Action, late: readonly string[]): Diagnostic {
  return errorOf("fleet_teams_changed", "Some teams have changed meanwhile", {
    detail: `${countText(late.length, "team")} ${late.length === 1 ? "was" : "were"} left alone, because ${LATE[action]}: ${namesText(late)}.`,
    hint:
      action === "approve"
        ? "Look at their plans of now: outreach controller status --state waiting"
        : "See what the teams do: outreach controller status",
  });
}

function removalsLeft(left: readonly TeamStatus[]): Diagnostic {
  const [plans, were] =
    left.length === 1
      ? ["plan of 1 team deletes", "It was"]
      : [`plans of ${String(left.length)} teams delete`, "They were"];
  return errorOf("removal_unapproved", "A person must approve removals", {
    detail: `The ${plans} webhooks that nothing manages, and --auto-approve approves no such plan: ${namesText(left.map(({ name }) => name))}. ${were} left alone.`,
    hint: "Approve them with a typed yes: without --auto-approve.\nOr read a plan, and approve it by its id: outreach controller status TEAM",
  });
}

/** What an approval deletes although nothing manages it, in a line for each group of plans that delete the same. */
function removalLines(teams: readonly TeamStatus[]): string {
  const lines = waitingGroups(teams).flatMap(({ teams: [first, ...others] }) => {
    if (first.removals.length === 0) return [];
    const names = namesText([first, ...others].map(({ name }) => name));
    const plans =
      others.length === 0 ? `The plan of ${names}` : `Each plan of ${countText(others.length + 1, "team")} (${names})`;
    return [
      `${plans} deletes ${countText(first.removals.length, "webhook")} that nothing manages: ${namesText(first.removals)}.\n`,
    ];
  });
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
}

const NOTHING: { readonly [action in Action]: string } = {
  approve: "No plan that waits matches the filters.",
  adopt: "No team that can run matches the filters.",
  run: "No team that can run matches the filters.",
  pause: "No team that is not paused matches the filters.",
  resume: "No team that is paused or parked matches the filters.",
};

const LATE: { readonly [action in Action]: string } = {
  approve: "another plan waits, or none",
  adopt: "the configuration no longer has them",
  run: "the configuration no longer has them",
  pause: "the configuration no longer has them",
  resume: "they are no longer paused or parked",
};

const WORK: { readonly [action in Action]: string } = {
  approve: "applies these plans",
  adopt: "plans them",
  run: "reconciles them",
  pause: "leaves them alone",
  resume: "reconciles them",
};

function shownText(action: Action, teams: readonly TeamStatus[], nowMs: number): string {
  const count = countText(teams.length, "team");
  const named = `${count}: ${namesText(teams.map(({ name }) => name))}.`;
  switch (action) {
    case "approve":
      return `Approve the plans of ${count}:\n\n${groupsTable(waitingGroups(teams), nowMs)}${removalLines(teams)}`;
    case "adopt":
      return `Plan to import what is live and identical, for ${named} The plans wait for approval.`;
    case "run":
      return `Reconcile ${named}`;
    case "pause":
      return `Pause ${named} Runs in flight are finished.`;
    case "resume": {
      const parked = teams.filter(({ state }) => state === "parked").length;
      return `Resume ${named}${parked === 0 ? "" : ` ${countText(parked, "team")} of them ${parked === 1 ? "is" : "are"} parked: do first what their messages say.`}`;
    }
  }
}

function doneText(action: Action, count: number, next: string): string {
  const teams = countText(count, "team");
  switch (action) {
    case "approve":
      return `Approved the plans of ${teams}. ${next}, if they still fit. See the result: outreach controller status`;
    case "adopt":
      return `Asked for plans of ${teams}. ${next}. See the plans: outreach controller status --state waiting`;
    case "run":
      return `Asked for runs of ${teams}. ${next}. See the result: outreach controller status`;
    case "pause":
      return `Paused ${teams}. To go on: outreach controller resume --team 'PATTERN'`;
    case "resume":
      return `Resumed ${teams}. ${next}. See the result: outreach controller status`;
  }
}

function namesText(names: readonly string[]): string {
  return visible(firstFew(names, MOST_NAMED));
}

async function confirmed({ ask, cannotAsk }: CommandContext): Promise<boolean> {
  if (!ask)
    throw DiagnosticsError.of("approval_missing", "Confirmation required", {
      detail: `With filters, the command asks for a typed yes, but ${cannotAsk}. Nothing was done.`,
      hint: "If a person has looked at the teams, pass --auto-approve.",
    });
  return (await ask({ text: "Only 'yes' will be accepted to confirm.\n\n", prompt: "  Enter a value: " })) === "yes";
}
