import { blockOf } from "../../core/model/address.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { describeInstance, fewInstances, lostPlaces, undecidedPlaces, EMPTY_STATE } from "../content/describe-state.ts";
import type { FormatContext, ShownState } from "../content/output-format.ts";
import { hiddenOutput, valueText } from "../content/value-text.ts";
import { type Entry, type EntryGroup, entrySections, hintText } from "./entry-html.ts";
import { html } from "./html-text.ts";
import { type PageSection, pageText } from "./page.ts";

type HtmlContext = Pick<FormatContext, "catalog" | "mask" | "version">;

/** A state as one page: each recorded object, what is undecided or lost, and outputs. */
export function stateHtml(state: ShownState, context: HtmlContext): string {
  const { instances, outputs, lostCreates, pending } = state;
  const { mask } = context;
  const groups = groupsOf(instances, context);
  const undecided = undecidedPlaces(pending).map((place) => [mask(place)]);
  const lost = lostPlaces(lostCreates).map(({ place, since }) => [mask(place), mask(since)]);
  const values = outputs.map(({ name, value, sensitive }) => [
    mask(name),
    sensitive ? hiddenOutput(value) : mask(valueText(value, mask)),
  ]);
  const isEmpty = groups.length + undecided.length + lost.length + values.length === 0;
  const head = html`${isEmpty ? html`<p class="verdict">${EMPTY_STATE}</p>` : ""}
    <ul class="counts">
      ${groups.map(({ title, count }) => html`<li class="off"><b>${count}</b> ${title}</li>`)}
    </ul>`;
  const sections = [
    ...tableSections("Undecided outcomes; run outreach plan to see the ways out", undecided),
    ...entrySections("Objects", groups),
    ...tableSections("Lost creates and missing objects", lost),
    ...tableSections("Outputs", values),
  ];
  return pageText({ title: "State", kicker: "outreach", name: "State", head, sections, version: context.version });
}

/** A group for each type, in the order of the catalog. */
function groupsOf(instances: ShownState["instances"], context: HtmlContext): readonly EntryGroup[] {
  return context.catalog.resources.flatMap(({ type, noun, plural }) => {
    const own = instances.filter((instance) => instance.type === type);
    if (own.length === 0) return [];
    const entries = fewInstances(own, context.catalog).flatMap((few): readonly Entry[] => {
      if ("item" in few) return entriesOf(few.item, context);
      return [
        {
          symbol: "",
          tone: "off",
          name: `${blockOf(few.like.address)}: … and ${String(few.more)} more`,
          hint: "",
          remarks: [],
          values: [],
        },
      ];
    });
    return [{ title: own.length === 1 ? noun : plural, count: own.length, entries, isQuiet: true }];
  });
}

function entriesOf(instance: ShownState["instances"][number], context: HtmlContext): readonly Entry[] {
  const { mask } = context;
  const { identity } = resourceOf(context.catalog, instance.type);
  return describeInstance(instance, context).map(({ address, deposed, values }) => ({
    symbol: "",
    tone: "off",
    name: mask(address),
    hint: hintText(
      identity.flatMap((name) => values.filter((one) => one.name === name).map(({ value }) => mask(value))),
    ),
    remarks: deposed === null ? [] : [`deposed object ${mask(deposed)}: left over`],
    values: values.map(({ name, value }) => ({ name, values: [mask(value)], forces: false, note: null })),
  }));
}

function tableSections(title: string, rows: readonly (readonly string[])[]): readonly PageSection[] {
  if (rows.length === 0) return [];
  const lines = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell) => html`<td><code>${cell}</code></td>`)}
      </tr>`,
  );
  return [
    {
      title,
      content: html`<div class="card scroll">
        <table class="values">
          <tbody>
            ${lines}
          </tbody>
        </table>
      </div>`,
    },
  ];
}
