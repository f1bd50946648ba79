import { isoTime } from "../core/model/iso-time.ts";
import type { FleetSettings } from "./fleet-store.ts";

/** When plans may be applied: on these days, from one time of the day to another. */
interface MaintenanceWindow {
  /** From 0, a Sunday. */
  readonly days: ReadonlySet<number>;
  /** Minutes since midnight. An end before the start is one of the next day. */
  readonly from: number;
  readonly to: number;
  readonly timeZone: string;
}

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DAY = 24 * 60;
/** The day on which the epoch began. */
const THURSDAY = 4;
const WINDOW = /^(\S+) (\d\d):(\d\d)-(\d\d):(\d\d)(?: (\S+))?$/;

/** A window as people write it, as in `mon-thu 09:00-16:00 Europe/Berlin`, by default in UTC. Null for another text. */
export function parseWindow(text: string): MaintenanceWindow | null {
  const [, days = "", ...rest] = WINDOW.exec(text.trim().toLowerCase()) ?? [];
  const [fromHour = 24, fromMinute = 0, toHour = 25, toMinute = 0] = rest.slice(0, 4).map(Number);
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  const found = daysOf(days);
  // The letters of a time zone count for nothing but people.
  const timeZone = text.trim().split(" ")[2] ?? "UTC";
  if (
    found === null ||
    fromMinute > 59 ||
    toMinute > 59 ||
    from >= DAY ||
    to > DAY ||
    from === to ||
    !isTimeZone(timeZone)
  )
    return null;
  return { days: found, from, to, timeZone };
}

/** `mon-thu,sat`; a range may go around the end of the week. */
function daysOf(text: string): ReadonlySet<number> | null {
  const days = new Set<number>();
  for (const part of text.split(",")) {
    const [first = "", last = first, ...more] = part.split("-");
    const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
    if (from < 0 || to < 0 || more.length > 0) return null;
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) break;
    }
  }
  return days;
}

function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Why the fleet applies no plan by itself at this time, as a sentence; null where it may. */
export function holdAt({ freeze, windows }: Pick<FleetSettings, "freeze" | "windows">, nowMs: number): string | null {
  if (freeze !== null && nowMs < freeze.untilMs)
    return `Frozen until ${timeText(freeze.untilMs)}${freeze.reason === "" ? "." : `: ${freeze.reason.replace(/\.$/, "")}.`}`;
  const parsed = windows.flatMap((text) => parseWindow(text) ?? []);
  if (parsed.length === 0 || parsed.some((window) => isOpen(window, nowMs))) return null;
  const next = Math.min(...parsed.map((window) => nextOpening(window, nowMs)));
  return `Outside of the maintenance windows. The next one begins at ${timeText(next)}.`;
}

function timeText(ms: number): string {
  return `${isoTime(ms).slice(0, 16).replace("T", " ")} UTC`;
}

function isOpen({ days, from, to, timeZone }: MaintenanceWindow, nowMs: number): boolean {
  const { day, minute } = localTime(nowMs, timeZone);
  const yesterday = (day + 6) % 7;
  if (from < to) return days.has(day) && minute >= from && minute < to;
  return (days.has(day) && minute >= from) || (days.has(yesterday) && minute < to);
}

function nextOpening({ days, from, timeZone }: MaintenanceWindow, nowMs: number): number {
  const today = localTime(nowMs, timeZone);
  for (let ahead = 0; ahead <= 7; ahead++) {
    const wanted = today.midnightMs + ahead * DAY * 60_000 + from * 60_000;
    // The time zone's offset may differ between now and then.
    const first = wanted - localTime(wanted, timeZone).offsetMs;
    const at = wanted - localTime(first, timeZone).offsetMs;
    if (days.has((today.day + ahead) % 7) && at > nowMs) return at;
  }
  return nowMs + 7 * DAY * 60_000;
}

interface LocalTime {
  readonly day: number;
  readonly minute: number;
  /** The begin of the day, as if the time zone were UTC. */
  readonly midnightMs: number;
  /** How much the clock of the time zone is ahead of UTC. */
  readonly offsetMs: number;
}

function localTime(ms: number, timeZone: string): LocalTime {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [hour = 0, minute = 0] = [parts.get("hour"), parts.get("minute")];
  // oxlint-disable-next-line no-restricted-globals -- it only counts days; the time itself comes from the clock
  const midnightMs = Date.UTC(parts.get("year") ?? 0, (parts.get("month") ?? 1) - 1, parts.get("day") ?? 1);
  const minutes = hour * 60 + minute;
  return {
    day: (midnightMs / (DAY * 60_000) + THURSDAY) % 7,
    minute: minutes,
    midnightMs,
    offsetMs: midnightMs + minutes * 60_000 - Math.floor(ms / 60_000) * 60_000,
  };
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Throws a `RangeError` for a name that is no time zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const options = {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  } as const;
  const clock = new Intl.DateTimeFormat("en-US", options);
  clocks.set(timeZone, clock);
  return clock;
}
