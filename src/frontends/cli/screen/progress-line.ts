import { CLEAR_LINE } from "../../../output/content/paint.ts";
import { durationText } from "../../../output/content/progress-text.ts";
import type { CommandContext } from "../command-context.ts";
import { canRedraw, startTicker } from "./ticker.ts";

/** Shows progress on stderr: a line that is redrawn on a terminal, elsewhere one every ten seconds. Call `end` afterwards, which clears the line. */
export function showProgress(
  context: CommandContext,
  lineOf: (isLive: boolean, elapsed: string) => string,
): { end(): Promise<void> } {
  const { clock, notice } = context;
  // Several teams share a terminal.
  const isLive = canRedraw(context) && !context.isPart;
  const begunMs = clock.monotonicMs();
  const show = (): void => {
    const line = lineOf(isLive, durationText(clock.monotonicMs() - begunMs));
    notice(isLive ? `${CLEAR_LINE}${line}` : `${line}\n`);
  };
  if (isLive) show();
  const ticker = startTicker(clock, isLive, show);
  return {
    end: async () => {
      await ticker.end();
      if (isLive) notice(CLEAR_LINE);
    },
  };
}
