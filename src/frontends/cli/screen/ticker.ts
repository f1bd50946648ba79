import type { Ports } from "../../../operations/context.ts";
import type { CommandContext } from "../command-context.ts";

const LIVE_EVERY_MS = 1000;
const LOG_EVERY_MS = 10_000;

/** Calls `show` every second if it redraws a line of a terminal, otherwise every ten seconds, until `end` is called. */
export function startTicker(clock: Ports["clock"], isLive: boolean, show: () => void): { end(): Promise<void> } {
  const over = new AbortController();
  async function tick(): Promise<void> {
    while (!over.signal.aborted) {
      await clock.sleep(isLive ? LIVE_EVERY_MS : LOG_EVERY_MS, over.signal).catch(() => undefined);
      if (!over.signal.aborted) show();
    }
  }
  const ticking = tick();
  return {
    end: async () => {
      over.abort();
      await ticking;
    },
  };
}

/** Whether a line of the messages can be redrawn. A terminal may not know its width. */
export function canRedraw({ columns, isOneScreen, environment }: CommandContext): boolean {
  return (columns !== null || isOneScreen) && environment["TERM"] !== "dumb";
}
