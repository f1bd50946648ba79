import { blockOf } from "../../core/model/address.ts";
import {
  type DescribedObject,
  describeInstance,
  fewInstances,
  lostPlaces,
  undecidedPlaces,
  EMPTY_STATE,
} from "../content/describe-state.ts";
import type { FormatContext, ShownState } from "../content/output-format.ts";
import { hiddenOutput, valueText } from "../content/value-text.ts";
import { codeSpan } from "./escape.ts";
import { MOST_MARKDOWN, type Row, type Section, fitted } from "./fit.ts";

type MarkdownContext = Pick<FormatContext, "catalog" | "mask">;

const MORE = "Not everything fits here. To see the whole state, run `outreach show`.\n";

/** A state with at most 60,000 characters. */
export function stateMarkdown(state: ShownState, context: MarkdownContext): string {
  const { text, isWhole } = fitted(sectionsOf(state, context), MOST_MARKDOWN - MORE.length - EMPTY_STATE.length);
  return `${`### State\n\n${text === "" ? EMPTY_STATE : text}${isWhole ? "" : MORE}`.trimEnd()}\n`;
}

function sectionsOf(
  { instances, outputs, lostCreates, pending }: ShownState,
  context: MarkdownContext,
): readonly Section[] {
  const { mask } = context;
  const objects = fewInstances(instances, context.catalog).flatMap((few) => {
    if ("item" in few) return describeInstance(few.item, context).map((object) => objectRow(object, mask));
    const line = row([codeSpan(mask(blockOf(few.like.address))), `… and ${String(few.more)} more`]);
    return [{ full: line, short: line, count: few.more }];
  });
  const undecided = undecidedPlaces(pending).map((place) => whole(row([codeSpan(mask(place))])));
  const lost = lostPlaces(lostCreates).map(({ place, since }) =>
    whole(row([codeSpan(mask(place)), codeSpan(mask(since))])),
  );
  const values = outputs.map(({ name, value, sensitive }) => {
    const shown = sensitive ? hiddenOutput(value) : mask(valueText(value, mask));
    return whole(row([codeSpan(mask(name)), codeSpan(shown)]));
  });
  return [
    {
      title: "undecided: run outreach plan to see the ways out",
      head: head("Resource"),
      rows: undecided,
      isImportant: true,
    },
    {
      title: objects.length === 1 ? "object" : "objects",
      head: head("Resource", "Attributes"),
      rows: objects,
      isImportant: false,
    },
    { title: "lost creates and missing objects", head: head("Resource", "Since"), rows: lost, isImportant: false },
    {
      title: values.length === 1 ? "output" : "outputs",
      head: head("Output", "Value"),
      rows: values,
      isImportant: false,
    },
  ];
}

function objectRow({ address, deposed, values }: DescribedObject, mask: MarkdownContext["mask"]): Row {
  const where = `${codeSpan(mask(address))}${deposed === null ? "" : ` (deposed object ${codeSpan(mask(deposed))})`}`;
  const shown = values.map(({ name, value }) => `${codeSpan(name)}: ${codeSpan(mask(value))}`);
  return { full: row([where, shown.join("<br>")]), short: row([where, ""]), count: 1 };
}

function whole(line: string): Row {
  return { full: line, short: line, count: 1 };
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function head(...titles: readonly string[]): string {
  return `${row(titles)}|${"---|".repeat(titles.length)}\n`;
}
