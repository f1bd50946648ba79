import { type Diagnostic, warningOf, noteOf } from "../../model/diagnostic.ts";
import type { Clock } from "../../model/ports.ts";
import { parsedTimeMs } from "../../model/iso-time.ts";
import { pendingIntents } from "../../state/journal-event.ts";
import type { OpenState } from "../../state/open-state.ts";
import type { HeldLockInfo } from "../../state/state-store.ts";

/** How long a run counts as being at work after its last sign of life, where nobody can check its process. */
const AT_WORK_MS = 3_600_000;

/** Who holds the lock of the state; `hidden` where this run cannot see that. */
export type SeenLock = HeldLockInfo | "hidden" | null;

/**
 * Whether what recovery has found out waits for an apply to record it. It does not while the run that left it may still be at
 * work: that run records it itself. `seenLock` is absent where this run has the lock: then no other run is at work.
 */
export async function waitsForApply(
  open: Pick<OpenState, "document" | "restored">,
  { clock, seenLock }: { readonly clock: Clock; readonly seenLock?: () => Promise<SeenLock> },
): Promise<{ readonly waits: boolean; readonly diagnostics: readonly Diagnostic[] }> {
  const lock = seenLock ? await seenLock() : null;
  if (lock === null || (lock !== "hidden" && lock.fate === "ended")) return { waits: true, diagnostics: [] };
  const sinceMs = parsedTimeMs((lock === "hidden" ? null : lock.since) ?? "") ?? 0;
  const sentMs = pendingIntents([...open.document.pending, ...(open.restored?.events ?? [])]).map(
    ({ lastAtMs }) => lastAtMs,
  );
  const isQuiet = clock.now() - Math.max(...sentMs, sinceMs) >= AT_WORK_MS;
  if (lock === "hidden") return { waits: isQuiet, diagnostics: [isQuiet ? LOCK_HIDDEN : HIDDEN_AT_WORK] };
  const waits = isQuiet && lock.fate === "unknown";
  return {
    waits,
    diagnostics: [
      waits
        ? lockLeft(lock)
        : atWork(
            `The state is locked by ${lock.holder}. That run may still record what became of its writes, so this counts as no change.`,
          ),
    ],
  };
}

function atWork(detail: string): Diagnostic {
  return noteOf("run_at_work", "Another run may still be at work", { detail });
}

const HIDDEN_AT_WORK = atWork(
  "Without the lock, this run cannot see whether the run that sent them is still at work. It may still record what became of its writes, so this counts as no change until it has sent nothing for an hour.",
);

function lockLeft({ id, holder }: HeldLockInfo): Diagnostic {
  return warningOf("lock_left", "A run has left its lock", {
    detail: `The state is locked by ${holder} (lock id ${id}). Whether that run is still at work cannot be checked here, but it has sent nothing for an hour. An apply has to wait for the lock.`,
    ways: [{ kind: "unlock", id }],
  });
}

const LOCK_HIDDEN: Diagnostic = noteOf("lock_left", "A run may have left its lock", {
  detail:
    "The run that sent them has sent nothing for an hour. Without the lock, this run cannot see whether that one has left its lock: if it has, the next apply shows the id.",
  ways: [{ kind: "unlock", id: "LOCK_ID" }],
});
