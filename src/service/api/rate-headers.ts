/** An answer as far as pacing cares. Header names in lower case. */
export interface RateAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
}

/** What the headers of one answer say about the rate limit. */
export interface RateAdvice {
  /** What the service has counted in its window, this request included, and of how many. Null when it does not tell. */
  readonly counted: { readonly used: number; readonly limit: number } | null;
  /** When the window ends, in ms from now; null when absent, past or not to be believed. */
  readonly resetMs: number | null;
  /** The same, but surely not too long: a date in whole seconds may have been rounded up. */
  readonly resetAtLeastMs: number;
  /** How long a refused request has to wait. Null when nothing was refused. */
  readonly retryMs: number | null;
}

/** The service speaks of 2 s; longer ones than these are mistakes, and are left to the caller to report. */
const MAX_RESET_MS = 60_000;
const MAX_RETRY_MS = 120_000;
/** Without the service's own `Date` its clock may be far from ours: only what could be its window is believed. */
const MAX_RESET_UNDATED_MS = 2100;
const SECOND_MS = 1000;

/** Reads the headers of the section "Limits"; what cannot be understood is taken as absent. `nowMs` is since 1970. */
export function rateAdvice({ status, headers }: RateAnswer, nowMs: number): RateAdvice {
  const limit = countOf(headers["x-ratelimit-limit"]);
  const remaining = countOf(headers["x-ratelimit-remaining"]);
  const known = limit !== null && limit > 0 && remaining !== null && remaining <= limit;
  const retryMs = status >= 400 ? retryAfterMs(headers, nowMs) : null;
  return {
    counted: known ? { used: limit - remaining, limit } : null,
    ...resetOf(headers, nowMs),
    retryMs: retryMs !== null && retryMs <= MAX_RETRY_MS ? retryMs : null,
  };
}

/** `Retry-After` in milliseconds, at least 0: it comes as seconds or as a date. Null when absent or not understood. */
export function retryAfterMs(headers: RateAnswer["headers"], nowMs: number): number | null {
  const value = headers["retry-after"]?.trim();
  if (value === undefined || value === "") return null;
  const ms = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) * SECOND_MS : dateMs(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function resetOf(headers: RateAnswer["headers"], nowMs: number): Pick<RateAdvice, "resetMs" | "resetAtLeastMs"> {
  const none = { resetMs: null, resetAtLeastMs: 0 };
  const atMs = dateOf(headers["x-ratelimit-reset"]);
  if (atMs === null) return none;
  const serverDate = dateMs(headers["date"] ?? "");
  const dated = !Number.isNaN(serverDate);
  const ms = atMs - (dated ? Math.min(Math.max(nowMs, serverDate), serverDate + SECOND_MS) : nowMs);
  if (ms <= 0 || ms > (dated ? MAX_RESET_MS : MAX_RESET_UNDATED_MS)) return none;
  const agreeing = !dated || (nowMs >= serverDate && nowMs <= serverDate + SECOND_MS);
  const doubtMs = (atMs % SECOND_MS === 0 ? SECOND_MS : 0) + (agreeing ? 0 : SECOND_MS);
  return { resetMs: ms, resetAtLeastMs: Math.max(0, ms - doubtMs) };
}

/** A date as text, or as seconds or milliseconds since 1970; in milliseconds. */
function dateOf(text: string | undefined): number | null {
  const value = text?.trim() ?? "";
  if (/^\d{10}$/.test(value)) return Number(value) * SECOND_MS;
  if (/^\d{13}$/.test(value)) return Number(value);
  const ms = /\d{4}/.test(value) ? dateMs(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function countOf(text: string | undefined): number | null {
  const value = text?.trim() ?? "";
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}

/** Milliseconds since 1970; not a number where the text is no date. */
function dateMs(text: string): number {
  // oxlint-disable-next-line no-restricted-globals -- reads a text, not the clock
  return Date.parse(text);
}
