import type { Random } from "./ports.ts";

/** A random number from 0 to below 1. */
export function randomFraction({ bytes }: Random): number {
  return bytes(4).reduce((sum, byte) => sum * 256 + byte, 0) / 256 ** 4;
}
