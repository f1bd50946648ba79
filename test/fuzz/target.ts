import type * as fc from "fast-check";

/**
 * One kind of input. `run` throws where the product breaks a promise: it crashes, sends a wrong path, or prints raw control characters. It
 * returns whether the product accepted the input: cases that are all refused at the entrance test nothing.
 */
export interface Target<T = unknown> {
  readonly name: string;
  /** Its part of all cases. */
  readonly share: number;
  readonly cases: fc.Arbitrary<T>;
  readonly run: (input: T) => Promise<boolean> | boolean;
}

/** The types of the cases of a list differ. */
export function target<T>(one: Target<T>): Target {
  return one as Target;
}
