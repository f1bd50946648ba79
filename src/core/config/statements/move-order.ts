import { blockOf } from "../../model/address.ts";
import { type Move, isOfBlocks } from "../../model/relocate.ts";
import { topologicalOrder, reversed } from "../topological-order.ts";

/**
 * Moves in the order in which they are carried out: what leads to an address before what leads on from it, and single
 * instances before the rest of their block. Where that goes in a circle, the moves of it are left out.
 */
export function inOrder<M extends Move>(moves: readonly M[]): { readonly ordered: readonly M[]; readonly circle: readonly M[] } {
  const following = followers(moves);
  const ordered = topologicalOrder(moves, following);
  const done = new Set(ordered);
  const stuck = moves.filter((move) => !done.has(move));
  // What a circle only leads to is not of it.
  const within = (move: M): readonly M[] => following(move).filter((next) => !done.has(next));
  const ends = new Set(topologicalOrder(stuck, reversed(stuck, within)));
  return { ordered, circle: stuck.filter((move) => !ends.has(move)) };
}

function followers<M extends Move>(moves: readonly M[]): (move: M) => readonly M[] {
  const all = moves.map((move): readonly [string, M] => [blockOf(move.from), move]);
  const fromBlock = grouped(all);
  const blocks = grouped(all.filter(([, move]) => isOfBlocks(move)));
  const instances = grouped(moves.flatMap((move) => (isOfBlocks(move) ? [] : [[move.from, move] as const])));
  return (move) => {
    const target = blockOf(move.to);
    if (isOfBlocks(move)) return fromBlock.get(target) ?? [];
    return [...new Set([...(blocks.get(target) ?? []), ...(instances.get(move.to) ?? []), ...(blocks.get(blockOf(move.from)) ?? [])])];
  };
}

function grouped<M>(entries: readonly (readonly [string, M])[]): ReadonlyMap<string, readonly M[]> {
  const groups = new Map<string, M[]>();
  for (const [key, one] of entries) {
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
