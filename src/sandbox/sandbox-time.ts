const HOUR_MS = 3_600_000;
const ISO = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,3})?Z$/;
const HTTP = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The sandbox's time and waits; passed in, so that tests control the time. */
export type SandboxClock = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects when `signal` aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

function dateOf(time: number | string): Date {
  // oxlint-disable-next-line no-restricted-globals -- reads and writes forms of times; the time itself comes from the clock
  return new Date(time);
}

/**
 * `ms` since 1970 as an ISO 8601 date-time in UTC with milliseconds, the form of all the service's
 * timestamps (section "Resources and their fields"). Years 0 to 9999.
 */
export function isoTime(ms: number): string {
  return dateOf(ms).toISOString();
}

/** `ms` since 1970 as an HTTP date (RFC 9110), for the `Date` header. */
export function httpTime(ms: number): string {
  return dateOf(ms).toUTCString();
}

/** `ms` since 1970 in the form of JavaScript's `Date.prototype.toString`, which drops the milliseconds, one hour east of UTC. */
export function longTime(ms: number): string {
  const [weekday = "", day = "", month = "", year = "", time = ""] = httpTime(ms + HOUR_MS).split(/,? /);
  return `${weekday} ${month} ${day} ${year} ${time} GMT+0100 (Central European Standard Time)`;
}

/** An ISO 8601 date-time ending in `Z` as milliseconds since 1970; null for any other text. */
export function parseIsoTime(text: string): number | null {
  if (!ISO.test(text)) return null;
  const date = dateOf(text);
  // JavaScript takes a day that its month does not have for one of the next month.
  return date.getUTCDate() === Number(text.slice(8, 10)) ? date.getTime() : null;
}

/** An HTTP date (RFC 9110, the preferred form) as milliseconds since 1970; null for any other text. */
export function parseHttpTime(text: string): number | null {
  const [, day = "", month = "", year = "", time = ""] = HTTP.exec(text) ?? [];
  return parseIsoTime(`${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, "0")}-${day}T${time}Z`);
}
