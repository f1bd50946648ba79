import { isoTime } from "../../../../core/model/iso-time.ts";
import { OUTCOMES, type ReportedPerson, type ReportedWrite } from "./person-report.ts";
import type { ReportFormat } from "./unsubscription-report.ts";
import { type JsonObject, jsonText } from "../../../../output/json/escaped-json.ts";

/** The version of the object. It grows by 0.1 with every new member, and to 2.0 if a member changes its meaning. */
const REPORT_FORMAT_VERSION = "1.0";

/** The report for programs: one object. */
export const unsubscriptionsJson: ReportFormat = {
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
    asked: requestedAt ?? timeJson(recordedAtMs),
    asked_from: requestedAt === null ? "record" : "list",
    reason,
    source,
    declared: isDeclared,
    first_sent: timeJson(firstSentAtMs),
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
    first_sent: timeJson(firstSentAtMs),
    last_sent: timeJson(lastSentAtMs),
    done: timeJson(doneAtMs),
    waiting_since: timeJson(waitingSinceMs),
  };
}

function timeJson(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 1000);
}
