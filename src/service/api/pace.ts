import type { RateAdvice } from "./rate-headers.ts";
import { FULL_MARGIN_MS, type Travel, UNKNOWN_TRAVEL, lateMs, marginMs, withAnswer, withRefusal } from "./travel.ts";

/**
 * The state that decides when the next request may be sent: a log of this process's requests of the last 2 s and a margin,
 * corrected by the service's answers. Times are monotonic milliseconds.
 */
export interface Pace {
  /** 0 < share ≤ 1 of the service's limit. */
  share: number;
  /** Oldest first. Kept longer than they count, to distinguish them from other clients' requests. */
  sent: Sent[];
  /** Slots reserved but not used yet. */
  reserved: number;
  pausedUntilMs: number;
  /** Requests that the service counted and this process did not send: other clients use the key too. */
  otherClients: { readonly count: number; readonly untilMs: number };
  /** The limit in the service's headers. */
  serverLimit: number;
  travel: Travel;
}

export interface Sent {
  readonly takenMs: number;
  answeredMs: number | null;
}

/** The service's window (Limits). */
const WINDOW_MS = 2000;
/** The service's limit (Limits). */
export const LIMIT = 20;
/** The smallest limit: some requests have to be sent back to back. */
const MIN_LIMIT = 2;
/** When requests of other clients have left the window. */
const OTHERS_WINDOW_MS = WINDOW_MS + FULL_MARGIN_MS;
const KEPT_MS = 2 * OTHERS_WINDOW_MS;
/** A request counted up to this long after its sending does not count as another client's. */
const LATE_MS = 500;
/** A request without an answer counts at most this much longer. */
const MAX_UNANSWERED_MS = 2000;

export function newPace(share: number): Pace {
  return {
    share: assertShare(share),
    sent: [],
    reserved: 0,
    pausedUntilMs: 0,
    otherClients: { count: 0, untilMs: 0 },
    serverLimit: LIMIT,
    travel: UNKNOWN_TRAVEL,
  };
}

export function assertShare(share: number): number {
  if (share > 0 && share <= 1) return share;
  throw new RangeError(`a share of the rate limit is over 0 and at most 1, not ${String(share)}`);
}

/** The limit that a run with this share of the service's keeps to. */
export function rateLimit(share = 1): { readonly requests: number; readonly windowMs: number } {
  const { limit, windowMs } = allowance({ share, serverLimit: LIMIT });
  return { requests: limit, windowMs };
}

/** The most requests that one reservation can hold. */
export function largestReservation({ share }: Pace): number {
  return Math.max(MIN_LIMIT, Math.floor(LIMIT * share + 1e-9));
}

/** How long `count` more requests must wait; 0 or less: send them now. Call again after the wait. */
export function waitMs(pace: Pace, count: number, nowMs: number): number {
  const { limit, windowMs } = allowance(pace);
  const times = requestTimes(pace, nowMs, nowMs - windowMs).toSorted((a, b) => a - b);
  const leaves = (excess: number): number => (excess <= 0 ? nowMs : (times[excess - 1] ?? nowMs) + windowMs);
  const wanted = times.length + pace.reserved + count;
  const amongUs = leaves(wanted - Math.max(limit, count));
  const amongAll = Math.min(
    otherClientsGoneMs(pace),
    leaves(wanted + pace.otherClients.count - Math.max(pace.serverLimit, count)),
  );
  return Math.max(amongUs, amongAll, pace.pausedUntilMs) - nowMs;
}

/** When other clients' requests stop counting. Then a single request goes first, and its answer shows the current state. */
function otherClientsGoneMs({ otherClients, sent, reserved }: Pace): number {
  if (otherClients.count === 0) return 0;
  const ahead = sent.find((one) => one.answeredMs === null && one.takenMs >= otherClients.untilMs);
  if (ahead) return ahead.takenMs + OTHERS_WINDOW_MS;
  return reserved > 0 ? otherClients.untilMs + OTHERS_WINDOW_MS : otherClients.untilMs;
}

/** A share too small for two requests per window gets two in a longer window. */
function allowance({ share, serverLimit }: Pick<Pace, "share" | "serverLimit">): {
  readonly limit: number;
  readonly windowMs: number;
} {
  const allowed = Math.min(LIMIT, serverLimit) * share;
  return {
    limit: Math.max(MIN_LIMIT, Math.floor(allowed + 1e-9)),
    windowMs: WINDOW_MS * Math.max(1, MIN_LIMIT / allowed),
  };
}

function requestTimes(pace: Pace, nowMs: number, sinceMs: number): readonly number[] {
  return pace.sent.map((one) => countedMs(pace, one, nowMs)).filter((at) => at > sinceMs);
}

/** The latest time at which the service's window can have counted a request, plus the margin for the requests after it. */
function countedMs({ travel }: Pace, { takenMs, answeredMs }: Sent, nowMs: number): number {
  const { fastestMs } = travel;
  if (answeredMs !== null) return takenMs + marginMs(travel, lateMs(fastestMs, takenMs, answeredMs));
  return takenMs + marginMs(UNKNOWN_TRAVEL, lateMs(fastestMs, takenMs, Math.min(nowMs, takenMs + MAX_UNANSWERED_MS)));
}

/** Uses one reserved slot: its request is sent now. */
export function takeSlot(pace: Pace, nowMs: number): Sent {
  const sent: Sent = { takenMs: nowMs, answeredMs: null };
  pace.reserved--;
  pace.sent = pace.sent.filter((one) => isKept(pace, one, nowMs));
  pace.sent.push(sent);
  return sent;
}

function isKept(pace: Pace, sent: Sent, nowMs: number): boolean {
  return countedMs(pace, sent, nowMs) > nowMs - Math.max(KEPT_MS, allowance(pace).windowMs);
}

/** Records the time of the answer. */
export function recordAnswer(pace: Pace, sent: Sent, nowMs: number): void {
  sent.answeredMs = nowMs;
  pace.travel = withAnswer(pace.travel, nowMs - sent.takenMs);
}

/** Records that the service refused a request because of its limit. */
export function recordRefusal(pace: Pace): void {
  pace.travel = withRefusal(pace.travel);
}

/** The least number of requests that the service counted and the log does not contain. */
function unexplainedRequests(pace: Pace, sent: Sent, { counted }: RateAdvice): number {
  if (counted === null) return 0;
  const known = requestTimes(pace, sent.answeredMs ?? sent.takenMs, sent.takenMs - WINDOW_MS - LATE_MS).length;
  return Math.max(0, counted.used - known);
}

/** Corrects the pace with the headers of an answer. They can only slow it down. */
export function applyAdvice(pace: Pace, sent: Sent, advice: RateAdvice, nowMs: number): void {
  const { counted, resetMs, resetAtLeastMs, retryMs } = advice;
  if (retryMs !== null) pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + retryMs);
  if (counted === null) return;
  const none = counted.used >= counted.limit;
  const unexplained = unexplainedRequests(pace, sent, advice);
  // Otherwise the log knows better when the window ends: the service's clock may be some time ahead.
  if (none && (unexplained > 0 || resetAtLeastMs > WINDOW_MS))
    pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + resetAtLeastMs);
  pace.serverLimit = counted.limit;
  pace.otherClients = { count: unexplained, untilMs: nowMs + ((none ? resetMs : null) ?? OTHERS_WINDOW_MS) };
}
