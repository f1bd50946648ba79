import { HELD_MS, MAX_PAUSE_MS, type SharedRequests } from "./pace.ts";
import { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY, type PacingFiles, close, discard, hasCode } from "./pacing-files.ts";
import { FULL_MARGIN_MS } from "./travel.ts";

/** One participant's part of the file. Each participant rewrites only its own part. */
export interface Part extends SharedRequests {
  readonly participant: string;
}

const FORMAT = "outreach pacing 2";
const MAX_BYTES = 256 * 1024;
const MAX_PARTS = 64;
const MAX_COUNTED = 128;
const MAX_HELD = 20;
/** How long requests are kept: the longest window of a small share. */
const MEMORY_MS = 240_000;
const MAX_FASTEST_MS = 2000;

/** The parts that still count. A damaged file counts as empty: the next writer replaces it. */
export function readParts(files: PacingFiles, path: string, nowMs: number): readonly Part[] {
  let file: number;
  try {
    file = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
  try {
    const { size } = files.fstatSync(file);
    return size > MAX_BYTES ? [] : parseParts(files.readFileSync(file, "utf8"), nowMs);
  } finally {
    close(files, file);
  }
}

function parseParts(text: string, nowMs: number): readonly Part[] {
  try {
    const { format, parts } = JSON.parse(text) as { readonly format?: unknown; readonly parts?: unknown };
    if (format !== FORMAT || !Array.isArray(parts)) return [];
    return parts
      .filter(isPart)
      .slice(-MAX_PARTS)
      .filter((part) => !isAhead(part, nowMs))
      .map((part) => plausible(part, nowMs))
      .filter((part) => isCurrent(part, nowMs));
  } catch {
    return [];
  }
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

/**
 * Whether a part is from before the system started, or from a machine with another clock. If its requests counted as now, a
 * process that cannot replace the file would wait for ever, and one beside a busy machine until that one is done.
 */
function isAhead({ countedMs, held, heldUntilMs }: Part, nowMs: number): boolean {
  // Times are rounded up.
  return countedMs.some((at) => at > nowMs + FULL_MARGIN_MS + 1) || (held > 0 && heldUntilMs > nowMs + HELD_MS + 1);
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

export function writeParts(files: PacingFiles, path: string, parts: readonly Part[]): void {
  const draft = `${path}.new`;
  const written = parts.slice(-MAX_PARTS).map((part) => ({ ...part, countedMs: part.countedMs.slice(-MAX_COUNTED).map(Math.ceil) }));
  const file = files.openSync(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    files.writeFileSync(file, JSON.stringify({ format: FORMAT, parts: written }));
  } catch (error) {
    discard(files, draft);
    throw error;
  } finally {
    close(files, file);
  }
  files.renameSync(draft, path);
}
