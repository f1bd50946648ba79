import type { ReportedPerson } from "../../core/plan/person-report.ts";
import {
  NO_PART,
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
import { codeSpan, words } from "./escape.ts";
import { MOST_MARKDOWN, type Row, fitted } from "./fit.ts";

const COLUMNS = ["Person", "Asked", "Reason", "Source", "Declared", "First sent", "Campaigns"];
const HEAD = `| ${COLUMNS.join(" | ")} |\n|${"---|".repeat(COLUMNS.length)}\n`;
/** Room for the heading and the time, which `document` adds. */
const HEADING_ROOM = 300;
const MORE = "Not everything fits here. For all of it, run `outreach report unsubscriptions --format csv`.\n";

/** The report as tables: at most 60,000 characters for each state, those people first that need attention. */
export const unsubscriptionsMarkdown: ReportFormat = {
  part: (shown, { mask }) => {
    const head = `${reportSentences(shown).join("\n\n")}\n\n`;
    const sections = peopleGroups(shown.report).map(({ title, people, outcome }) => ({
      title,
      head: HEAD,
      rows: people.map((person) => rowOf(person, mask)),
      isImportant: outcome === "unconfirmed" || outcome === "not_found",
    }));
    const { text, isWhole } = fitted(sections, MOST_MARKDOWN - HEADING_ROOM - head.length - MORE.length);
    return `${`${head}${text}${isWhole ? "" : MORE}`.trimEnd()}\n`;
  },
  document: (parts, context) =>
    parts
      .map(
        ({ team, text }) =>
          `### ${REPORT_TITLE}${team === null ? "" : ` of the team ${codeSpan(team)}`}\n\n${asOfText(context)}\n\n${text || `${NO_PART}\n`}`,
      )
      .join("\n"),
};

/** The short form leaves the campaigns out. */
function rowOf(person: ReportedPerson, mask: ReportContext["mask"]): Row {
  const { requestedAt, reason, source, isDeclared, firstSentAtMs, writes } = person;
  const first = [
    codeSpan(mask(person.person)),
    requestedAt === null ? askedText(person) : words(mask(requestedAt)),
    ...[reason, source].map((text) => (text === null ? "" : words(mask(text)))),
    isDeclared ? "yes" : "no",
    firstSentAtMs === null ? "never" : minuteText(firstSentAtMs),
  ];
  const campaigns = writes.map((write) => `${codeSpan(mask(write.place))}: ${writeText(write)}`).join("<br>");
  const line = (last: string): string => `| ${[...first, last].join(" | ")} |\n`;
  return { full: line(campaigns), short: line(""), count: 1 };
}
