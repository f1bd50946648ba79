import type { Attributes } from "../../core/model/value.ts";
import type { DriftReport, DriftedObject, UnmanagedObject } from "../../core/plan/drift-report.ts";
import { describeDrift } from "../content/describe-step.ts";
import type { FormatContext } from "../content/output-format.ts";
import { diagnosticsMarkdown, MOST_MARKDOWN, type Row, type Section, fitted } from "./fit.ts";
import { codeSpan, words } from "./escape.ts";
import { hiddenText, valueText } from "../content/value-text.ts";
import { markerLine } from "./report-marker.ts";
import { scopeParts, scopeWords } from "./scope-markdown.ts";
import {
  type AdvicePart,
  DRIFT_CLASSES,
  DRIFT_MEANINGS,
  type DriftClass,
  type DriftFormat,
  calledIn,
  driftSummary,
  identifying,
  driftTitle,
  unobservableText,
} from "../content/drift-format.ts";

const MOST_MESSAGES = 15_000;
const MORE = "Not everything fits here. To see the whole report, run `outreach drift`.\n";
/** Never folded: somebody has to do something about them. */
const IMPORTANT: ReadonlySet<DriftClass> = new Set(["missing", "changed", "unchecked", "undecided"]);

type MarkdownContext = Pick<FormatContext, "catalog" | "mask">;

/** A drift report as the body of an issue: at most 60,000 characters. Its first line names the configuration and its stage. The same drift of the same commit gives the same text. */
export const driftReportMarkdown: DriftFormat = ({ name, stage, scope, commit, report, status, advice }, context) => {
  const { mask } = context;
  const names = [name, ...(stage === null ? [] : [stage])].map(mask);
  const found = DRIFT_CLASSES.filter((one) => report[one].length > 0);
  const head = [
    markerLine("outreach-as-code drift", [...names, ...scopeParts(scope, mask)]),
    `### Drift of ${names.map(codeSpan).join(", ")}${scopeWords(scope, mask)}${commit === null ? "" : ` at ${commit.slice(0, 12)}`}`,
    `**${driftSummary(report, status)}**`,
    ...(found.length === 0
      ? []
      : [
          found
            .map((one) => `- **${driftTitle(one)}**: ${DRIFT_MEANINGS[one]}. ${adviceMarkdown(advice[one], mask)}`)
            .join("\n"),
        ]),
    "",
  ].join("\n\n");
  const messages = diagnosticsMarkdown(report.diagnostics, mask, MOST_MESSAGES);
  const sections = found.map((one): Section => ({
    title: one,
    head: HEADS[one],
    rows: rowsOf(one, report, context),
    isImportant: IMPORTANT.has(one),
  }));
  const { text, isWhole } = fitted(sections, MOST_MARKDOWN - head.length - messages.length - MORE.length);
  return `${`${head}${messages}${text}${isWhole ? "" : MORE}`.trimEnd()}\n`;
};

function adviceMarkdown(parts: readonly AdvicePart[], mask: MarkdownContext["mask"]): string {
  return parts.map((part) => (typeof part === "string" ? part : codeSpan(mask(part.command)))).join("");
}

const HEADS: { readonly [name in DriftClass]: string } = {
  missing: tableHead("Resource", "Id", "Recorded"),
  changed: tableHead("Resource", "Id", "Change"),
  unmanaged: tableHead("Id", "Live"),
  unchecked: tableHead("Resource", "Id"),
  undecided: tableHead("Resource"),
  unobservable: tableHead("Value"),
};

function rowsOf(name: DriftClass, report: DriftReport, context: MarkdownContext): readonly Row[] {
  const { catalog, mask } = context;
  switch (name) {
    case "missing":
      return report.missing.map((one) => row([one.address, one.id], missingCell(one, report, context), mask));
    case "changed":
      return report.changed.map((one) => row([one.address, one.id], changedCell(one, report, context), mask));
    case "unmanaged":
      return report.unmanaged.map((one) => row([one.object.id], unmanagedCell(one, report, context), mask));
    case "unchecked":
      return report.unchecked.map(({ address, id }) => row([address, id], null, mask));
    case "undecided":
      return report.undecided.map(({ address, type }) => row([address ?? type], null, mask));
    case "unobservable":
      return report.unobservable.map((one) => {
        const line = `| ${words(unobservableText(one, catalog))} |\n`;
        return { full: line, short: line, count: 1 };
      });
  }
}

function missingCell(
  { type, before, masked }: DriftedObject,
  report: DriftReport,
  { catalog, mask }: MarkdownContext,
): string {
  return valuesCell(identifying({ type, before }, catalog), before, { masked, mask, report });
}

function changedCell(drifted: DriftedObject, { names }: DriftReport, context: MarkdownContext): string {
  const changes = describeDrift(drifted, { ...context, names });
  const named = (comment: string | null): string => (comment === null ? "" : ` (${codeSpan(context.mask(comment))})`);
  return changes
    .map(
      ({ name, values, comment }) =>
        `${codeSpan(name)}: ${values.map((value) => codeSpan(context.mask(value))).join(" → ")}${named(comment)}`,
    )
    .join(BREAK);
}

function unmanagedCell(
  { object: { attributes }, type }: UnmanagedObject,
  report: DriftReport,
  { catalog, mask }: MarkdownContext,
): string {
  return valuesCell(identifying({ type, before: attributes }, catalog), attributes, { masked: [], mask, report });
}

const BREAK = "<br>";

interface Hidden {
  readonly masked: readonly string[];
  readonly mask: MarkdownContext["mask"];
  readonly report: DriftReport;
}

function valuesCell(names: readonly string[], attributes: Attributes, { masked, mask, report }: Hidden): string {
  const called = (name: string): string => {
    const text = masked.includes(name) ? null : calledIn(report, attributes[name], mask);
    return text === null ? "" : ` (${codeSpan(text)})`;
  };
  const shown = (name: string): string =>
    masked.includes(name) ? hiddenText(attributes[name] ?? null) : mask(valueText(attributes[name] ?? null, mask));
  return names.map((name) => `${codeSpan(name)}: ${codeSpan(shown(name))}${called(name)}`).join(BREAK);
}

/** The short form leaves the last cell empty. */
function row(cells: readonly (string | null)[], last: string | null, mask: MarkdownContext["mask"]): Row {
  const first = cells.map((cell) => (cell === null ? "" : codeSpan(mask(cell))));
  const line = (rest: readonly string[]): string => `| ${[...first, ...rest].join(" | ")} |\n`;
  return { full: line(last === null ? [] : [last]), short: line(last === null ? [] : [""]), count: 1 };
}

function tableHead(...titles: readonly string[]): string {
  return `| ${titles.join(" | ")} |\n|${"---|".repeat(titles.length)}\n`;
}
