import { CLEAR_LINE } from "../../../output/content/paint.ts";
import { durationText } from "../../../output/content/progress-text.ts";
import type { Environment, Ports } from "../../../operations/context.ts";
import type { Messages, Output } from "../command-context.ts";
import { canRedraw, startTicker } from "../screen/ticker.ts";

const BAR_WIDTH = 20;

/** How far an export or its download is. */
export interface ExportProgress {
  readonly phase: "exporting" | "downloading";
  /** Null or 0 where the service does not say. */
  readonly total: number | null;
  readonly done: number | null;
}

/** Shows progress on stderr: a bar on a terminal, elsewhere a line every ten seconds. Call `end` afterwards, which clears the bar. */
export function showExportProgress(context: Environment & Messages & Pick<Output, "isOneScreen"> & Pick<Ports, "clock">): {
  report(progress: ExportProgress): void;
  end(): Promise<void>;
} {
  const { clock, notice } = context;
  const isLive = canRedraw(context);
  const begunMs = clock.monotonicMs();
  let latest: ExportProgress = { phase: "exporting", done: null, total: null };
  const show = (): void => {
    const elapsed = durationText(clock.monotonicMs() - begunMs);
    notice(isLive ? `${CLEAR_LINE}${barLine(latest, elapsed)}` : `${logLine(latest, elapsed)}\n`);
  };
  if (isLive) show();
  const ticker = startTicker(clock, isLive, show);
  return {
    report: (progress) => {
      latest = progress;
    },
    end: async () => {
      await ticker.end();
      if (isLive) notice(CLEAR_LINE);
    },
  };
}

/** `Exporting [#####---------------] 13/52 · 12s`. */
function barLine({ phase, done, total }: ExportProgress, elapsed: string): string {
  const verb = phase === "exporting" ? "Exporting" : "Downloading";
  if (done === null || !total) return `${verb} · ${elapsed}`;
  const filled = Math.floor(BAR_WIDTH * Math.min(1, done / total));
  const counts = phase === "exporting" ? `${String(done)}/${String(total)}` : `${megabytes(done)}/${megabytes(total)} MB`;
  return `${verb} [${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${counts} · ${elapsed}`;
}

/** `Still exporting: 13 of 52, 12s elapsed`. */
function logLine({ phase, done, total }: ExportProgress, elapsed: string): string {
  const counts = phase === "exporting" ? `${String(done)} of ${String(total)}` : `${megabytes(done ?? 0)} of ${megabytes(total ?? 0)} MB`;
  return done === null || !total ? `Still ${phase}: ${elapsed} elapsed` : `Still ${phase}: ${counts}, ${elapsed} elapsed`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
