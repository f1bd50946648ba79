import { hiddenOutput, wholeText } from "../content/value-text.ts";
import { blockOf, parseAddress } from "../../core/model/address.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import {
  type DescribedObject,
  describeInstance,
  fewInstances,
  lostPlaces,
  undecidedPlaces,
  EMPTY_STATE,
} from "../content/describe-state.ts";
import type { ShownState } from "../content/output-format.ts";
import { type TextContext, widthOf } from "./plan-text.ts";
import { visible } from "../../core/model/visible.ts";
import type { OutputValue } from "../../core/model/declaration.ts";

/** A state for people: objects with their attributes, undecided outcomes, lost creates, outputs. */
export function stateText({ instances, outputs, lostCreates, pending }: ShownState, context: TextContext): string {
  const undecided = undecidedPlaces(pending).map((place) => `  ${place}\n`);
  const lost = lostPlaces(lostCreates).map(({ place, since }) => `  ${place}, ${since}\n`);
  const sections = [
    ...instancesTexts(instances, context),
    ...(undecided.length === 0
      ? []
      : [`Undecided outcomes; run outreach plan to see the ways out:\n${undecided.join("")}`]),
    ...(lost.length === 0
      ? []
      : [`Lost creates and missing objects. A plan reports any that appears later:\n${lost.join("")}`]),
    ...(outputs.length === 0 ? [] : [`Outputs:\n\n${outputsText(outputs)}`]),
  ];
  return sections.length === 0 ? `${EMPTY_STATE}\n` : sections.join("\n");
}

function instancesTexts(instances: readonly RecordedInstance[], context: TextContext): readonly string[] {
  return fewInstances(instances, context.catalog).flatMap((few) => {
    if ("like" in few)
      return [`${context.paint("bold", `# ${visible(blockOf(few.like.address))}: … and ${String(few.more)} more`)}\n`];
    return describeInstance(few.item, context).map((object) => objectText(few.item, object, context));
  });
}

function objectText(
  instance: RecordedInstance,
  { address, deposed, values }: DescribedObject,
  { paint }: TextContext,
): string {
  const width = widthOf(values.map(({ name }) => name));
  const lines = values.map(({ name, value }) => `    ${name.padEnd(width)} = ${value}`);
  const name = visible(parseAddress(instance.address).value?.name ?? instance.address);
  const title = `# ${address}${deposed === null ? "" : ` (deposed object ${deposed})`}:`;
  return [paint("bold", title), `resource "${instance.type}" "${name}" {`, ...lines, "}", ""].join("\n");
}

/** Output values, one `name = value` each; sensitive ones hidden. */
export function outputsText(outputs: readonly OutputValue[]): string {
  return outputs
    .map(({ name, value, sensitive }) => `${visible(name)} = ${sensitive ? hiddenOutput(value) : wholeText(value)}\n`)
    .join("");
}
