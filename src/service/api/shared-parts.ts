import type { SharedRequests } from "./pace.ts";
import { MAX_PAUSE_MS } from "./rate-headers.ts";

/** One participant's part of a shared log. Each participant rewrites only its own part. */
export interface Part extends SharedRequests {
  readonly participant: string;
}

const MAX_PARTS = 64;
const MAX_COUNTED = 128;
const MAX_HELD = 20;
/** How long requests are kept: the longest window of a small share. */
const MEMORY_MS = 240_000;
const MAX_FASTEST_MS = 2000;

/** The parts in a log's content, which is not trusted. */
export function partsOf(content: unknown): readonly Part[] {
  return Array.isArray(content) ? content.filter(isPart).slice(-MAX_PARTS) : [];
}

function isPart(value: unknown): value is Part {
  const part = (value ?? {}) as { readonly [name: string]: unknown };
  const { participant, countedMs, held, heldUntilMs, pausedUntilMs, fastestMs } = part;
  return (
    typeof participant === "string" &&
    [held, heldUntilMs, pausedUntilMs].every(Number.isFinite) &&
    (fastestMs === null || Number.isFinite(fastestMs)) &&
    Array.isArray(countedMs) &&
    countedMs.length <= MAX_COUNTED &&
    countedMs.every(Number.isFinite)
  );
}

/** The parts that still say something, within the limits of what they can say. */
export function currentParts(parts: readonly Part[], nowMs: number): readonly Part[] {
  return parts.map((part) => plausible(part, nowMs)).filter((part) => isCurrent(part, nowMs));
}

function plausible(part: Part, nowMs: number): Part {
  return {
    participant: part.participant,
    countedMs: part.countedMs,
    held: Math.min(Math.max(0, part.held), MAX_HELD),
    heldUntilMs: part.heldUntilMs,
    pausedUntilMs: part.pausedUntilMs <= nowMs + MAX_PAUSE_MS ? part.pausedUntilMs : 0,
    fastestMs: part.fastestMs === null ? null : Math.min(Math.max(0, part.fastestMs), MAX_FASTEST_MS),
  };
}

function isCurrent({ countedMs, held, heldUntilMs, pausedUntilMs }: Part, nowMs: number): boolean {
  return pausedUntilMs > nowMs || (held > 0 && heldUntilMs > nowMs) || countedMs.some((at) => at > nowMs - MEMORY_MS);
}

export function partsToWrite(parts: readonly Part[]): readonly Part[] {
  return parts
    .slice(-MAX_PARTS)
    .map((part) => ({ ...part, countedMs: part.countedMs.slice(-MAX_COUNTED).map(Math.ceil) }));
}
