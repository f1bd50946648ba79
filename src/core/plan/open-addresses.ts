import { blockOf } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Move, isOfBlocks } from "../model/relocate.ts";

/**
 * Whether an address must wait for an outcome that is open. A block moves as a whole and only to where nothing is
 * recorded: while the outcome of one of its instances is open, nothing of it moves, and nothing is put where it will go.
 */
export function openAddresses(undecided: readonly Diagnostic[], moves: readonly Move[]): (address: string) => boolean {
  const addresses = new Set(undecided.flatMap(({ address }) => (address === undefined ? [] : [address])));
  if (addresses.size === 0) return () => false;
  const blocks = new Set<string>();
  for (const move of moves) {
    const { from, to } = move;
    if (!isOfBlocks(move)) {
      if (addresses.has(from)) addresses.add(to);
    } else if (blocks.has(from) || [...addresses].some((address) => blockOf(address) === from)) {
      blocks.add(from).add(to);
    }
  }
  return (address) => addresses.has(address) || blocks.has(blockOf(address));
}
