import { CLEAR_LINE } from "../../../output/content/paint.ts";
import type { Environment, Ports } from "../../../operations/context.ts";
import type { Messages, Output } from "../command-context.ts";
import { canRedraw } from "../screen/redrawn-line.ts";
import { grouped } from "./delivery-text.ts";

const SHOW_EVERY_MS = 200;

/** One line on a terminal that is redrawn while many events are triggered; nothing elsewhere. Call `end` afterwards, which clears it. */
export function openProgress(
  context: Environment & Messages & Pick<Output, "isOneScreen"> & Pick<Ports, "clock">,
  count: number,
): { show(results: { readonly triggered: number; readonly unfinished: number }): void; end(): void } {
  const { clock, notice } = context;
  const isShown = count > 1 && canRedraw(context);
  let shownMs: number | null = null;
  return {
    show: ({ triggered, unfinished }) => {
      const nowMs = clock.monotonicMs();
      if (!isShown || (shownMs !== null && nowMs - shownMs < SHOW_EVERY_MS)) return;
      shownMs = nowMs;
      notice(`${CLEAR_LINE}Triggered ${grouped(triggered)} of ${grouped(count)} events. Unfinished deliveries: ${grouped(unfinished)}`);
    },
    end: () => {
      if (shownMs !== null) notice(CLEAR_LINE);
    },
  };
}
