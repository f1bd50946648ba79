import { type Plan, type PlanCounts, countSteps, hasChanges } from "../../core/plan/plan.ts";
import type { DocumentFormat, FormatContext, ReportRun, ShownPlan } from "./output-format.ts";
import { countsText } from "./summary-text.ts";

/** The plan of one of several teams. */
export interface TeamPlan {
  readonly team: string;
  readonly plan: Plan;
  readonly shown: ShownPlan;
}

export interface ShownTeams {
  /** The name of the configuration, without a team. */
  readonly configuration: string;
  /** A name that the user gave; null without one. */
  readonly stage: string | null;
  readonly run: ReportRun;
  /** Declared teams without a plan; null if nobody knows which teams are declared. */
  readonly unplanned: readonly string[] | null;
}

/** A format that can also print the plans of several teams. */
export interface TeamsFormat extends DocumentFormat {
  teams(plans: readonly TeamPlan[], shown: ShownTeams, context: FormatContext): string;
}

/** Says which declared teams have no plan; null if all have one. */
export function unplannedText(
  unplanned: ShownTeams["unplanned"],
  named: (teams: readonly string[]) => string,
): string | null {
  if (unplanned === null)
    return "Teams without a plan are not named here, because the configuration could not be read (the log of the job says why).";
  return unplanned.length === 0
    ? null
    : `Not planned, because the key is not set or the plan failed (the log of the job says which): ${named(unplanned)}.`;
}

/** The teams with changes or messages, those that lose most first. The others are only counted. */
export function teamsToShow(plans: readonly TeamPlan[]): readonly TeamPlan[] {
  return plans.filter(isShown).toSorted((one, other) => losses(other) - losses(one));
}

function isShown({ plan, shown: { diagnostics } }: TeamPlan): boolean {
  return hasChanges(plan) || plan.undecided.length > 0 || diagnostics.some(({ severity }) => severity !== "note");
}

function losses({ plan }: TeamPlan): number {
  return countSteps(plan.steps).destroy;
}

/** The summary line of all plans together. */
export function totalText(plans: readonly TeamPlan[]): string {
  if (!plans.some(({ plan }) => hasChanges(plan))) return "No changes.";
  const counts = plans.map(({ plan }) => countSteps(plan.steps));
  const sum = (name: keyof PlanCounts): number => counts.reduce((total, one) => total + one[name], 0);
  return `Plan: ${countsText({ import: sum("import"), add: sum("add"), change: sum("change"), destroy: sum("destroy"), forget: sum("forget") })}`;
}

/** How many teams there are, with and without changes. */
export function teamCountsText(plans: readonly TeamPlan[], { unplanned }: Pick<ShownTeams, "unplanned">): string {
  const changed = plans.filter(({ plan }) => hasChanges(plan)).length;
  const undecided = plans.filter(({ plan }) => plan.undecided.length > 0).length;
  const all = plans.length + (unplanned?.length ?? 0);
  const counts = [
    `${String(all)} ${all === 1 ? "team" : "teams"}: ${String(changed)} with changes`,
    ...(undecided === 0 ? [] : [`${String(undecided)} undecided`]),
    `${String(plans.length - changed)} without changes`,
    ...(unplanned?.length ? [`${String(unplanned.length)} not planned`] : []),
  ];
  return `${counts.join(", ")}.`;
}
