import { capitalised, countOf } from "../../../../core/model/words.ts";
import { isoTime } from "../../../../core/model/iso-time.ts";
import { groupBy } from "../../../../core/model/maps.ts";
import {
  OUTCOMES,
  type PersonReport,
  type ReportedOutcome,
  type ReportedPerson,
  type ReportedWrite,
} from "./person-report.ts";
import type { FormatContext } from "../../../../output/content/output-format.ts";

/** One way to print a report that can be about several teams, such as that of unsubscriptions. Pure; it returns whole lines. */
export interface ReportFormat<Shown = ShownReport, Context extends ReportContext = ReportContext> {
  /** What one state adds to the document. It goes into `document` masked. */
  part(shown: Shown, context: Context): string;
  /** The document of one part, or of one for each team. */
  document(parts: readonly ReportPart[], context: Omit<Context, "mask">): string;
}

export type ReportContext = Pick<FormatContext, "mask" | "nowMs" | "version">;

export interface ShownReport {
  /** The team of the state; null in a configuration without teams. */
  readonly team: string | null;
  readonly report: PersonReport;
  /** The writes of an earlier run without a recorded outcome. */
  readonly undecided: number;
}

export interface ReportPart {
  readonly team: string | null;
  /** Empty where the state of the team could not be read. */
  readonly text: string;
}

export const REPORT_TITLE = "Unsubscriptions";
export const NO_PART = "The state of this team could not be read, so the report does not have it.";
const NO_PEOPLE = "Nobody was unsubscribed, and nobody waits.";

/** The outcomes, as people read them. */
const OUTCOME_NAMES: { readonly [outcome in ReportedOutcome]: string } = {
  unconfirmed: "unconfirmed",
  not_found: "not found",
  waiting: "waiting",
  accepted: "accepted",
  assumed: "assumed done",
  done: "done",
};

/** The sentences above the people: how many there are, how they stand, and how long it took. */
export function reportSentences({
  report: { people, counts, requestToDone },
  undecided,
}: ShownReport): readonly string[] {
  const total = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  const { count, fromList, medianMs, longestMs } = requestToDone;
  const shown = OUTCOMES.toReversed().filter((outcome) => counts[outcome] > 0);
  return [
    people.length === 0
      ? NO_PEOPLE
      : `${countOf(people.length, "person", "people")}, ${countOf(total, "unsubscription")}: ${shown.map((outcome) => `${String(counts[outcome])} ${OUTCOME_NAMES[outcome]}`).join(", ")}.`,
    ...(medianMs === null || longestMs === null
      ? []
      : [
          `From request to done: median ${spanText(medianMs)}, longest ${spanText(longestMs)}, for ${countOf(count, "unsubscription")}.${withoutRequestText(count - fromList, count)}`,
        ]),
    ...(undecided === 0
      ? []
      : [
          `${countOf(undecided, "request")} of an earlier run ${undecided === 1 ? "has" : "have"} no recorded outcome, and ${undecided === 1 ? "is" : "are"} not in this report.`,
        ]),
  ];
}

function withoutRequestText(without: number, count: number): string {
  const clause = "no list says when the person asked, so the time begins with the first record.";
  if (without === 0) return "";
  return without === count ? ` ${capitalised(clause)}` : ` For ${String(without)} of them, ${clause}`;
}

/** When the person asked, and whether the list says so. Text of the list as it is: a day has no time. */
export function askedText({ requestedAt, recordedAtMs }: ReportedPerson): string {
  return requestedAt ?? (recordedAtMs === null ? "not known" : `${minuteText(recordedAtMs)} (first record)`);
}

/** How one write stands, in words. */
export function writeText({
  outcome,
  isDeclared,
  doneAtMs,
  firstSentAtMs,
  lastSentAtMs,
  waitingSinceMs,
}: ReportedWrite): string {
  const isDone = outcome === "done" && doneAtMs !== null;
  const since = isDone
    ? ` ${minuteText(doneAtMs)}`
    : waitingSinceMs === null
      ? ""
      : ` since ${minuteText(waitingSinceMs)}`;
  return [
    `${OUTCOME_NAMES[outcome]}${since}`,
    ...(isDone || doneAtMs === null ? [] : [`done ${minuteText(doneAtMs)}`]),
    ...(isDone || lastSentAtMs === null || lastSentAtMs === firstSentAtMs
      ? []
      : [`last sent ${minuteText(lastSentAtMs)}`]),
    ...(isDeclared ? [] : ["no longer declared"]),
  ].join(", ");
}

/** The people by their write that needs attention most, in the order of the outcomes. Without empty groups. */
export function peopleGroups({ people }: PersonReport): readonly PeopleGroup[] {
  const groups = groupBy(
    people,
    ({ writes }) => OUTCOMES.find((outcome) => writes.some((write) => write.outcome === outcome)) ?? "done",
  );
  return OUTCOMES.flatMap((outcome) => {
    const own = groups.get(outcome) ?? [];
    return own.length === 0
      ? []
      : [{ outcome, people: own, title: `${own.length === 1 ? "person" : "people"} ${OUTCOME_NAMES[outcome]}` }];
  });
}

interface PeopleGroup {
  readonly outcome: ReportedOutcome;
  readonly people: readonly ReportedPerson[];
  /** What they are, behind their number. */
  readonly title: string;
}

/** To the minute, in UTC, which `asOfText` says once. */
export function minuteText(epochMs: number): string {
  return isoTime(epochMs).slice(0, 16).replace("T", " ");
}

export function asOfText({ nowMs }: Pick<ReportContext, "nowMs">): string {
  return `As of ${minuteText(nowMs)}. Times are in UTC.`;
}

/** A span in its two largest units: `3 d 4 h`, `2 h 5 min`, `40 s`. */
export function spanText(spanMs: number): string {
  const seconds = Math.round(spanMs / 1000);
  const units = [
    ["d", Math.floor(seconds / 86_400)],
    ["h", Math.floor(seconds / 3600) % 24],
    ["min", Math.floor(seconds / 60) % 60],
    ["s", seconds % 60],
  ] as const;
  const first = units.findIndex(([, count]) => count > 0);
  const shown = first === -1 ? units.slice(-1) : units.slice(first, first + 2).filter(([, count]) => count > 0);
  return shown.map(([unit, count]) => `${String(count)} ${unit}`).join(" ");
}
