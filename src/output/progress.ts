import { visible } from "./visible.ts";

/** What happens to one address while a plan is applied. */
export interface ProgressEvent {
  /** `unsure`: whether it was carried out is not known yet. */
  readonly kind: "start" | "complete" | "errored" | "unsure";
  readonly phase: "create" | "delete";
  readonly address: string;
  readonly id: string | null;
  readonly elapsedMs: number;
}

/** How far an apply has come. */
export interface ProgressCounts {
  /** Steps that are over, whatever became of them. */
  readonly done: number;
  readonly total: number;
  /** Those of them that failed, or whose outcome is not decided. */
  readonly failed: number;
  readonly elapsedMs: number;
}

const WORDS = {
  create: ["Creating...", "Creation"],
  delete: ["Destroying...", "Destruction"],
} as const;
const ENDINGS = { complete: "complete", errored: "errored", unsure: "without a definite answer" } as const;

/** The line about one address, in Terraform's words, without a line end. */
export function progressText({ kind, phase, address, id, elapsedMs }: ProgressEvent): string {
  const [begun, what] = WORDS[phase];
  const where = visible(address);
  const withId = id === null ? "" : ` [id=${id}]`;
  if (kind === "start") return `${where}: ${begun}${withId}`;
  return `${where}: ${what} ${ENDINGS[kind]} after ${durationText(elapsedMs)}${kind === "complete" ? withId : ""}`;
}

/** The line that a terminal shows anew again and again while an apply is under way, without a line end. */
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

/** The line that stands in a log every ten seconds while an apply is under way, without a line end. */
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

/** Nothing can be said of the pace before something is done, nor of the time left once everything is. */
function paceOf({ done, total, elapsedMs }: ProgressCounts): { readonly rate: string | null; readonly leftMs: number | null } {
  if (done === 0 || elapsedMs <= 0) return { rate: null, leftMs: null };
  return { rate: ((done * 1000) / elapsedMs).toFixed(1), leftMs: done < total ? ((total - done) * elapsedMs) / done : null };
}

/** `9s`, `2m05s`, `1h02m`. */
export function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (count: number): string => String(count).padStart(2, "0");
  if (hours > 0) return `${String(hours)}h${two(minutes)}m`;
  return minutes > 0 ? `${String(minutes)}m${two(seconds % 60)}s` : `${String(seconds)}s`;
}
