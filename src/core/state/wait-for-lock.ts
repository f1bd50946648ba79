import { type Diagnostic, DiagnosticsError } from "../model/diagnostic.ts";
import type { Clock } from "../model/ports.ts";
import type { LockHolder, StateStore } from "./state-store.ts";

/** What a run asks of a store that it locks. */
export interface LockRequest {
  readonly holder: LockHolder;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly waitsFor: NonNullable<Parameters<StateStore["lock"]>[3]>;
}

/** Another run has the lock. */
export interface HeldByOther {
  /** The holder in words; null while nobody says who it is. */
  readonly holder: string | null;
  /** Why the run ends if it waits no longer. */
  readonly problem: Diagnostic;
  /** How long this may last at least, whatever the run's time-out. */
  readonly lastsMs?: number;
  /** When to try again. */
  readonly pollMs: number;
}

/** Tries to take a lock until it is free, and returns it. After the time-out, throws why it is not. Reports the first holder that it waits for. */
export async function waitForLock<T>(
  tryLock: () => Promise<{ readonly taken: T } | { readonly held: HeldByOther }>,
  {
    timeoutMs,
    signal,
    waitsFor,
    clock,
  }: Omit<LockRequest, "holder"> & { readonly clock: Pick<Clock, "monotonicMs" | "sleep"> },
): Promise<T> {
  const begunMs = clock.monotonicMs();
  let hasReported = false;
  for (;;) {
    const tried = await tryLock();
    if ("taken" in tried) return tried.taken;
    const { holder, problem, lastsMs = 0, pollMs } = tried.held;
    const leftMs = begunMs + Math.max(timeoutMs, lastsMs) - clock.monotonicMs();
    if (leftMs <= 0) throw new DiagnosticsError([problem]);
    if (!hasReported && holder !== null) waitsFor(holder);
    hasReported ||= holder !== null;
    await clock.sleep(Math.min(pollMs, leftMs), signal);
  }
}
