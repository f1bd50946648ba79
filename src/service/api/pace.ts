import type { RateAdvice } from "./rate-headers.ts";

/**
 * The state that decides when the next request may be sent: a log of the requests of the last 2.1 s, by this process and
 * by others that share the key, corrected by the service's answers. Times are monotonic milliseconds.
 */
export interface Pace {
  /** 0 < share ≤ 1 of the service's limit. */
  readonly share: number;
  /** Oldest first. Kept longer than they count, to distinguish them from other clients' requests. */
  sent: Sent[];
  others: SharedRequests;
  /** Slots reserved but not used yet. */
  reserved: number;
  pausedUntilMs: number;
  /** Requests that the service counted and no known process sent: other clients use the key too. */
  otherClients: { readonly count: number; readonly untilMs: number };
  /** The limit in the service's headers. */
  serverLimit: number;
  /** The shortest time between a request and its answer so far. */
  fastestMs: number;
}

export interface Sent {
  readonly takenMs: number;
  answeredMs: number | null;
}

/** The requests of one or more processes, as exchanged between them. */
export interface SharedRequests {
  readonly sentMs: readonly number[];
  readonly pausedUntilMs: number;
}

/** The service's window of 2 s, plus a margin for requests that travel faster or slower than others. */
const WINDOW_MS = 2100;
const MARGIN_MS = 100;
/** The service's limit (Limits). */
const LIMIT = 20;
/** The smallest limit: some requests have to be sent back to back. */
const MIN_LIMIT = 2;
const KEPT_MS = 2 * WINDOW_MS;
/** A request counted up to this long after its sending does not count as another client's. */
const LATE_MS = 400;

export function newPace(share: number): Pace {
  if (!(share > 0 && share <= 1)) throw new RangeError(`a share of the rate limit is over 0 and at most 1, not ${String(share)}`);
  return {
    share,
    sent: [],
    others: { sentMs: [], pausedUntilMs: 0 },
    reserved: 0,
    pausedUntilMs: 0,
    otherClients: { count: 0, untilMs: 0 },
    serverLimit: LIMIT,
    fastestMs: Number.POSITIVE_INFINITY,
  };
}

/** The most requests that one reservation can hold. */
export function largestReservation({ share }: Pace): number {
  return Math.max(MIN_LIMIT, Math.floor(LIMIT * share + 1e-9));
}

/** How long `count` more requests must wait; 0 or less: send them now. Call again after the wait. */
export function waitMs(pace: Pace, count: number, nowMs: number): number {
  const { limit, windowMs } = allowance(pace);
  const times = requestTimes(pace).filter((at) => at > nowMs - windowMs);
  const leaves = (excess: number): number => (excess <= 0 ? nowMs : (times[excess - 1] ?? nowMs) + windowMs);
  const wanted = times.length + pace.reserved + count;
  const amongUs = leaves(wanted - Math.max(limit, count));
  const amongAll = Math.min(otherClientsGoneMs(pace), leaves(wanted + pace.otherClients.count - Math.max(pace.serverLimit, count)));
  return Math.max(amongUs, amongAll, pace.pausedUntilMs, pace.others.pausedUntilMs) - nowMs;
}

/** When other clients' requests stop counting. Then a single request goes first, and its answer shows the current state. */
function otherClientsGoneMs({ otherClients, sent, reserved }: Pace): number {
  if (otherClients.count === 0) return 0;
  const ahead = sent.find((one) => one.answeredMs === null && one.takenMs >= otherClients.untilMs);
  if (ahead) return ahead.takenMs + WINDOW_MS;
  return reserved > 0 ? otherClients.untilMs + WINDOW_MS : otherClients.untilMs;
}

/** A share too small for two requests per window gets two in a longer window. */
function allowance({ share, serverLimit }: Pace): { readonly limit: number; readonly windowMs: number } {
  const allowed = Math.min(LIMIT, serverLimit) * share;
  return { limit: Math.max(MIN_LIMIT, Math.floor(allowed + 1e-9)), windowMs: WINDOW_MS * Math.max(1, MIN_LIMIT / allowed) };
}

function requestTimes(pace: Pace): readonly number[] {
  return [...pace.sent.map((one) => countedMs(pace, one)), ...pace.others.sentMs].toSorted((a, b) => a - b);
}

/**
 * The latest time at which the service's window can have counted a request. If its answer took longer than usual (because
 * it opened the connection, for example), the request may have arrived that much later, and the next one, on a warm
 * connection, must not catch up with it.
 */
export function countedMs({ fastestMs }: Pick<Pace, "fastestMs">, { takenMs, answeredMs }: Sent): number {
  return answeredMs === null ? takenMs : Math.max(takenMs, answeredMs - fastestMs - MARGIN_MS);
}

/** Uses one reserved slot: its request is sent now. */
export function takeSlot(pace: Pace, nowMs: number): Sent {
  const sent: Sent = { takenMs: nowMs, answeredMs: null };
  const { windowMs } = allowance(pace);
  pace.reserved--;
  pace.sent = pace.sent.filter((one) => countedMs(pace, one) > nowMs - Math.max(KEPT_MS, windowMs));
  pace.sent.push(sent);
  return sent;
}

/** Records the time of the answer. */
export function recordAnswer(pace: Pace, sent: Sent, nowMs: number): void {
  sent.answeredMs = nowMs;
  pace.fastestMs = Math.min(pace.fastestMs, nowMs - sent.takenMs);
}

/** The least number of requests that the service counted and the log does not contain. */
export function unexplainedRequests(pace: Pace, sent: Sent, { counted }: RateAdvice): number {
  if (counted === null) return 0;
  const since = sent.takenMs - WINDOW_MS - LATE_MS;
  const known = pace.sent.filter((one) => countedMs(pace, one) > since).length + pace.others.sentMs.filter((at) => at > since).length;
  return Math.max(0, counted.used - known);
}

/** Corrects the pace with the headers of an answer. They can only slow it down. */
export function applyAdvice(pace: Pace, sent: Sent, advice: RateAdvice, nowMs: number): void {
  const { counted, resetMs, resetAtLeastMs, retryMs } = advice;
  if (retryMs !== null) pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + retryMs);
  if (counted === null) return;
  const none = counted.used >= counted.limit;
  if (none) pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + resetAtLeastMs);
  pace.serverLimit = counted.limit;
  pace.otherClients = { count: unexplainedRequests(pace, sent, advice), untilMs: nowMs + ((none ? resetMs : null) ?? WINDOW_MS) };
}

/** This process's requests, for the other processes. Reserved slots count as sent now. */
export function requestsToShare(pace: Pace, nowMs: number): SharedRequests {
  const { windowMs } = allowance(pace);
  const sentMs = pace.sent.map((one) => countedMs(pace, one)).filter((at) => at > nowMs - Math.max(KEPT_MS, windowMs));
  return { sentMs: [...sentMs, ...Array.from({ length: pace.reserved }, () => nowMs)], pausedUntilMs: pace.pausedUntilMs };
}
