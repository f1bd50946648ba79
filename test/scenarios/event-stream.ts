import { setTimeout as delay } from "node:timers/promises";
import type { Sandbox } from "../../src/sandbox/server.ts";

const PER_SECOND = 50;
const PATIENCE_MS = 60_000;

/** One event that the sandbox recorded. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** How many webhooks were for it at that time. */
  readonly webhooks: number;
}

/** Events at a constant rate. */
export interface EventStream {
  readonly events: readonly StreamedEvent[];
  /** Waits for so many more events. */
  more(count: number): Promise<void>;
  /** Ends the stream, and waits until the sandbox has delivered what it will. */
  end(): Promise<void>;
}

/** Has the sandbox record 50 events a second, of each type in turn: fewer where the machine is too slow, but never several at once. */
export function startEvents(sandbox: Sandbox, types: readonly string[]): EventStream {
  const events: StreamedEvent[] = [];
  const over = new AbortController();
  const webhooksFor = (type: string): number => sandbox.webhooks().filter((webhook) => webhook.type === type).length;
  const trigger = (type: string): void => {
    const webhooks = webhooksFor(type);
    // The state of the lead is another event, of another type.
    const recorded = sandbox.trigger({ type }).find((event) => event.type === type);
    if (!recorded) throw new Error(`${type} was not recorded`);
    events.push({ id: recorded._id, type, atMs: Date.now(), webhooks });
  };
  const run = async (): Promise<void> => {
    let nextMs = performance.now();
    for (let count = 0; !over.signal.aborted; count++) {
      nextMs = Math.max(nextMs + 1000 / PER_SECOND, performance.now());
      await delay(nextMs - performance.now(), undefined, { signal: over.signal }).catch(() => undefined);
      const type = types[count % types.length];
      if (!over.signal.aborted && type !== undefined) trigger(type);
    }
  };
  const running = run();
  return {
    events,
    more: async (count) => {
      const wanted = events.length + count;
      await until(`${String(wanted)} events`, () => events.length >= wanted);
    },
    end: async () => {
      over.abort();
      await running;
      await sandbox.whenIdle();
    },
  };
}

/** Waits for a condition, and fails after a minute. */
export async function until(what: string, isMet: () => boolean): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!isMet()) {
    if (performance.now() > endMs) throw new Error(`still waiting for ${what}`);
    await delay(5);
  }
}
