import { blockOf, parseAddress } from "../../core/model/address.ts";
import { resourceOf } from "../../core/model/definition.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import { isoTime } from "../../core/model/time.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { LostCreate } from "../../core/state/document.ts";
import { pendingIntents } from "../../core/state/journal-event.ts";
import type { ShownState } from "../format.ts";
import { outputsText } from "./outputs-text.ts";
import { firstFew } from "./first-few.ts";
import { type TextContext, isPersonal, widthOf } from "./step-text.ts";
import { hiddenText, valueText } from "./value-text.ts";
import { visible } from "./visible.ts";

/** A state for people: objects with their attributes, undecided outcomes, lost creates, outputs. */
export function stateText({ instances, outputs, lostCreates, pending }: ShownState, context: TextContext): string {
  const undecided = pendingIntents(pending).map(({ intent }) => `  ${visible(intent.address ?? intent.type)}\n`);
  const sections = [
    ...instancesTexts(instances, context),
    ...(undecided.length === 0 ? [] : [`Undecided outcomes; run outreach plan to see the ways out:\n${undecided.join("")}`]),
    ...(lostCreates.length === 0 ? [] : [lostCreatesText(lostCreates)]),
    ...(outputs.length === 0 ? [] : [`Outputs:\n\n${outputsText(outputs)}`]),
  ];
  return sections.length === 0 ? "The state is empty: nothing is managed yet.\n" : sections.join("\n");
}

/** Long lists of lead data are shortened to the first few and a count. */
function instancesTexts(instances: readonly RecordedInstance[], context: TextContext): readonly string[] {
  return firstFew(instances, ({ address, type }) => (isPersonal(type, context) ? blockOf(address) : null)).flatMap((few) => {
    if ("like" in few) return [`${context.paint("bold", `# ${blockOf(few.like.address)}: … and ${String(few.more)} more`)}\n`];
    const { item } = few;
    return [
      objectText(item, `${visible(item.address)}:`, item.attributes, context),
      ...(item.deposed ?? []).map(({ id, attributes }) => objectText(item, `${visible(item.address)} (deposed object ${id}):`, attributes, context)),
    ];
  });
}

function objectText({ address, type, masked = [] }: RecordedInstance, title: string, attributes: Attributes, { catalog, paint }: TextContext): string {
  const { schema } = resourceOf(catalog, type);
  const names = Object.keys(schema).filter((name) => (attributes[name] ?? null) !== null);
  const width = widthOf(names);
  const lines = names.map((name) => {
    const value = attributes[name] ?? null;
    const hidden = schema[name]?.sensitive === true || masked.includes(name);
    return `    ${name.padEnd(width)} = ${hidden ? hiddenText(value) : valueText(value)}`;
  });
  const name = parseAddress(address).value?.name ?? address;
  return [paint("bold", `# ${title}`), `resource "${type}" "${name}" {`, ...lines, "}", ""].join("\n");
}

function lostCreatesText(lostCreates: readonly LostCreate[]): string {
  const lines = lostCreates.map(
    ({ type, address, id, sentAtMs }) => `  ${visible(address ?? type)}, ${id === undefined ? "sent" : `${visible(id)}, missing since`} ${isoTime(sentAtMs)}\n`,
  );
  return `Lost creates and missing objects. A plan reports any that appears later:\n${lines.join("")}`;
}
