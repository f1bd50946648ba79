import { RESERVED_MS, LIMIT, type SharedRequests } from "../service/api/pace.ts";
import type { PacingClock, RequestCounts } from "../service/api/pacer.ts";
import { type Part, currentParts, partsOf, partsToWrite } from "../service/api/shared-parts.ts";
import { FULL_MARGIN_MS } from "../service/api/travel.ts";

/** The rows that all processes share: one for each key. */
export interface BudgetRows {
  /**
   * Locks the row of a key, which is added if absent, and stores what `change` returns. Runs `change` at most once. Rejects
   * with `FleetUnavailable` if the database does not confirm it: then the row may have changed.
   */
  change(key: string, change: (row: BudgetRow) => readonly Part[]): Promise<void>;
}

/** A locked row. The database's times are milliseconds since 1970. */
export interface BudgetRow {
  readonly parts: unknown;
  /** The database's time since which no requests were forgotten; null if unknown. */
  readonly sinceMs: number | null;
  /** This process's monotonic time before the transaction began. */
  readonly sentMs: number;
  /** The database's time when the transaction had begun. */
  readonly beganMs: number;
  /** The database's time when the row was locked. */
  readonly lockedMs: number;
}

/** How much the database's clock is ahead of this process's monotonic one: measured at this monotonic time. */
interface Ahead {
  readonly atMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

/** How long a jump of the database's clock matters: requests from before it count for a window and the margins. */
const JUMP_MS = 4200;

/**
 * The log of the requests of one key, in a row that all processes share. Its times are those of the database's clock. Each
 * exchange measures how far this process's clock is off, and takes what the way to the database leaves open to the safe side:
 * requests count later than they may have been.
 */
export function sharedBudget(
  clock: PacingClock,
  rows: BudgetRows,
  { key, participant }: { readonly key: string; readonly participant: string },
): RequestCounts {
  let others: readonly SharedRequests[] | null = null;
  let measured: readonly Ahead[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  function changeRow(row: BudgetRow, decide: (others: readonly SharedRequests[]) => SharedRequests): readonly Part[] {
    const nowMs = clock.monotonicMs();
    const ahead = { atMs: nowMs, leastMs: row.lockedMs - nowMs, mostMs: row.beganMs - row.sentMs };
    measured = [...measured.filter(({ atMs }) => atMs > nowMs - JUMP_MS), ahead];
    const known = partsOf(row.parts).map((part) => endByNow(part, row.lockedMs));
    const parts = currentParts(known.length > 0 ? known : [unknownPart(row)], row.lockedMs).filter(
      (part) => part.participant !== participant,
    );
    const leastMs = leastAhead(measured, ahead);
    others = parts.map((part) => ({
      ...endByNow(shift(part, -leastMs), nowMs),
      pausedUntilMs: part.pausedUntilMs - ahead.leastMs,
    }));
    return partsToWrite([...parts, { participant, ...shift(decide(others), ahead.mostMs) }]);
  }

  return {
    // One at a time: they would wait for each other's lock, each with a connection.
    exchange: (decide) => {
      const exchanged = turn.then(() => rows.change(key, (row) => changeRow(row, decide)));
      turn = exchanged.catch(() => undefined);
      return exchanged;
    },
    peek: () => others,
  };
}

function shift<T extends SharedRequests>(requests: T, byMs: number): T {
  const { countedMs, heldUntilMs, pausedUntilMs } = requests;
  return {
    ...requests,
    countedMs: countedMs.map((at) => at + byMs),
    heldUntilMs: heldUntilMs + byMs,
    pausedUntilMs: pausedUntilMs + byMs,
  };
}

/** A new row: a crash of the database may have emptied the table. All slots may have been reserved before, and not used yet. */
function unknownPart({ sinceMs, lockedMs }: BudgetRow): Part {
  const heldUntilMs = Math.min(sinceMs ?? lockedMs, lockedMs) + RESERVED_MS;
  return { participant: "", countedMs: [], held: LIMIT, heldUntilMs, pausedUntilMs: 0, fastestMs: null };
}

/** Times after now are from before the database's clock was set back, or from after it was set ahead: they count from now. */
function endByNow(part: Part, nowMs: number): Part {
  const countedMs = part.countedMs.map((at) => Math.min(at, nowMs + FULL_MARGIN_MS));
  return { ...part, countedMs, heldUntilMs: Math.min(part.heldUntilMs, nowMs + RESERVED_MS) };
}

/** If the database's clock jumped ahead, what was noted before is younger than it seems. */
function leastAhead(measured: readonly Ahead[], { leastMs }: Ahead): number {
  return Math.min(leastMs, ...measured.filter((before) => before.mostMs < leastMs).map((before) => before.leastMs));
}
