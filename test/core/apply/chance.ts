/** Chance that a number repeats. */
export interface Chance {
  /** A number from 0 up to, not including, `below`. */
  below(below: number): number;
  /** True so many times of a hundred. */
  percent(percent: number): boolean;
  oneOf<const T>(from: readonly [T, ...T[]]): T;
  /** One of them, if there is any. */
  any<T>(from: readonly T[]): T | undefined;
}

export function chanceOf(seed: number): Chance {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    percent: (percent) => next() * 100 < percent,
    oneOf: (from) => from[below(from.length)] ?? from[0],
    any: (from) => (from.length === 0 ? undefined : from[below(from.length)]),
  };
}
