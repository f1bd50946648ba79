import type { RateAdvice } from "./rate-headers.ts";

/**
 * All that decides when the next request may be sent: a log of the requests of the last 2.1 s, of this process and of
 * others that share it, corrected by what the service's answers say. Times are monotonic milliseconds.
 */
export interface Pace {
  /** 0 < share ≤ 1 of the service's limit. */
  readonly share: number;
  /** Oldest first; kept longer than they count, to tell them from strangers' requests. */
  sent: Sent[];
  others: SharedRequests;
  /** Reserved and not taken yet. */
  reserved: number;
  pausedUntilMs: number;
  /** Requests that the service has counted and nobody here has sent: others use the key too. */
  strangers: { readonly count: number; readonly untilMs: number };
  /** What the service calls its limit. */
  serverLimit: number;
  /** The shortest time from a request to its answer so far. */
  fastestMs: number;
}

export interface Sent {
  readonly takenMs: number;
  answeredMs: number | null;
}

/** What processes tell each other. */
export interface SharedRequests {
  readonly sentMs: readonly number[];
  readonly pausedUntilMs: number;
}

/** The service's window of 2 s, and room for requests that travel faster or slower than others. */
const WINDOW_MS = 2100;
const ROOM_MS = 100;
/** The service's limit (Limits). */
const LIMIT = 20;
/** So many must always be possible, for what has to be sent back to back. */
const LEAST = 2;
const KEPT_MS = 2 * WINDOW_MS;
/** How much later than its sending a request may have been counted, before it passes for a stranger's. */
const LATE_MS = 400;

export function newPace(share: number): Pace {
  if (!(share > 0 && share <= 1)) throw new RangeError(`a share of the rate limit is over 0 and at most 1, not ${String(share)}`);
  return {
    share,
    sent: [],
    others: { sentMs: [], pausedUntilMs: 0 },
    reserved: 0,
    pausedUntilMs: 0,
    strangers: { count: 0, untilMs: 0 },
    serverLimit: LIMIT,
    fastestMs: Number.POSITIVE_INFINITY,
  };
}

/** How many requests can be reserved at once at most. */
export function largestReservation({ share }: Pace): number {
  return Math.max(LEAST, Math.floor(LIMIT * share + 1e-9));
}

/** How long `count` more requests have to wait; 0 or less: they may be sent. Ask again after the wait. */
export function waitMs(pace: Pace, count: number, nowMs: number): number {
  const { limit, windowMs } = allowance(pace);
  const times = requestTimes(pace).filter((at) => at > nowMs - windowMs);
  const leaves = (excess: number): number => (excess <= 0 ? nowMs : (times[excess - 1] ?? nowMs) + windowMs);
  const wanted = times.length + pace.reserved + count;
  const amongUs = leaves(wanted - Math.max(limit, count));
  const amongAll = Math.min(strangersAwayMs(pace), leaves(wanted + pace.strangers.count - Math.max(pace.serverLimit, count)));
  return Math.max(amongUs, amongAll, pace.pausedUntilMs, pace.others.pausedUntilMs) - nowMs;
}

/** When the strangers' requests need not be counted any more. Then one request goes ahead, and its answer tells how things are. */
function strangersAwayMs({ strangers, sent, reserved }: Pace): number {
  if (strangers.count === 0) return 0;
  const ahead = sent.find((one) => one.answeredMs === null && one.takenMs >= strangers.untilMs);
  if (ahead) return ahead.takenMs + WINDOW_MS;
  return reserved > 0 ? strangers.untilMs + WINDOW_MS : strangers.untilMs;
}

/** A share too small for two requests in a window gets two in a longer one. */
function allowance({ share, serverLimit }: Pace): { readonly limit: number; readonly windowMs: number } {
  const allowed = Math.min(LIMIT, serverLimit) * share;
  return { limit: Math.max(LEAST, Math.floor(allowed + 1e-9)), windowMs: WINDOW_MS * Math.max(1, LEAST / allowed) };
}

function requestTimes(pace: Pace): readonly number[] {
  return [...pace.sent.map((one) => countedMs(pace, one)), ...pace.others.sentMs].toSorted((a, b) => a - b);
}

/**
 * When the service has counted a request at the latest, as far as the window is concerned. One whose answer took longer
 * than usual (it opened the connection, say) may have arrived that much later: the next one, on a warm connection, must not
 * catch up with it.
 */
export function countedMs({ fastestMs }: Pick<Pace, "fastestMs">, { takenMs, answeredMs }: Sent): number {
  return answeredMs === null ? takenMs : Math.max(takenMs, answeredMs - fastestMs - ROOM_MS);
}

/** Notes that a reserved request is being sent. */
export function takeOne(pace: Pace, nowMs: number): Sent {
  const sent: Sent = { takenMs: nowMs, answeredMs: null };
  const { windowMs } = allowance(pace);
  pace.reserved--;
  pace.sent = pace.sent.filter((one) => countedMs(pace, one) > nowMs - Math.max(KEPT_MS, windowMs));
  pace.sent.push(sent);
  return sent;
}

/** Notes when the answer came. */
export function noteAnswer(pace: Pace, sent: Sent, nowMs: number): void {
  sent.answeredMs = nowMs;
  pace.fastestMs = Math.min(pace.fastestMs, nowMs - sent.takenMs);
}

/** How many requests the service has counted that are not in the log, at least. */
export function unexplained(pace: Pace, sent: Sent, { counted }: RateAdvice): number {
  if (counted === null) return 0;
  const since = sent.takenMs - WINDOW_MS - LATE_MS;
  const known = pace.sent.filter((one) => countedMs(pace, one) > since).length + pace.others.sentMs.filter((at) => at > since).length;
  return Math.max(0, counted.used - known);
}

/** Corrects the pace by the headers of an answer. They can only make it slower than the log alone. */
export function heed(pace: Pace, sent: Sent, advice: RateAdvice, nowMs: number): void {
  const { counted, resetMs, resetAtLeastMs, retryMs } = advice;
  if (retryMs !== null) pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + retryMs);
  if (counted === null) return;
  const none = counted.used >= counted.limit;
  if (none) pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + resetAtLeastMs);
  pace.serverLimit = counted.limit;
  pace.strangers = { count: unexplained(pace, sent, advice), untilMs: nowMs + ((none ? resetMs : null) ?? WINDOW_MS) };
}

/** What other processes have to know of this one: what is reserved counts as sent now. */
export function toShare(pace: Pace, nowMs: number): SharedRequests {
  const { windowMs } = allowance(pace);
  const sentMs = pace.sent.map((one) => countedMs(pace, one)).filter((at) => at > nowMs - Math.max(KEPT_MS, windowMs));
  return { sentMs: [...sentMs, ...Array.from({ length: pace.reserved }, () => nowMs)], pausedUntilMs: pace.pausedUntilMs };
}
