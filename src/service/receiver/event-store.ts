/**
 * - `claimed`: handle the event
 * - `done`: it is a duplicate of an event that was handled
 * - `busy`: another delivery of the same event is being handled
 */
export type Claim = "claimed" | "done" | "busy";

/**
 * Remembers which events were handled. A key stands for the handler's `name`, and for an event's `type` and `_id`, which are the same in all
 * its deliveries. The service can deliver an event more than once, also at the same time.
 *
 * The handler waits for the promises of all three functions. In a database, claims must expire, because a process can end before `complete`.
 * Then a second delivery can hold the claim of a first one that still runs. So each delivery has a token of its own, and frees no claim but its own.
 */
export interface EventStore {
  /** Claims the event for the delivery with this token. Of several calls at the same time, only one gets `claimed`. */
  claim(key: string, token: string): Promise<Claim>;
  /** The event was handled: from now on, `claim` gives `done`, also if another delivery has claimed it by now. */
  complete(key: string): unknown;
  /** The delivery with this token failed: if it still holds the claim, the next `claim` gives `claimed`. */
  release(key: string, token: string): unknown;
}

/** How much a store in memory remembers. */
export interface MemoryStoreOptions {
  /** How many handled events to remember; the oldest are forgotten first. 10,000 by default. */
  readonly limit?: number;
  /** After so many milliseconds, an event that is still being handled can be claimed again. 5 minutes by default. */
  readonly claimMs?: number;
  /** The milliseconds since any moment. */
  readonly now: () => number;
}

interface Running {
  readonly token: string;
  readonly since: number;
  /** Resolves when the event is completed or released. */
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/**
 * A store in the memory of this process. `claim` waits for another delivery of the same event that is being handled, so it never
 * gives `busy`.
 */
export function boundedStore({ limit = 10_000, claimMs = 300_000, now }: MemoryStoreOptions): EventStore {
  if (!(limit >= 1)) throw new TypeError("limit must be a number of at least 1.");
  const done = new Set<string>();
  // One iterator: each new one would step over all keys that were deleted.
  const oldest = done.values();
  const running = new Map<string, Running>();
  const end = (key: string): void => {
    running.get(key)?.end();
    running.delete(key);
  };
  return {
    async claim(key, token) {
      for (;;) {
        if (done.has(key)) return "done";
        const other = running.get(key);
        if (other === undefined || now() - other.since >= claimMs) {
          running.set(key, claimOf(token, now(), other));
          return "claimed";
        }
        await other.ended;
      }
    },
    complete(key) {
      done.add(key);
      if (done.size > limit) done.delete(oldest.next().value as string);
      end(key);
    },
    release(key, token) {
      if (running.get(key)?.token === token) end(key);
    },
  };
}

/** Deliveries that wait for an expired claim wait for the one that takes its place. */
function claimOf(token: string, since: number, expired: Running | undefined): Running {
  let resolve = (): void => undefined;
  const ended = new Promise<void>((done) => {
    resolve = done;
  });
  const end = (): void => {
    expired?.end();
    resolve();
  };
  return { token, since, ended, end };
}
