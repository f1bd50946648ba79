import { OUTCOMES, type ReportedOutcome, type ReportedPerson } from "../../core/plan/person-report.ts";
import {
  NO_PART,
  OUTCOME_NAMES,
  REPORT_TITLE,
  type ReportContext,
  type ReportFormat,
  asOfText,
  askedText,
  minuteText,
  peopleGroups,
  reportSentences,
  writeText,
} from "../content/unsubscription-report.ts";
import { type Entry, type Tone, filterHtml, groupHtml, hintText } from "./entry-html.ts";
import { html, ownText } from "./html-text.ts";
import { pageText } from "./page.ts";

/** The most people of a group. A browser shows that many at once, and the CSV has all. */
const MOST_PEOPLE = 3000;

const SIGNS: { readonly [outcome in ReportedOutcome]: readonly [symbol: string, tone: Tone] } = {
  unconfirmed: ["?", "chg"],
  not_found: ["–", "off"],
  waiting: ["…", "imp"],
  accepted: ["✓", "off"],
  assumed: ["✓", "off"],
  done: ["✓", "add"],
};

/** The report as one page: each person with a filter, those first that need attention. */
export const unsubscriptionsHtml: ReportFormat = {
  part: (shown, { mask }) => {
    const { counts } = shown.report;
    const groups = peopleGroups(shown.report).map(({ outcome, title, people }) => {
      const entries = people.slice(0, MOST_PEOPLE).map((person) => entryOf(person, SIGNS[outcome], mask));
      const more = people.length - entries.length;
      const rest =
        more === 0
          ? ""
          : html`<p class="where">… and ${more} more, not shown here. The CSV has all of them: --format csv.</p>`;
      return html`${groupHtml({ kind: outcome, title, count: people.length, entries, isQuiet: false })}${rest}`;
    });
    return html`${reportSentences(shown).map((sentence) => html`<p class="verdict">${sentence}</p>`)}
      <ul class="counts">
        ${OUTCOMES.toReversed()
          .filter((outcome) => counts[outcome] > 0)
          .map(
            (outcome) =>
              html`<li class="${SIGNS[outcome][1]}"><b>${counts[outcome]}</b> ${OUTCOME_NAMES[outcome]}</li>`,
          )}
      </ul>
      ${groups}`.html;
  },
  document: (parts, context) => {
    const head = html`<p class="verdict">${asOfText(context)}</p>
      ${filterHtml([], "address, reason, campaign, outcome …")}`;
    const sections = parts.map(({ team, text }) => ({
      title: team === null ? "People" : `Team ${team}`,
      content: text === "" ? html`<p class="verdict refused">${NO_PART}</p>` : ownText(text),
    }));
    return pageText({
      title: REPORT_TITLE,
      kicker: "outreach",
      name: REPORT_TITLE,
      head,
      sections,
      version: context.version,
    });
  },
};

function entryOf(
  person: ReportedPerson,
  [symbol, tone]: (typeof SIGNS)[ReportedOutcome],
  mask: ReportContext["mask"],
): Entry {
  const { reason, source, isDeclared, firstSentAtMs, writes } = person;
  const values = [
    ["asked", mask(askedText(person))],
    ...(reason === null ? [] : [["reason", mask(reason)] as const]),
    ...(source === null ? [] : [["source", mask(source)] as const]),
    ["declared", isDeclared ? "yes" : "no"],
    ["first sent", firstSentAtMs === null ? "never" : minuteText(firstSentAtMs)],
    ...writes.map((write) => [mask(write.place), writeText(write)] as const),
  ] as const;
  const tally = OUTCOMES.toReversed().flatMap((outcome) => {
    const count = writes.filter((write) => write.outcome === outcome).length;
    return count === 0 ? [] : [`${String(count)} ${OUTCOME_NAMES[outcome]}`];
  });
  return {
    symbol,
    tone,
    name: mask(person.person),
    hint: hintText([...(reason === null ? [] : [mask(reason)]), tally.join(", ")]),
    remarks: [],
    values: values.map(([name, value]) => ({ name, values: [value], forces: false, note: null })),
  };
}
