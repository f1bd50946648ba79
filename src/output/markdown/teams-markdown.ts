import { firstFew } from "../../core/model/words.ts";
import { costText } from "../content/cost-text.ts";
import type { FormatContext, ShownPlan } from "../content/output-format.ts";
import { conclusionText } from "../content/summary-text.ts";
import {
  type ShownTeams,
  type TeamPlan,
  unplannedText,
  teamCountsText,
  teamsToShow,
  totalText,
} from "../content/team-plans.ts";
import { codeSpan, words } from "./escape.ts";
import { MOST_MARKDOWN } from "./fit.ts";
import { headingText, kindsOf, planBody } from "./plan-markdown.ts";
import { markerLine } from "./report-marker.ts";

const MOST_TABLE = 20_000;
const MOST_NAMES = 20;
/** With less room, a team's changes are only counted. */
const LEAST_BODY = 200;
const TABLE_HEAD = "| Team | Plan |\n|---|---|\n";

/** The plans of several teams as one comment of at most 60,000 characters. Teams without changes are only counted. Those that lose webhooks come first. */
export function teamsMarkdown(plans: readonly TeamPlan[], shown: ShownTeams, context: FormatContext): string {
  const told = teamsToShow(plans);
  const [first] = plans;
  const unplanned = unplannedText(shown.unplanned, (teams) => firstFew(teams.map(codeSpan), MOST_NAMES));
  const head = [
    ...(first ? subjectLines(first.shown, shown, context.mask) : []),
    `**${totalText(plans)}**`,
    teamCountsText(plans, shown),
    ...(unplanned === null ? [] : [unplanned]),
    "",
  ].join("\n\n");
  const table = tableOf(told);
  const bodies = bodiesOf(told, MOST_MARKDOWN - head.length - table.length, context);
  return `${`${head}${table}${bodies}`.trimEnd()}\n`;
}

function subjectLines(
  { mode, scope }: ShownPlan,
  { configuration, stage, run }: ShownTeams,
  mask: FormatContext["mask"],
): readonly string[] {
  const names = [configuration, ...(stage === null ? [] : [stage])].map(mask);
  const heading = headingText({ mode, names, scope, run }, mask);
  return [markerLine("outreach-as-code", [...names, "all teams", ...kindsOf({ mode, scope }, mask)], run), heading];
}

/** Whole rows only; the others are counted. */
function tableOf(told: readonly TeamPlan[]): string {
  let text = "";
  let shown = 0;
  for (const { team, plan, shown: of } of told) {
    const row = `| ${codeSpan(team)} | ${words(conclusionText(plan, of.mode))}${plan.cost ? `<br>${costText(plan.cost)}` : ""} |\n`;
    if (text.length + row.length > MOST_TABLE) break;
    text += row;
    shown++;
  }
  if (text === "") return "";
  return `${TABLE_HEAD}${text}\n${shown === told.length ? "" : `… and ${String(told.length - shown)} more teams with changes, not shown here.\n\n`}`;
}

/** What each team changes, folded. What one team leaves of its share goes to the next ones. */
function bodiesOf(told: readonly TeamPlan[], room: number, context: Pick<FormatContext, "catalog" | "mask">): string {
  const ends = (count: number): string =>
    count === 0 ? "" : `The changes of ${count === 1 ? "1 team are" : `${String(count)} teams are`} not shown here.\n`;
  let left = room - ends(told.length).length;
  const texts: string[] = [];
  for (const [index, { team, plan, shown }] of told.entries()) {
    const open = `<details><summary>Team ${words(team)}</summary>\n\n`;
    const share =
      Math.max(Math.floor(left / (told.length - index)), Math.min(left, LEAST_SHARE)) -
      open.length -
      "</details>\n\n".length;
    const body = share < LEAST_BODY ? null : planBody(plan, shown, { context, room: share });
    if (body === null || body.length > share) continue;
    const text = `${open}${body}</details>\n\n`;
    texts.push(text);
    left -= text.length;
  }
  return `${texts.join("")}${ends(told.length - texts.length)}`;
}

/** Enough for a few webhooks: the first teams are shown rather than a line of each. */
const LEAST_SHARE = 2500;
