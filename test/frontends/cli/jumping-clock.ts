import diagnostics from "node:diagnostics_channel";
import { setMaxListeners } from "node:events";
import { performance } from "node:perf_hooks";
import type { Clock } from "../../../src/core/model/ports.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import type { SandboxClock } from "../../../src/sandbox/sandbox-time.ts";
import { pendingScrypts } from "./remembered-scrypt.ts";

/** The machine's clock, except that it jumps over waits. */
export interface JumpingClock extends Clock {
  /** The same time for the service. When it alone waits, the clock does not jump. */
  readonly ofService: SandboxClock;
  /** How far it is ahead of the machine's clock. */
  aheadMs(): number;
  /** Lets this time pass at once. */
  pass(durationMs: number): void;
  /** Until `work` ends: while nothing happens in it but waiting, the clock jumps to the end of the shortest wait. */
  jumpDuring<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly ofService: boolean;
  readonly atMs: number;
  readonly wake: () => void;
}

const NEVER = new AbortController().signal;
const LOOK_EVERY_MS = 2;
/** What Node has open while nothing happens. A file that is read and a process that runs have other names. */
const PASSIVE: ReadonlySet<string> = new Set([
  "PipeWrap",
  "TTYWrap",
  "MessagePort",
  "TCPServerWrap",
  "TCPSocketWrap",
  "Timeout",
]);
/** Of the time between two looks. */
const QUIET = 0.5;

/** Requests of this process that have no whole answer yet. Waiting for one takes real time: the transport's timers are real. */
const requests = new Set<object>();
diagnostics.subscribe("http.client.request.start", (message) => {
  const { request } = message as { readonly request: NodeJS.EventEmitter };
  requests.add(request);
  request.once("close", () => requests.delete(request));
});

/** Digests and signatures of this process that are under way. Node does not name them. */
let pendingDigests = 0;
for (const name of ["digest", "sign", "importKey"] as const) {
  const original = crypto.subtle[name].bind(crypto.subtle) as (...given: readonly unknown[]) => Promise<unknown>;
  const counted = async (...given: readonly unknown[]): Promise<unknown> => {
    pendingDigests++;
    try {
      return await original(...given);
    } finally {
      pendingDigests--;
    }
  };
  Object.defineProperty(crypto.subtle, name, { value: counted });
}

export function jumpingClock(): JumpingClock {
  const sleepers = new Set<Sleeper>();
  let ahead = 0;
  let working = 0;
  let looking: NodeJS.Timeout | null = null;
  const monotonicMs = (): number => nodeClock.monotonicMs() + ahead;

  function wakeDue(): void {
    const dueMs = monotonicMs();
    for (const sleeper of [...sleepers].toSorted((a, b) => a.atMs - b.atMs)) if (sleeper.atMs <= dueMs) sleeper.wake();
  }

  function pass(durationMs: number): void {
    ahead += Math.max(0, durationMs);
    wakeDue();
  }

  function look(before: ReturnType<typeof performance.eventLoopUtilization>): void {
    looking = null;
    if (isWaiting() && isIdle(before)) pass(Math.min(...[...sleepers].map(({ atMs }) => atMs)) - monotonicMs());
    lookSoon();
  }

  function isWaiting(): boolean {
    return working > 0 && [...sleepers].some(({ ofService }) => !ofService);
  }

  function lookSoon(): void {
    if (looking !== null || !isWaiting()) return;
    const before = performance.eventLoopUtilization();
    looking = setTimeout(() => look(before), LOOK_EVERY_MS);
  }

  function sleep(durationMs: number, signal: AbortSignal, ofService: boolean): Promise<void> {
    setMaxListeners(0, signal);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const end = (): void => {
        sleepers.delete(sleeper);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason as Error);
      };
      const wake = (): void => {
        end();
        resolve();
      };
      const sleeper = { atMs: monotonicMs() + durationMs, wake, ofService };
      const timer = setTimeout(wake, durationMs);
      sleepers.add(sleeper);
      signal.addEventListener("abort", onAbort, { once: true });
      lookSoon();
    });
  }

  const now = (): number => Math.round(performance.timeOrigin + performance.now() + ahead);
  return {
    now,
    monotonicMs,
    aheadMs: () => ahead,
    ofService: {
      now: () => notAWholeSecond(now()),
      sleep: (durationMs, signal = NEVER) => sleep(durationMs, signal, true),
    },
    pass,
    sleep: (durationMs, signal) => sleep(durationMs, signal, false),
    jumpDuring: async (work) => {
      working++;
      lookSoon();
      try {
        return await work;
      } finally {
        working--;
      }
    },
  };
}

/** A service that writes times to the second has lists that tell less. One time in a thousand must not look so by chance. */
function notAWholeSecond(ms: number): number {
  return ms % 1000 === 0 ? ms + 1 : ms;
}

/** Whether this process only waits for time: for no answer, no file, no digest and no other process, and it has not computed since. */
function isIdle(before: ReturnType<typeof performance.eventLoopUtilization>): boolean {
  if (requests.size > 0 || pendingScrypts() > 0 || pendingDigests > 0) return false;
  if (process.getActiveResourcesInfo().some((name) => !PASSIVE.has(name))) return false;
  return performance.eventLoopUtilization(before).utilization < QUIET;
}
