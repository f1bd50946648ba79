import { untilAborted } from "../core/model/async.ts";
import type { ProgressEvent } from "./library-options.ts";

/** What calls functions of the program, and keeps their first failure. */
export interface ProgramCalls {
  /** Aborted by the program's signal, and by a failure. */
  readonly stop: AbortSignal;
  readonly report: (event: ProgressEvent) => void;
  /** Calls a function whose answer the operation needs; an abort of `signal` ends the wait. A failure is kept, and thrown. */
  ask<T>(call: () => T | Promise<T>, signal: AbortSignal): Promise<T>;
  /** Waits for what `report` has begun, and throws the failure that was kept. */
  end(): Promise<void>;
}

/** A failure of one of the program's own functions ends the operation as an abort does. */
export function programCalls({
  signal,
  onProgress,
}: {
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: ProgressEvent) => unknown;
}): ProgramCalls {
  const failed = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const reports = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | null = null;
  const fail = (error: unknown): void => {
    failure ??= { error };
    failed.abort();
  };
  return {
    stop,
    report: (event) => {
      const reporting = callNow(() => onProgress?.(event) as void | Promise<void>)
        .catch(fail)
        .finally(() => reports.delete(reporting));
      reports.add(reporting);
    },
    ask: async (call, until) => {
      try {
        return await untilAborted(callNow(call), until);
      } catch (error) {
        if (!until.aborted) fail(error);
        throw error;
      }
    },
    end: async () => {
      if (!stop.aborted) await untilAborted(Promise.all(reports), stop).catch(() => undefined);
      if (failure) throw failure.error;
    },
  };
}

/** Calls a function now, and makes a promise of what it returns or throws. */
async function callNow<T>(call: () => T | Promise<T>): Promise<T> {
  return call();
}
