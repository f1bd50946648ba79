import { resourceOf } from "../../core/model/definition.ts";
import type { Value } from "../../core/model/value.ts";
import type { DriftReport, DriftedObject } from "../../core/plan/drift-report.ts";
import { driftText, widthOf } from "./plan-text.ts";
import { tableText } from "./table.ts";
import { hiddenText, valueText } from "../content/value-text.ts";
import { visible } from "../../core/model/visible.ts";
import { padded } from "../content/width.ts";
import {
  DRIFT_CLASSES,
  DRIFT_MEANINGS,
  type DriftClass,
  type DriftFormat,
  adviceText,
  calledIn,
  driftTitle,
  driftSummary,
  unobservableText,
  identifying,
} from "../content/drift-format.ts";

/** A drift report for people: a summary, then each class with its findings and what to do. */
export const driftReportText: DriftFormat = ({ report, status, advice }, { catalog, paint }) => {
  const colour = status === "none" ? "green" : status === "drift" ? "yellow" : "red";
  const sections = DRIFT_CLASSES.filter((name) => report[name].length > 0).map((name) => {
    const body = bodyOf(name, report, { catalog, paint });
    return `${paint("bold", `${driftTitle(name)}:`)} ${DRIFT_MEANINGS[name]}\n\n${body}\n  ${adviceText(advice[name])}\n`;
  });
  return [`${paint(colour, driftSummary(report, status))}\n`, ...sections].join("\n");
};

type Shown = Parameters<typeof driftText>[1];

function bodyOf(name: DriftClass, report: DriftReport, shown: Shown): string {
  switch (name) {
    case "missing":
      return report.missing.map((one) => missingText(one, report, shown)).join("");
    case "changed":
      return report.changed.map((one) => driftText(one, { ...shown, names: report.names })).join("");
    case "unmanaged":
      return indented(unmanagedTable(report, shown));
    case "unobservable":
      return report.unobservable.map((one) => `  ${unobservableText(one, shown.catalog)}\n`).join("");
    case "unchecked":
      return report.unchecked
        .map(({ address, id }) => `  ${visible(address)}${id === null ? "" : ` (${id})`}\n`)
        .join("");
    case "undecided":
      return report.undecided.map(({ address, type }) => `  ${visible(address ?? type)}\n`).join("");
  }
}

/** A missing object with what identified it. */
function missingText(
  { address, type, id, before, masked }: DriftedObject,
  report: DriftReport,
  { catalog, paint }: Shown,
): string {
  const names = identifying({ before, type }, catalog);
  const width = widthOf(names);
  const lines = names.map((name) => {
    const value = before[name] ?? null;
    if (masked.includes(name)) return `        ${padded(name, width)} = ${hiddenText(value)}\n`;
    const called = calledIn(report, value);
    return `        ${padded(name, width)} = ${valueText(value)}${called === null ? "" : paint("dim", ` # ${called}`)}\n`;
  });
  return `  ${paint("red", "-")} ${visible(address)}${id === null ? "" : ` (${id})`}\n${lines.join("")}`;
}

/** What the lists show of the unmanaged objects; what they do not show is empty. */
function unmanagedTable(report: DriftReport, { catalog }: Shown): string {
  const { unmanaged } = report;
  const shown = new Set(unmanaged.flatMap(({ object: { attributes } }) => Object.keys(attributes)));
  const known = unmanaged.flatMap(({ type }) => Object.keys(resourceOf(catalog, type).schema));
  const columns = ["id", ...[...new Set(known)].filter((name) => name !== "id" && shown.has(name))];
  return tableText(
    columns,
    unmanaged.map(({ object: { id, attributes } }) =>
      Object.fromEntries(
        Object.entries({ ...attributes, id }).map(([name, value]) => [
          name,
          cellValue(value, name === "id" ? null : calledIn(report, value)),
        ]),
      ),
    ),
  );
}

/** Longer texts would make every row of the table as long. */
const LONGEST_CELL = 100;

function cellValue(value: Value, called: string | null): Value {
  if (typeof value !== "string") return value;
  const text = value.length > LONGEST_CELL ? `${value.slice(0, LONGEST_CELL)}…` : value;
  return called === null ? text : `${text} (${called})`;
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
