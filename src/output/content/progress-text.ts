import type { ProgressCounts, ProgressEvent } from "./output-format.ts";
import { visible } from "../../core/model/visible.ts";

const WORDS = {
  create: ["Creating...", "Creation"],
  delete: ["Destroying...", "Destruction"],
} as const;
const ENDINGS = { complete: "complete", errored: "errored", unsure: "without a definite answer" } as const;

/** The line about one address, in Terraform's words, without a line end. */
export function progressText({ kind, phase, address, id, elapsedMs, gapMs }: ProgressEvent): string {
  const [begun, what] = WORDS[phase];
  const where = visible(address);
  const withId = id === null ? "" : ` [id=${id}]`;
  if (kind === "start") return `${where}: ${begun}${withId}`;
  const gap = gapMs === undefined ? "" : ` (gap ${gapText(gapMs)})`;
  return `${where}: ${what} ${ENDINGS[kind]} after ${durationText(elapsedMs)}${gap}${kind === "complete" ? withId : ""}`;
}

/** `0.14 s`, rounded up: it is an upper bound. */
function gapText(gapMs: number): string {
  return `${(Math.ceil(gapMs / 10) / 100).toFixed(2)} s`;
}

/** The line that a terminal redraws during an apply, without a line end. */
export function liveLine(counts: ProgressCounts): string {
  const { done, total, failed } = counts;
  const { rate, leftMs } = paceOf(counts);
  const parts = [
    `${String(done)}/${String(total)}`,
    ...(failed > 0 ? [`${String(failed)} failed`] : []),
    ...(rate === null ? [] : [`${rate}/s`]),
    ...(leftMs === null ? [] : [`${durationText(leftMs)} left`]),
  ];
  return parts.join(" · ");
}

/** The line that a log gets every ten seconds during an apply, without a line end. */
export function logLine(counts: ProgressCounts): string {
  const { done, total, failed, elapsedMs } = counts;
  const { rate, leftMs } = paceOf(counts);
  const parts = [
    `Still applying: ${String(done)} of ${String(total)} done`,
    ...(failed > 0 ? [`${String(failed)} of them failed`] : []),
    `${durationText(elapsedMs)} elapsed`,
    ...(rate === null ? [] : [`${rate} a second`]),
    ...(leftMs === null ? [] : [`about ${durationText(leftMs)} left`]),
  ];
  return parts.join(", ");
}

/** Null before the first finished step, and for the time left after the last. */
function paceOf({ done, total, elapsedMs }: ProgressCounts): {
  readonly rate: string | null;
  readonly leftMs: number | null;
} {
  if (done === 0 || elapsedMs <= 0) return { rate: null, leftMs: null };
  return {
    rate: ((done * 1000) / elapsedMs).toFixed(1),
    leftMs: done < total ? ((total - done) * elapsedMs) / done : null,
  };
}

/** `9s`, `2m05s`, `1h02m`. */
export function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (count: number): string => String(count).padStart(2, "0");
  if (hours > 0) return `${String(hours)}h${two(minutes)}m`;
  return minutes > 0 ? `${String(minutes)}m${two(seconds % 60)}s` : `${String(seconds)}s`;
}
