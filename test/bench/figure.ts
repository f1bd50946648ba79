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

/** A ratio of nothing says that nothing was measured: the bench did not set up its case. */
export function isMet({ ratio, goal, broken }: Figure): boolean {
  return broken === undefined && ratio > 0 && ("atLeast" in goal ? ratio >= goal.atLeast : ratio <= goal.atMost);
}

/** The figure on one line, for people who wait for it. */
export function figureLine(figure: Figure): string {
  const { name, measured, ratio, goal, broken = ratio > 0 ? undefined : "nothing was measured" } = figure;
  const bound = "atLeast" in goal ? `>= ${String(goal.atLeast)}` : `<= ${String(goal.atMost)}`;
  return `${isMet(figure) ? "met   " : "MISSED"}  ${name}: ${measured}; ratio ${ratio.toFixed(3)}, goal ${bound}${broken === undefined ? "" : `; ${broken}`}`;
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** The milliseconds from a program's start to its end. */
export async function timeToExit(
  command: string,
  words: readonly string[],
  { cwd }: { readonly cwd?: string } = {},
): Promise<number> {
  const start = performance.now();
  const [code] = (await once(spawn(command, words, { stdio: "ignore", cwd }), "exit")) as [number | null];
  if (code !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${String(code)}`);
  return performance.now() - start;
}
