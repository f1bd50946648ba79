import type { Choices } from "./run-decisions.ts";

/** One run of a schedule, and how the next one begins. */
export interface Turn {
  readonly choices: Choices;
  /** Where the process dies, and which of the worlds that it may leave it leaves; null if it ends by itself. */
  readonly dies: { readonly at: number; readonly variant: number } | null;
  /** Whether the next process starts at once, or after everything has settled. */
  readonly isSettled: boolean;
}

/** `12.3,40.1!7.2~`: choices by point and option, `!` a death with its variant, `~` where the next run waits. */
export function scheduleText(turns: readonly Turn[]): string {
  return turns
    .map(({ choices, dies, isSettled }) => {
      const chosen = choices.map(([point, option]) => `${String(point)}.${String(option)}`).join(",");
      const death = dies ? `!${String(dies.at)}.${String(dies.variant)}` : "";
      return `${chosen}${death}${isSettled ? "~" : ""}`;
    })
    .join("/");
}

export function parseSchedule(text: string): readonly Turn[] {
  return text.split("/").map((turn) => {
    const [, chosen = "", death, wait] = /^([^!~]*)(?:!([^~]*))?(~?)$/.exec(turn) ?? [];
    const pairs = (part: string): readonly [number, number][] =>
      part === "" ? [] : part.split(",").map((pair) => pair.split(".").map(Number) as [number, number]);
    const [dies] = death === undefined ? [] : pairs(death);
    return { choices: pairs(chosen), dies: dies ? { at: dies[0], variant: dies[1] } : null, isSettled: wait === "~" };
  });
}
