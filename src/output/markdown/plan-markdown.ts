import { blockOf } from "../../core/model/address.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import { type Drift, type OutputChange, type Plan, type Step, hasChanges } from "../../core/plan/plan.ts";
import { describeOutput } from "../changes/describe-output.ts";
import { type DescribedAttribute, describeDrift, describeStep, titleOf } from "../changes/describe-step.ts";
import { fewPersonal, shownSteps } from "../changes/shown-steps.ts";
import { KIND_TITLES, STEP_KINDS, type StepKind, kindOf } from "../changes/step-kind.ts";
import type { FormatContext, PlanMode, ShownPlan } from "../format.ts";
import type { FirstFew } from "../text/first-few.ts";
import { plain } from "../text/paint.ts";
import { OUTPUTS_ONLY, REFRESHES_ONLY, checksText, nothingText, refusedText, summaryText } from "../text/summary-text.ts";
import { diagnosticsMarkdown } from "./diagnostics-markdown.ts";
import { codeSpan, hiddenLine, words } from "./escape.ts";
import { MOST_MARKDOWN, type Row, type Section, fitted } from "./fit.ts";

const MOST_MESSAGES = 15_000;

const HEADINGS: { readonly [mode in PlanMode]: string } = { apply: "Plan", destroy: "Destroy plan", "refresh-only": "Refresh-only plan" };
const STEP_HEAD = "| | Resource | Change |\n|---|---|---|\n";
const BREAK = "<br>";

type MarkdownContext = Pick<FormatContext, "catalog" | "mask">;

/** A plan as the comment of a pull request: at most 60,000 characters. Its first line names the configuration. */
export function planMarkdown(plan: Plan, shown: ShownPlan, context: MarkdownContext): string {
  const { mode, diagnostics, planFile } = shown;
  const { mask } = context;
  const configuration = mask(shown.configuration);
  const refused = refusedText({ diagnostics });
  const head = [
    hiddenLine(`outreach-as-code: ${configuration}`),
    `### ${HEADINGS[mode]} for ${codeSpan(configuration)}`,
    `**${conclusion(plan, mode)}**${refused === null ? "" : `\n**${refused}**`}`,
    ...(plan.checks === undefined ? [] : [checksLine(plan.checks)]),
    "",
  ].join("\n\n");
  const messages = diagnosticsMarkdown(diagnostics, mask, MOST_MESSAGES);
  const more = `Not everything fits here. To see the whole plan, run ${codeSpan(mask(`outreach show ${planFile === null ? "PLANFILE" : shellWord(planFile)}`))}.\n`;
  const { text, isWhole } = fitted(sectionsOf(plan, mode, context), MOST_MARKDOWN - head.length - messages.length - more.length);
  return `${`${head}${messages}${text}${isWhole ? "" : more}`.trimEnd()}\n`;
}

/** The counts, or what a plan without steps does. */
function conclusion(plan: Plan, mode: PlanMode): string {
  if (!hasChanges(plan)) return nothingText(plan, mode, plain);
  if (mode === "refresh-only") return REFRESHES_ONLY;
  return plan.steps.every(({ action }) => action === "keep") ? OUTPUTS_ONLY : summaryText({ ...plan, diagnostics: [] }, plain);
}

const MOST_NAMES = 1000;

/** The names of the checks that did not pass only where they are few. */
function checksLine(checks: NonNullable<Plan["checks"]>): string {
  const text = checksText(checks);
  return `Checks: ${words(text.length > MOST_NAMES ? text.replaceAll(/ \([^)]*\)/g, "") : text)}`;
}

function sectionsOf(plan: Plan, mode: PlanMode, context: MarkdownContext): readonly Section[] {
  const steps = shownSteps(plan, mode);
  const sections = STEP_KINDS.map((kind): Section => {
    const own = steps.filter((step) => kindOf(step) === kind);
    const isImportant = kind === "delete" || kind === "replace";
    // These are never shortened to a count.
    const few = isImportant ? own.map((item): FirstFew<Step> => ({ item })) : fewPersonal(own, context.catalog);
    return { title: KIND_TITLES[kind], head: STEP_HEAD, rows: few.map((one) => stepRow(one, kind, context)), isImportant };
  });
  const drift = plan.drift.map((one) => driftRow(one, context));
  return [
    ...sections,
    { title: "changed outside of outreach", head: STEP_HEAD, rows: drift, isImportant: false },
    {
      title: plan.outputs.length === 1 ? "output to change" : "outputs to change",
      head: "| | Output | Value |\n|---|---|---|\n",
      rows: plan.outputs.map((one) => outputRow(one, context)),
      isImportant: false,
    },
  ];
}

function stepRow(few: FirstFew<Step>, kind: StepKind, context: MarkdownContext): Row {
  const { mask } = context;
  const step = "item" in few ? few.item : few.like;
  const { symbol, reasons, attributes } = describeStep(step, context);
  if (!("item" in few)) {
    const title = titleOf(step, resourceOf(context.catalog, step.type));
    const line = row(symbol, codeSpan(mask(blockOf(step.address))), [`… and ${String(few.more)} more ${words(title)}`]);
    return { full: line, short: line, count: few.more };
  }
  const deposed = "deposed" in step && step.deposed ? ` (deposed object ${codeSpan(mask(step.id))})` : "";
  const where = `${codeSpan(mask(step.address))}${deposed}`;
  const said = [
    ...(kind === "move" ? [`moved from ${codeSpan(mask(String(step.movedFrom)))}`] : []),
    ...(step.because.some(({ why }) => why === "drift") ? ["changed outside of outreach"] : []),
    ...reasons.map((reason) => words(mask(reason))),
  ];
  const forcing = attributes.filter(({ forces }) => forces).map(({ name, note }) => `${codeSpan(name)} **forces replacement**${noteText(note)}`);
  const shown = attributes.filter(({ values }) => values.at(-1) !== "(known after apply)").map((one) => attributeText(one, mask));
  return { full: row(symbol, where, [...said, ...shown]), short: row(symbol, where, [...said, ...forcing]), count: 1 };
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

function attributeText({ name, values, forces, note }: DescribedAttribute, mask: MarkdownContext["mask"]): string {
  return `${codeSpan(name)}: ${arrow(values, mask)}${forces ? ` **forces replacement**${noteText(note)}` : ""}`;
}

function noteText(note: string | null): string {
  return note === null ? "" : ` (${words(note)})`;
}

function arrow(values: readonly string[], mask: MarkdownContext["mask"]): string {
  return values.map((value) => codeSpan(mask(value))).join(" → ");
}

function row(symbol: string, where: string, parts: readonly string[]): string {
  return `| ${symbol === "" ? "" : codeSpan(symbol)} | ${where} | ${parts.join(BREAK)} |\n`;
}
