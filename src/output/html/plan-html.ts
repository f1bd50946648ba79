import { blockOf } from "../../core/model/address.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { visible } from "../../core/model/visible.ts";
import type { Drift, OutputChange, Plan } from "../../core/plan/plan.ts";
import { costText } from "../content/cost-text.ts";
import {
  describeOutput,
  type DescribeContext,
  describeDrift,
  describeStep,
  identityOf,
  isKnown,
  remarksOf,
  titleOf,
} from "../content/describe-step.ts";
import { errorsFirst, whereText } from "../content/diagnostic-text.ts";
import { type StepGroup, type StepKind, stepGroups } from "../content/step-groups.ts";
import type { FormatContext, PlanMode, ShownPlan } from "../content/output-format.ts";
import { checksText, conclusionText, refusedText } from "../content/summary-text.ts";
import {
  type ShownTeams,
  type TeamPlan,
  unplannedText,
  teamCountsText,
  teamsToShow,
  totalText,
} from "../content/team-plans.ts";
import {
  type Entry,
  type EntryGroup,
  type EntryValue,
  type Tone,
  entrySections,
  groupHtml,
  hintText,
} from "./entry-html.ts";
import { type Html, html } from "./html-text.ts";
import { pageText, type PageSection } from "./page.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";

type HtmlContext = Pick<FormatContext, "catalog" | "mask" | "version"> & Pick<DescribeContext, "names">;

const KICKERS: { readonly [mode in PlanMode]: string } = {
  apply: "Plan",
  destroy: "Destroy plan",
  "refresh-only": "Refresh-only plan",
};
const TONES: { readonly [kind in StepKind]: Tone } = {
  delete: "del",
  replace: "chg",
  create: "add",
  adopt: "imp",
  "update-state": "chg",
  move: "off",
  forget: "off",
};
/** An import and a move have no symbol of Terraform's. */
const SYMBOLS: { readonly [kind in StepKind]?: string } = { adopt: "↓", move: "→" };

/** A plan as one page: the counts, the messages, and each change. */
export function planHtml(plan: Plan, shown: ShownPlan, context: HtmlContext): string {
  const { mode, configuration, stage, diagnostics } = shown;
  const { mask } = context;
  const name = mask(stage === null ? configuration : `${configuration}, ${stage}`);
  const groups = planGroups(plan, mode, context);
  const sections = [
    ...messageSections(diagnostics, mask),
    ...entrySections("Changes", groups),
    ...(plan.outputs.length === 0 ? [] : [{ title: "Outputs", content: outputsHtml(plan.outputs, mask) }]),
  ];
  const head = verdictHtml(plan, shown, { groups, mask });
  return pageText({
    title: `${KICKERS[mode]} for ${name}`,
    kicker: KICKERS[mode],
    name,
    head,
    sections,
    version: context.version,
  });
}

/** The plans of several teams as one page. Teams without changes are only counted. Those that lose webhooks come first. */
export function teamsHtml(
  plans: readonly TeamPlan[],
  { configuration, stage, unplanned }: ShownTeams,
  context: HtmlContext,
): string {
  const { mask, version } = context;
  const without = unplannedText(unplanned, (teams) => teams.map(mask).join(", "));
  const name = mask(stage === null ? configuration : `${configuration}, ${stage}`);
  const kicker = KICKERS[plans[0]?.shown.mode ?? "apply"];
  const shown = teamsToShow(plans).map((one) => ({ ...one, groups: planGroups(one.plan, one.shown.mode, context) }));
  const head = html`<p class="verdict">${totalText(plans)}</p>
    <p class="verdict">${teamCountsText(plans, { unplanned })}</p>
    ${without === null ? "" : html`<p class="verdict refused">${without}</p>`}`;
  const sections = shown.map(({ team, plan, shown: of, groups }) => ({
    title: `Team ${team}`,
    content: html`${verdictHtml(plan, of, { groups, mask })}${of.diagnostics.length === 0 ? "" : messagesHtml(of.diagnostics, mask)}${groups.map(groupHtml)}${plan.outputs.length === 0 ? "" : outputsHtml(plan.outputs, mask)}`,
  }));
  return pageText({ title: `${kicker} for ${name}`, kicker, name, head, sections, version });
}

function planGroups(plan: Plan, mode: PlanMode, given: HtmlContext): readonly TonedGroup[] {
  const context = { ...given, names: plan.names };
  const steps = stepGroups(plan, mode, context.catalog).map((group) => stepEntries(group, context));
  return [...steps, ...driftEntries(plan.drift, context)];
}

interface Verdict {
  readonly groups: readonly TonedGroup[];
  readonly mask: HtmlContext["mask"];
}

/** What the plan does in all, and whether it can be applied. */
function verdictHtml(plan: Plan, { mode, diagnostics }: ShownPlan, { groups, mask }: Verdict): Html {
  const kept = plan.steps.filter(({ action }) => action === "keep").length;
  const refused = refusedText({ diagnostics });
  const checks = plan.checks === undefined ? "" : html`<p class="verdict">Checks: ${checksText(plan.checks)}</p>`;
  const consequence = plan.consequence === undefined ? "" : html`<p>${mask(visible(plan.consequence))}</p>`;
  const cost = plan.cost ? html`<p>${costText(plan.cost)}</p>` : "";
  return html`<p class="verdict">${conclusionText(plan, mode)}</p>
    ${refused === null ? "" : html`<p class="verdict refused">${refused}</p>`} ${checks} ${consequence}${cost}
    <ul class="counts">
      ${groups.map(({ title, count, tone }) => html`<li class="${tone}"><b>${count}</b> ${title}</li>`)}${kept === 0 ? "" : html`<li class="off"><b>${kept}</b> unchanged</li>`}
    </ul>`;
}

type TonedGroup = EntryGroup & { readonly tone: Tone };

function stepEntries({ kind, title, steps, count }: StepGroup, context: HtmlContext): TonedGroup {
  const { mask, catalog } = context;
  const tone = TONES[kind];
  const entries = steps.map((few): Entry => {
    const step = "item" in few ? few.item : few.like;
    const described = describeStep(step, context);
    const symbol = SYMBOLS[kind] ?? described.symbol;
    if ("more" in few) {
      const name = `${blockOf(step.address)}: … and ${String(few.more)} more ${titleOf(step, resourceOf(catalog, step.type))}`;
      return { symbol, tone, name: mask(name), hint: "", remarks: [], values: [] };
    }
    const remarks = remarksOf(step, described).map(mask);
    const values = described.attributes.filter(isKnown).map((one) => maskedValue(one, mask));
    return {
      symbol,
      tone,
      name: mask(step.address),
      hint: hintText(identityOf(step, context).map(mask)),
      remarks,
      values,
    };
  });
  const isQuiet = kind === "create" || kind === "adopt" || kind === "forget";
  return { title, count, tone, entries, isQuiet };
}

function driftEntries(drift: readonly Drift[], context: HtmlContext): readonly TonedGroup[] {
  if (drift.length === 0) return [];
  const { mask } = context;
  const entries = drift.map((one): Entry => {
    const [symbol, tone, remarks] =
      one.after === null ? (["-", "del", ["deleted outside of outreach"]] as const) : (["~", "chg", []] as const);
    const values = describeDrift(one, context).map((value) => maskedValue(value, mask));
    return { symbol, tone, name: mask(one.address), hint: "", remarks, values };
  });
  return [{ title: "changed outside of outreach", count: drift.length, tone: "off", entries, isQuiet: false }];
}

function maskedValue(
  { name, values, forces, note, comment = null }: EntryValue,
  mask: HtmlContext["mask"],
): EntryValue {
  const [first, second] = values;
  return {
    name,
    values: second === undefined ? [mask(first)] : [mask(first), mask(second)],
    forces,
    note,
    comment: comment === null ? null : mask(comment),
  };
}

function outputsHtml(outputs: readonly OutputChange[], mask: HtmlContext["mask"]): Html {
  const rows = outputs.map((change) => {
    const { symbol, values } = describeOutput(change, mask);
    return html`<tr>
      <td>${symbol}</td>
      <th scope="row"><code>${mask(change.name)}</code></th>
      <td><code>${values.map(mask).join(" → ")}</code></td>
    </tr>`;
  });
  return html`<div class="card scroll">
    <table class="values">
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

const TITLES: { readonly [severity in Diagnostic["severity"]]: string } = {
  error: "Error",
  warning: "Warning",
  note: "Note",
};

/** Messages, the errors first; no section for none. */
export function messageSections(
  diagnostics: readonly Diagnostic[],
  mask: (text: string) => string,
): readonly PageSection[] {
  if (diagnostics.length === 0) return [];
  return [{ title: "Messages", content: messagesHtml(diagnostics, mask) }];
}

function messagesHtml(diagnostics: readonly Diagnostic[], mask: (text: string) => string): Html {
  return html`${errorsFirst(diagnostics).map((one) => messageHtml(one, mask))}`;
}

function messageHtml(
  { code, severity, summary, detail, hint, address, place }: Diagnostic,
  mask: (text: string) => string,
): Html {
  const where = [...(place ? [whereText(place)] : []), ...(address === undefined ? [] : [address])].join(", ");
  return html`<article class="card message ${severity}">
    <h3>${TITLES[severity]}: ${mask(summary)} <code>${code}</code></h3>
    ${where === "" ? "" : html`<p class="where"><code>${mask(where)}</code></p>`}
    <p>${mask(detail)}</p>
    ${hint === undefined ? "" : html`<pre>${mask(hint)}</pre>`}
  </article> `;
}
