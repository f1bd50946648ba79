import { spawn } from "node:child_process";
import { once } from "node:events";

/** One figure with a goal. */
export interface Figure {
  readonly name: string;
  /** The measurement as text. */
  readonly measured: string;
  readonly ratio: number;
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
  /** Another requirement that is not met. */
  readonly broken?: string;
}

export function isMet({ ratio, goal, broken }: Figure): boolean {
  return broken === undefined && ("atLeast" in goal ? ratio >= goal.atLeast : ratio <= goal.atMost);
}

/** One line per figure, in columns. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    figure.measured,
    "atLeast" in figure.goal ? `>= ${String(figure.goal.atLeast)}` : `<= ${String(figure.goal.atMost)}`,
    figure.ratio.toFixed(3),
    isMet(figure) ? "met" : `MISSED${figure.broken === undefined ? "" : `: ${figure.broken}`}`,
  ]);
  const all = [["measure", "figure", "goal", "ratio", ""], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** The milliseconds from a program's start to its end. */
export async function timeToExit(command: string, words: readonly string[], { cwd }: { readonly cwd?: string } = {}): Promise<number> {
  const start = performance.now();
  const [code] = (await once(spawn(command, words, { stdio: "ignore", cwd }), "exit")) as [number | null];
  if (code !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${String(code)}`);
  return performance.now() - start;
}
