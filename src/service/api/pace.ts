import type { RateAdvice } from "./rate-headers.ts";
import { FULL_MARGIN_MS, type Travel, UNKNOWN_TRAVEL, lateMs, marginMs, withAnswer, withRefusal } from "./travel.ts";

/**
 * The state that decides when the next request may be sent: a log of the requests of the last 2 s and a margin, by this
 * process and by others that share the key, corrected by the service's answers. Times are monotonic milliseconds.
 */
export interface Pace {
  /** 0 < share ≤ 1 of the service's limit. */
  readonly share: number;
  /** Oldest first. Kept longer than they count, to distinguish them from other clients' requests. */
  sent: Sent[];
  /** One per process. */
  others: readonly SharedRequests[];
  /** Slots reserved but not used yet. */
  reserved: number;
  pausedUntilMs: number;
  /** Requests that the service counted and no known process sent: other clients use the key too. */
  otherClients: { readonly count: number; readonly untilMs: number };
  /** The limit in the service's headers. */
  serverLimit: number;
  travel: Travel;
}

export interface Sent {
  readonly takenMs: number;
  answeredMs: number | null;
}

/** The requests of one process, for the others. */
export interface SharedRequests {
  /** When the service counted the answered ones at the latest. */
  readonly countedMs: readonly number[];
  /** Slots that are reserved, or whose requests may still be on their way. Others keep them free until `heldUntilMs`. */
  readonly held: number;
  readonly heldUntilMs: number;
  readonly pausedUntilMs: number;
  /** The shortest time between a request and its answer; null if none was answered. */
  readonly fastestMs: number | null;
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
/** How long others keep slots free for a process that no longer writes to the log. */
export const RESERVED_MS = 10_000;
/** How long a slot may be used after others were told of it: they keep it free until its request has left the window. */
export const USABLE_MS = RESERVED_MS - MAX_UNANSWERED_MS - OTHERS_WINDOW_MS;

export function newPace(share: number): Pace {
  if (!(share > 0 && share <= 1))
    throw new RangeError(`a share of the rate limit is over 0 and at most 1, not ${String(share)}`);
  return {
    share,
    sent: [],
    others: [],
    reserved: 0,
    pausedUntilMs: 0,
    otherClients: { count: 0, untilMs: 0 },
    serverLimit: LIMIT,
    travel: UNKNOWN_TRAVEL,
  };
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
  const held = pace.others.filter(({ heldUntilMs }) => heldUntilMs > nowMs).reduce((sum, other) => sum + other.held, 0);
  const wanted = times.length + pace.reserved + held + count;
  const amongUs = leaves(wanted - Math.max(limit, count));
  const amongAll = Math.min(
    otherClientsGoneMs(pace),
    leaves(wanted + pace.otherClients.count - Math.max(pace.serverLimit, count)),
  );
  return (
    Math.max(amongUs, amongAll, pace.pausedUntilMs, ...pace.others.map(({ pausedUntilMs }) => pausedUntilMs)) - nowMs
  );
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
  const fastestMs = fastestOfAll(pace);
  const own = pace.sent.map((one) => countedMs(pace, one, { nowMs, fastestMs }));
  const others = pace.others.flatMap((other) =>
    other.countedMs.map((at) => at + lateMs(fastestMs, 0, other.fastestMs ?? 0)),
  );
  return [...own, ...others].filter((at) => at > sinceMs);
}

/** One process may have measured slow answers alone. */
function fastestOfAll({ travel, others }: Pick<Pace, "travel" | "others">): number {
  return Math.min(travel.fastestMs, ...others.map(({ fastestMs }) => fastestMs ?? Number.POSITIVE_INFINITY));
}

/** The latest time at which the service's window can have counted a request, plus the margin for the requests after it. */
function countedMs(
  { travel }: Pace,
  { takenMs, answeredMs }: Sent,
  { nowMs, fastestMs }: { readonly nowMs: number; readonly fastestMs: number },
): number {
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
  return (
    countedMs(pace, sent, { nowMs, fastestMs: pace.travel.fastestMs }) >
    nowMs - Math.max(KEPT_MS, allowance(pace).windowMs)
  );
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
export function unexplainedRequests(pace: Pace, sent: Sent, { counted }: RateAdvice): number {
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

/** This process's requests, for the other processes. */
export function requestsToShare(pace: Pace, nowMs: number): SharedRequests {
  const { fastestMs } = pace.travel;
  const open = pace.sent.filter((one) => isOpen(one, nowMs));
  const over = pace.sent.filter((one) => !isOpen(one, nowMs) && isKept(pace, one, nowMs));
  return {
    countedMs: over.map((one) => countedMs(pace, one, { nowMs, fastestMs })),
    held: pace.reserved + open.length,
    heldUntilMs: nowMs + RESERVED_MS,
    pausedUntilMs: pace.pausedUntilMs,
    fastestMs: Number.isFinite(fastestMs) ? fastestMs : null,
  };
}

function isOpen({ takenMs, answeredMs }: Sent, nowMs: number): boolean {
  return answeredMs === null && nowMs < takenMs + MAX_UNANSWERED_MS;
}
