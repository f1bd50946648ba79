import { parsedTimeMs } from "../../core/model/iso-time.ts";

/** The parts of an answer that pacing uses. Header names in lower case. */
export interface RateAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
}

/** The rate-limit information in the headers of one answer. */
export interface RateAdvice {
  /** The requests that the service counted in its window, including this one, and its limit. Null if the headers do not say. */
  readonly counted: { readonly used: number; readonly limit: number } | null;
  /** When the window ends, in ms from now; null if absent, past or implausible. */
  readonly resetMs: number | null;
  /** A safe lower bound of `resetMs`: a date in whole seconds may have been rounded up. */
  readonly resetAtLeastMs: number;
  /** How long a refused request must wait. Null if the answer is no refusal. */
  readonly retryMs: number | null;
}

/** The documented window is 2 s. A longer time until its end is an error of the service. */
const MAX_RESET_MS = 60_000;
/** A process that is asked to wait longer sends its requests anyway, and reports what is refused. */
export const MAX_PAUSE_MS = 600_000;
/** The longest window that is trusted without a `Date` header: the service's clock may be far from ours. */
const MAX_RESET_UNDATED_MS = 2100;
const SECOND_MS = 1000;

/** Reads the headers of the section "Limits". An unreadable header counts as absent. `nowMs` is since 1970. */
export function rateAdvice({ status, headers }: RateAnswer, nowMs: number): RateAdvice {
  const limit = countOf(headers["x-ratelimit-limit"]);
  const remaining = countOf(headers["x-ratelimit-remaining"]);
  const known = limit !== null && limit > 0 && remaining !== null && remaining <= limit;
  const retryMs = status >= 400 ? retryAfterMs(headers, nowMs) : null;
  return {
    counted: known ? { used: limit - remaining, limit } : null,
    ...resetOf(headers, nowMs),
    retryMs: retryMs !== null && retryMs <= MAX_PAUSE_MS ? retryMs : null,
  };
}

/**
 * `Retry-After`, in seconds or as a date, in milliseconds from now, at least 0. Null if absent or unreadable. A date is read
 * by the service's clock if the answer shows it: this machine's may be hours off.
 */
export function retryAfterMs(headers: RateAnswer["headers"], nowMs: number): number | null {
  const value = headers["retry-after"]?.trim();
  if (value === undefined || value === "") return null;
  if (/^-?\d+(\.\d+)?$/.test(value)) return Math.max(0, Number(value) * SECOND_MS);
  const atMs = parsedTimeMs(value);
  return atMs === null ? null : Math.max(0, atMs - serverNowMs(headers, nowMs));
}

/** The service's time; its `Date` header has no fractions of a second. */
function serverNowMs(headers: RateAnswer["headers"], nowMs: number): number {
  const serverDate = parsedTimeMs(headers["date"] ?? "");
  return serverDate === null ? nowMs : Math.min(Math.max(nowMs, serverDate), serverDate + SECOND_MS);
}

function resetOf(headers: RateAnswer["headers"], nowMs: number): Pick<RateAdvice, "resetMs" | "resetAtLeastMs"> {
  const none = { resetMs: null, resetAtLeastMs: 0 };
  const atMs = dateOf(headers["x-ratelimit-reset"]);
  if (atMs === null) return none;
  const serverDate = parsedTimeMs(headers["date"] ?? "");
  const ms = atMs - serverNowMs(headers, nowMs);
  if (ms <= 0 || ms > (serverDate !== null ? MAX_RESET_MS : MAX_RESET_UNDATED_MS)) return none;
  const agreeing = serverDate === null || (nowMs >= serverDate && nowMs <= serverDate + SECOND_MS);
  const uncertaintyMs = (atMs % SECOND_MS === 0 ? SECOND_MS : 0) + (agreeing ? 0 : SECOND_MS);
  return { resetMs: ms, resetAtLeastMs: Math.max(0, ms - uncertaintyMs) };
}

/** A date, or seconds or milliseconds since 1970; in milliseconds. */
function dateOf(text: string | undefined): number | null {
  const value = text?.trim() ?? "";
  if (/^\d{10}$/.test(value)) return Number(value) * SECOND_MS;
  if (/^\d{13}$/.test(value)) return Number(value);
  return /\d{4}/.test(value) ? parsedTimeMs(value) : null;
}

function countOf(text: string | undefined): number | null {
  const value = text?.trim() ?? "";
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}
