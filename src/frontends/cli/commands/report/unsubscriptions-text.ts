import {
  NO_PART,
  REPORT_TITLE,
  type ReportFormat,
  asOfText,
  askedText,
  minuteText,
  peopleGroups,
  reportSentences,
  writeText,
} from "./unsubscription-report.ts";
import { indented } from "../../../../output/text/drift-text.ts";
import { tableText } from "../../../../output/text/table.ts";

const COLUMNS = ["person", "asked", "reason", "source", "declared", "first sent", "campaigns"];

/** The report for people: a summary, then a table for each outcome, those first that need attention. */
export const unsubscriptionsText: ReportFormat = {
  part: (shown, { mask }) => {
    const groups = peopleGroups(shown.report).map(({ title, people }) => {
      const rows = people.map((person) => ({
        person: mask(person.person),
        asked: mask(askedText(person)),
        reason: person.reason === null ? null : mask(person.reason),
        source: person.source === null ? null : mask(person.source),
        declared: person.isDeclared ? "yes" : "no",
        "first sent": person.firstSentAtMs === null ? "never" : minuteText(person.firstSentAtMs),
        campaigns: person.writes.map((write) => `${mask(write.place)}: ${writeText(write)}`).join("; "),
      }));
      return `${String(people.length)} ${title}:\n\n${indented(tableText(COLUMNS, rows))}`;
    });
    return [
      reportSentences(shown)
        .map((sentence) => `${sentence}\n`)
        .join(""),
      ...groups,
    ].join("\n");
  },
  document: (parts, context) =>
    parts
      .map(
        ({ team, text }) =>
          `${REPORT_TITLE}${team === null ? "" : ` of the team ${team}`}. ${asOfText(context)}\n\n${text || `${NO_PART}\n`}`,
      )
      .join("\n"),
};
