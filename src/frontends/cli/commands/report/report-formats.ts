import { isoTime } from "../../../../core/model/iso-time.ts";
import { type JsonObject, jsonText } from "../../../../output/json/escaped-json.ts";
import { indented } from "../../../../output/text/drift-text.ts";
import { tableText } from "../../../../output/text/table.ts";
import { OUTCOMES, type ReportedPerson, type ReportedWrite } from "./person-report.ts";
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

const TEXT_COLUMNS = ["person", "asked", "reason", "source", "declared", "first sent", "campaigns"];

/** The report for people: a summary, then a table for each outcome, those first that need attention. */
const unsubscriptionsText: ReportFormat = {
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
      return `${String(people.length)} ${title}:\n\n${indented(tableText(TEXT_COLUMNS, rows))}`;
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

const CSV_COLUMNS = [
  "team",
  "email",
  "asked",
  "asked_from",
  "reason",
  "source",
  "declared",
  "campaign_id",
  "outcome",
  "first_sent",
  "last_sent",
  "done",
  "waiting_since",
];

/** RFC 4180: one row for each address and campaign. Times are ISO 8601, in UTC; what is not known is empty. */
const unsubscriptionsCsv: ReportFormat = {
  part: ({ team, report }, { mask }) =>
    report.people
      .flatMap(({ person, requestedAt, recordedAtMs, reason, source, writes }) => {
        const asked = [requestedAt ?? timeOf(recordedAtMs) ?? "", requestedAt === null ? "record" : "list"];
        const start = [team ?? "", person, ...asked, reason ?? "", source ?? ""].map((text) => mask(text));
        return writes.map(({ place, outcome, isDeclared, firstSentAtMs, lastSentAtMs, doneAtMs, waitingSinceMs }) =>
          rowText([
            ...start,
            isDeclared ? "yes" : "no",
            mask(place),
            outcome,
            ...[firstSentAtMs, lastSentAtMs, doneAtMs, waitingSinceMs].map((epochMs) => timeOf(epochMs) ?? ""),
          ]),
        );
      })
      .join(""),
  document: (parts) => rowText(CSV_COLUMNS) + parts.map(({ text }) => text).join(""),
};

function rowText(cells: readonly string[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/** A spreadsheet would calculate what begins so, at the start of a cell or behind what separates cells somewhere; an apostrophe makes it a text. */
const FORMULA = /(?:^(?=[\t\r])|(^|[,;|\t\r\n])(?=[\s"]*[=+\-@＝＋－＠]))/g;

function cellText(text: string): string {
  const safe = text.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The version of the object. It grows by 0.1 with every new member, and to 2.0 if a member changes its meaning. */
const REPORT_FORMAT_VERSION = "1.0";

/** The report for programs: one object. */
const unsubscriptionsJson: ReportFormat = {
  part: ({ report: { people, counts, requestToDone }, undecided }, { nowMs, version }) => {
    const document: JsonObject = {
      format_version: REPORT_FORMAT_VERSION,
      outreach_version: version,
      as_of: isoTime(nowMs),
      counts: {
        people: people.length,
        ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts[outcome]])),
        undecided,
      },
      request_to_done: {
        unit: "seconds",
        count: requestToDone.count,
        from_list: requestToDone.fromList,
        median: secondsOf(requestToDone.medianMs),
        longest: secondsOf(requestToDone.longestMs),
      },
      people: people.map(personJson),
    };
    return `${jsonText(document, { indented: true })}\n`;
  },
  document: (parts) => parts.map(({ text }) => text).join(""),
};

function personJson({
  person,
  requestedAt,
  recordedAtMs,
  reason,
  source,
  isDeclared,
  firstSentAtMs,
  writes,
}: ReportedPerson): JsonObject {
  return {
    email: person,
    asked: requestedAt ?? timeOf(recordedAtMs),
    asked_from: requestedAt === null ? "record" : "list",
    reason,
    source,
    declared: isDeclared,
    first_sent: timeOf(firstSentAtMs),
    campaigns: writes.map(writeJson),
  };
}

function writeJson({
  place,
  outcome,
  isDeclared,
  firstSentAtMs,
  lastSentAtMs,
  doneAtMs,
  waitingSinceMs,
}: ReportedWrite): JsonObject {
  return {
    campaign_id: place,
    outcome,
    declared: isDeclared,
    first_sent: timeOf(firstSentAtMs),
    last_sent: timeOf(lastSentAtMs),
    done: timeOf(doneAtMs),
    waiting_since: timeOf(waitingSinceMs),
  };
}

function timeOf(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 1000);
}

/** As `--format` names them. */
export const REPORT_FORMATS = {
  text: unsubscriptionsText,
  csv: unsubscriptionsCsv,
  json: unsubscriptionsJson,
} satisfies { readonly [name: string]: ReportFormat };

export type ReportFormatName = keyof typeof REPORT_FORMATS;
