import { blockOf } from "../../core/model/address.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import type { Drift, OutputChange, Plan, Step } from "../../core/plan/plan.ts";
import { costText } from "../content/cost-text.ts";
import {
  describeOutput,
  type DescribeContext,
  type DescribedAttribute,
  describeDrift,
  describeStep,
  isKnown,
  remarksOf,
  titleOf,
} from "../content/describe-step.ts";
import { stepGroups } from "../content/step-groups.ts";
import type { FormatContext, PlanMode, ReportRun, ShownPlan } from "../content/output-format.ts";
import { checksText, conclusionText, refusedText } from "../content/summary-text.ts";
import { diagnosticsMarkdown, MOST_MARKDOWN, type Row, type Section, fitted } from "./fit.ts";
import { codeSpan, words } from "./escape.ts";
import { markerLine } from "./report-marker.ts";
import { scopeParts, scopeWords } from "./scope-markdown.ts";

const MOST_MESSAGES = 15_000;

const HEADINGS: { readonly [mode in PlanMode]: string } = {
  apply: "Plan",
  destroy: "Destroy plan",
  "refresh-only": "Refresh-only plan",
};
const STEP_HEAD = "| | Resource | Change |\n|---|---|---|\n";
const OUTPUT_HEAD = "| | Output | Value |\n|---|---|---|\n";
const BREAK = "<br>";

type MarkdownContext = Pick<FormatContext, "catalog" | "mask"> & Pick<DescribeContext, "names">;

/** A plan as the comment of a pull request: at most 60,000 characters. Its first line names the configuration, its stage and the kind of plan. */
export function planMarkdown(plan: Plan, shown: ShownPlan, context: MarkdownContext): string {
  const { mode, diagnostics } = shown;
  const { mask } = context;
  const refused = refusedText({ diagnostics });
  const head = [
    ...subjectLines(shown, mask),
    `**${conclusionText(plan, mode)}**${refused === null ? "" : `\n**${refused}**`}`,
    ...(plan.checks === undefined ? [] : [checksLine(plan.checks)]),
    ...(plan.consequence === undefined ? [] : [codeSpan(mask(plan.consequence))]),
    ...(plan.cost ? [costText(plan.cost)] : []),
    "",
  ].join("\n\n");
  return `${`${head}${planBody(plan, shown, { context, room: MOST_MARKDOWN - head.length })}`.trimEnd()}\n`;
}

/** The messages and the steps of a plan, in at most `room` characters. */
export function planBody(
  plan: Plan,
  { mode, diagnostics, planFile }: ShownPlan,
  { context, room }: { readonly context: MarkdownContext; readonly room: number },
): string {
  const { mask } = context;
  const messages = diagnosticsMarkdown(diagnostics, mask, Math.min(MOST_MESSAGES, Math.floor(room / 2)));
  const more = `Not everything fits here. To see the whole plan, run ${codeSpan(mask(`outreach show ${planFile === null ? "PLANFILE" : shellWord(planFile)}`))}.\n`;
  const { text, isWhole } = fitted(
    sectionsOf(plan, mode, { ...context, names: plan.names }),
    room - messages.length - more.length,
  );
  return `${messages}${text}${isWhole ? "" : more}`;
}

/** The marker, and the heading, which says the same to people. */
function subjectLines(
  { mode, configuration, stage, scope, run }: ShownPlan,
  mask: MarkdownContext["mask"],
): readonly string[] {
  const names = [configuration, ...(stage === null ? [] : [stage])].map(mask);
  return [
    markerLine("outreach-as-code", [...names, ...kindsOf({ mode, scope }, mask)], run),
    headingText({ mode, names, scope, run }, mask),
  ];
}

/** What tells plans of one configuration apart: plans of different kinds do not replace each other. */
export function kindsOf(
  { mode, scope }: Pick<ShownPlan, "mode" | "scope">,
  mask: MarkdownContext["mask"],
): readonly string[] {
  return [...(mode === "apply" ? [] : [mode]), ...scopeParts(scope, mask)];
}

interface Heading extends Pick<ShownPlan, "mode" | "scope"> {
  readonly names: readonly string[];
  readonly run: ReportRun | undefined;
}

export function headingText({ mode, names, scope, run }: Heading, mask: MarkdownContext["mask"]): string {
  const where = `${names.map(codeSpan).join(", ")}${scopeWords(scope, mask)}`;
  return `### ${HEADINGS[mode]} for ${where}${run?.commit ? ` at ${run.commit.slice(0, COMMIT_LENGTH)}` : ""}`;
}

const COMMIT_LENGTH = 12;
const MOST_NAMES = 1000;

/** The names of the checks that did not pass only where they are few. */
function checksLine(checks: NonNullable<Plan["checks"]>): string {
  const text = checksText(checks);
  return `Checks: ${words(text.length > MOST_NAMES ? text.replaceAll(/ \([^)]*\)/g, "") : text)}`;
}

function sectionsOf(plan: Plan, mode: PlanMode, context: MarkdownContext): readonly Section[] {
  const groups = stepGroups(plan, mode, context.catalog).map(({ kind, title, steps }): Section => {
    const rows = steps.map((few) => ("item" in few ? stepRow(few.item, context) : countRow(few, context)));
    return { title, head: STEP_HEAD, rows, isImportant: kind === "delete" || kind === "replace" };
  });
  const drift = plan.drift.map((one) => driftRow(one, context));
  const outputs = plan.outputs.map((one) => outputRow(one, context));
  return [
    ...groups,
    { title: "changed outside of outreach", head: STEP_HEAD, rows: drift, isImportant: false },
    {
      title: outputs.length === 1 ? "output to change" : "outputs to change",
      head: OUTPUT_HEAD,
      rows: outputs,
      isImportant: false,
    },
  ];
}

/** Without room only what forces a replace, and no values. */
function stepRow(step: Step, context: MarkdownContext): Row {
  const { mask } = context;
  const described = describeStep(step, context);
  const remarks = remarksOf(step, described).map((remark) => words(mask(remark)));
  const forcing = described.attributes
    .filter(({ forces }) => forces)
    .map(({ name, note }) => `${codeSpan(name)}${forcesText(note)}`);
  const attributes = described.attributes.filter(isKnown).map((one) => attributeText(one, mask));
  const line = (parts: readonly string[]): string => row(described.symbol, codeSpan(mask(step.address)), parts);
  return { full: line([...remarks, ...attributes]), short: line([...remarks, ...forcing]), count: 1 };
}

/** Further steps like one that is shown. */
function countRow({ like, more }: { readonly like: Step; readonly more: number }, context: MarkdownContext): Row {
  const title = titleOf(like, resourceOf(context.catalog, like.type));
  const where = codeSpan(context.mask(blockOf(like.address)));
  const line = row(describeStep(like, context).symbol, where, [`… and ${String(more)} more ${words(title)}`]);
  return { full: line, short: line, count: more };
}

function driftRow(drift: Drift, context: MarkdownContext): Row {
  const where = codeSpan(context.mask(drift.address));
  const symbol = drift.after === null ? "-" : "~";
  const said = drift.after === null ? ["deleted"] : [];
  const changes = describeDrift(drift, context).map((one) => attributeText(one, context.mask));
  return { full: row(symbol, where, [...said, ...changes]), short: row(symbol, where, said), count: 1 };
}

function outputRow(change: OutputChange, { mask }: MarkdownContext): Row {
  const { symbol, values } = describeOutput(change, mask);
  const name = codeSpan(mask(change.name));
  return { full: row(symbol, name, [arrow(values, mask)]), short: row(symbol, name, []), count: 1 };
}

function attributeText(
  { name, values, forces, note, comment }: DescribedAttribute,
  mask: MarkdownContext["mask"],
): string {
  const named = comment === null ? "" : ` (${codeSpan(mask(comment))})`;
  return `${codeSpan(name)}: ${arrow(values, mask)}${named}${forces ? forcesText(note) : ""}`;
}

function forcesText(note: string | null): string {
  return ` **forces replacement**${note === null ? "" : ` (${words(note)})`}`;
}

function arrow(values: readonly string[], mask: MarkdownContext["mask"]): string {
  return values.map((value) => codeSpan(mask(value))).join(" → ");
}

function row(symbol: string, where: string, parts: readonly string[]): string {
  return `| ${symbol === "" ? "" : codeSpan(symbol)} | ${where} | ${parts.join(BREAK)} |\n`;
}
