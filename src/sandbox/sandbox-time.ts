const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WEEKDAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?Z$/;
const HTTP = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/;

/** The sandbox's time and waits; passed in, so that tests control the time. */
export type SandboxClock = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects when `signal` aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

type Civil = { readonly year: number; readonly month: number; readonly day: number };

/**
 * `ms` since 1970 as an ISO 8601 date-time in UTC with milliseconds, the form of all the service's
 * timestamps (section "Resources and their fields"). Years 0 to 9999.
 */
export function isoTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const { year, month, day } = civilFromDays(days);
  const rest = Math.floor(ms - days * DAY_MS);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${timeOfDay(rest)}.${pad(rest % 1000, 3)}Z`;
}

/** `ms` since 1970 as an HTTP date (RFC 9110), for the `Date` header. */
export function httpTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const { year, month, day } = civilFromDays(days);
  const weekday = WEEKDAYS[((days % 7) + 7) % 7] ?? "Thu";
  const time = timeOfDay(Math.floor(ms - days * DAY_MS));
  return `${weekday}, ${pad(day, 2)} ${MONTHS[month - 1] ?? "Jan"} ${pad(year, 4)} ${time} GMT`;
}

/** `ms` since 1970 in the form of JavaScript's `Date.prototype.toString`, which drops the milliseconds, one hour east of UTC. */
export function longTime(ms: number): string {
  const [weekday = "", day = "", month = "", year = "", time = ""] = httpTime(ms + HOUR_MS).split(/,? /);
  return `${weekday} ${month} ${day} ${year} ${time} GMT+0100 (Central European Standard Time)`;
}

/** An ISO 8601 date-time ending in `Z` as milliseconds since 1970; null for any other text. */
export function parseIsoTime(text: string): number | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const days = daysFromCivil({ year, month, day });
  const real = civilFromDays(days);
  if (real.month !== month || real.day !== day || hour > 23 || minute > 59 || second > 59) return null;
  const millis = Number((match[7] ?? "0").padEnd(3, "0"));
  return days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millis;
}

/** An HTTP date (RFC 9110, the preferred form) as milliseconds since 1970; null for any other text. */
export function parseHttpTime(text: string): number | null {
  const match = HTTP.exec(text);
  const month = (MONTHS as readonly string[]).indexOf(match?.[2] ?? "") + 1;
  if (!match || month === 0) return null;
  return parseIsoTime(`${match[3] ?? ""}-${pad(month, 2)}-${match[1] ?? ""}T${match[4] ?? ""}Z`);
}

function timeOfDay(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

/** The civil date of a day number, counted in eras of 400 years that start on March 1. */
function civilFromDays(days: number): Civil {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1 };
}

function daysFromCivil({ year, month, day }: Civil): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
