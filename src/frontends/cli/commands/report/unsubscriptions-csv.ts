import { isoTime } from "../../../../core/model/iso-time.ts";
import type { ReportFormat } from "./unsubscription-report.ts";

const COLUMNS = [
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
export const unsubscriptionsCsv: ReportFormat = {
  part: ({ team, report }, { mask }) =>
    report.people
      .flatMap(({ person, requestedAt, recordedAtMs, reason, source, writes }) => {
        const asked = [requestedAt ?? timeText(recordedAtMs), requestedAt === null ? "record" : "list"];
        const start = [team ?? "", person, ...asked, reason ?? "", source ?? ""].map((text) => mask(text));
        return writes.map(({ place, outcome, isDeclared, firstSentAtMs, lastSentAtMs, doneAtMs, waitingSinceMs }) =>
          rowText([
            ...start,
            isDeclared ? "yes" : "no",
            mask(place),
            outcome,
            ...[firstSentAtMs, lastSentAtMs, doneAtMs, waitingSinceMs].map(timeText),
          ]),
        );
      })
      .join(""),
  document: (parts) => rowText(COLUMNS) + parts.map(({ text }) => text).join(""),
};

function timeText(epochMs: number | null): string {
  return epochMs === null ? "" : isoTime(epochMs);
}

function rowText(cells: readonly string[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/** A spreadsheet would calculate what begins so, at the start of a cell or behind what separates cells somewhere; an apostrophe makes it a text. */
const FORMULA = /(?:^(?=[\t\r])|(^|[,;|\t\r\n])(?=[\s"]*[=+\-@＝＋－＠]))/g;

function cellText(text: string): string {
  const safe = text.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
