import { isoTime } from "../../../../core/model/iso-time.ts";
import { type Json, jsonText } from "../../../../output/json/escaped-json.ts";
import type { Paint } from "../../../../output/content/paint.ts";
import { visible } from "../../../../core/model/visible.ts";
import { columnsOf, padded } from "../../../../output/content/width.ts";
import { type Forwarded, type ReceivedEvent, textOf, type Verification } from "./received-event.ts";
import { WORD } from "../../../../core/secrets/email-like.ts";
import type { CommandContext } from "../../command-context.ts";
import { countOf } from "../../../../core/model/words.ts";
import { isAccepted } from "./replay-events.ts";

/** How the lines of `outreach listen` are printed. */
export interface LineStyle {
  readonly paint: Paint;
  /** Masks addresses in texts of the sender. */
  readonly mask: (text: string) => string;
}

/** The heading of the table. */
export function headingLine(paint: Paint): string {
  return `${paint("bold", row(["TIME", "EVENT", "CAMPAIGN", "LEAD", "SECRET", "RESULT"]))}\n`;
}

/** One delivery as a line of the table. */
export function eventLine(received: ReceivedEvent, { paint, mask }: LineStyle): string {
  const { event, receivedAtMs, verification } = received;
  const cell = (field: string): string =>
    event === null || textOf(event, field) === "" ? "-" : mask(printed(textOf(event, field)));
  const campaign = event !== null && textOf(event, "campaignName") !== "" ? cell("campaignName") : cell("campaignId");
  const cells = [
    isoTime(receivedAtMs).slice(11, 19),
    event === null ? "(not an event)" : cell("type"),
    campaign,
    cell("leadEmail"),
    SECRETS[verification],
  ];
  const line = row([...cells, resultOf(received)]);
  return `${received.status < 300 ? line : paint("red", line)}\n`;
}

/** One delivery as a line of JSON. Only an accepted event is in it whole. */
export function eventJson(received: ReceivedEvent, { mask }: LineStyle): string {
  const { event, receivedAtMs, verification, problem, isDuplicate, forwards, savedAs, status } = received;
  const text = (field: string): string | null => (textOf(event, field) === "" ? null : mask(textOf(event, field)));
  const isWhole = verification === "verified" || verification === "unchecked";
  return `${jsonText({
    kind: "event",
    receivedAt: isoTime(receivedAtMs),
    type: text("type"),
    id: text("_id"),
    secret: SECRETS[verification],
    duplicate: isDuplicate,
    status,
    problem,
    forwarded: forwards.map(({ url, ...forwarded }) => ({
      url,
      status: forwarded.status,
      problem: forwarded.problem,
      durationMs: forwarded.durationMs,
    })),
    savedAs,
    event: isWhole ? maskedJson(event as Json, mask) : null,
  })}\n`;
}

const SECRETS: { readonly [K in Verification]: string } = {
  verified: "ok",
  unchecked: "not verified",
  wrong: "wrong",
  missing: "missing",
  none: "-",
};

const WIDTHS = [8, 22, 24, 28, 12] as const;

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => (WIDTHS[index] === undefined ? cell : padded(cut(cell, WIDTHS[index]), WIDTHS[index])))
    .join("  ")
    .trimEnd();
}

/** More characters than any column shows, so that a hostile sender's text costs no time. */
const MAX_CELL = 200;

/** A text of the sender on one line, without control characters. */
function printed(text: string): string {
  return visible(text.slice(0, MAX_CELL).replaceAll(/\s/g, " "));
}

function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let shown = "";
  for (const character of text) {
    if (columnsOf(shown + character) > columns - 1) break;
    shown += character;
  }
  return `${shown}…`;
}

function resultOf(received: ReceivedEvent): string {
  const { problem, isDuplicate, status } = received;
  return [
    ...(isDuplicate ? ["duplicate"] : []),
    ...(problem === null ? [] : [`${String(status)}: ${visible(problem)}`]),
    ...(received.forwards.length === 0 ? [] : [forwardsText(received)]),
  ].join(", ");
}

/** What the receivers answered; their URLs where there are several. */
export function forwardsText({ forwards }: ReceivedEvent): string {
  const several = forwards.length > 1;
  return forwards.map((forwarded) => `${several ? `${forwarded.url} ` : ""}${forwardedText(forwarded)}`).join(", ");
}

function forwardedText({ status, problem, durationMs }: Forwarded): string {
  return `${status === null ? visible(problem ?? "") : String(status)} (${String(durationMs)} ms)`;
}

/** A value of the sender with every text in it masked. Accepted events do not nest deep. */
function maskedJson(value: Json, mask: LineStyle["mask"]): Json {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => maskedJson(one, mask));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), maskedJson(one, mask)]));
}

const SALT_BYTES = 16;

/**
 * Masks everything that looks like an address in texts of senders, where stdout hides addresses. The same address has the same mask during a run.
 * Remembers nothing, so that a command can run for as long as it is needed.
 */
export function emailMask({ hidesEmails, newMasks, random }: CommandContext): (text: string) => string {
  const salt = Buffer.from(random.bytes(SALT_BYTES)).toString("hex");
  const masked = (address: string): string => {
    const { personal } = newMasks();
    personal.useSalt(salt);
    personal.add([address]);
    return personal.mask(address);
  };
  return (text) =>
    hidesEmails.out && text.includes("@")
      ? text.replaceAll(WORD, (word) => (word.includes("@") ? masked(word) : word))
      : text;
}

/** What `outreach listen` has received. */
export interface EventCounts {
  readonly received: number;
  readonly wrongSecret: number;
  readonly invalid: number;
  readonly duplicates: number;
  readonly saved: number;
  /** Requests to receivers that were answered with 2xx, and all others. */
  readonly forwarded: number;
  readonly failed: number;
}

export const NO_EVENTS: EventCounts = {
  received: 0,
  wrongSecret: 0,
  invalid: 0,
  duplicates: 0,
  saved: 0,
  forwarded: 0,
  failed: 0,
};

export function countEvent(
  counts: EventCounts,
  { verification, isDuplicate, forwards, savedAs }: ReceivedEvent,
): EventCounts {
  const delivered = forwards.filter(({ status }) => isAccepted(status)).length;
  return {
    received: counts.received + 1,
    wrongSecret: counts.wrongSecret + Number(verification === "wrong" || verification === "missing"),
    invalid: counts.invalid + Number(verification === "none"),
    duplicates: counts.duplicates + Number(isDuplicate),
    saved: counts.saved + Number(savedAs !== null),
    forwarded: counts.forwarded + delivered,
    failed: counts.failed + forwards.length - delivered,
  };
}

/** A summary, as in `Received 3 events: 1 with a wrong secret, 1 duplicate. Forwarded 2, 1 failed.` */
export function summaryText(counts: EventCounts): string {
  const { received, wrongSecret, invalid, duplicates, saved, forwarded, failed } = counts;
  const parts = [
    [wrongSecret, "with a wrong secret"],
    [invalid, "invalid"],
    [duplicates, duplicates === 1 ? "duplicate" : "duplicates"],
    [saved, "saved"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${String(count)} ${String(what)}`]));
  const head = `Received ${countOf(received, "event")}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}.`;
  return forwarded + failed === 0
    ? head
    : `${head} Forwarded ${String(forwarded)}${failed === 0 ? "" : `, ${String(failed)} failed`}.`;
}
