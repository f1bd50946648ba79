import { blockOf } from "../model/address.ts";
import { type Move, isOfBlocks } from "../model/relocate.ts";

/**
 * Moves in the order in which they are carried out: what leads to an address before what leads on from it, and single
 * instances before the rest of their block. Where that goes in a circle, the moves of it are left out.
 */
export function inOrder<M extends Move>(moves: readonly M[]): { readonly ordered: readonly M[]; readonly circle: readonly M[] } {
  const following = followers(moves);
  const waits = new Map(moves.map((move) => [move, 0]));
  for (const move of moves) for (const next of following(move)) waits.set(next, (waits.get(next) ?? 0) + 1);
  const ordered = moves.filter((move) => waits.get(move) === 0);
  // What is added on the way is walked too.
  for (const move of ordered) {
    for (const next of following(move)) {
      const left = (waits.get(next) ?? 0) - 1;
      waits.set(next, left);
      if (left === 0) ordered.push(next);
    }
  }
  const done = new Set(ordered);
  const stuck = moves.filter((move) => !done.has(move));
  return { ordered, circle: withoutEnds(stuck, following) };
}

/** Leaves out what a circle only leads to. */
function withoutEnds<M extends Move>(moves: readonly M[], following: (move: M) => readonly M[]): readonly M[] {
  const left = new Set(moves);
  const inner = moves.filter((move) => following(move).some((next) => left.has(next)));
  return inner.length === moves.length ? moves : withoutEnds(inner, following);
}

function followers<M extends Move>(moves: readonly M[]): (move: M) => readonly M[] {
  const bySource = new Map<string, M[]>();
  for (const move of moves) {
    const block = blockOf(move.from);
    const others = bySource.get(block);
    if (others) others.push(move);
    else bySource.set(block, [move]);
  }
  const known = new Map<M, readonly M[]>();
  return (move) => {
    const found = known.get(move) ?? [
      ...new Set([
        ...(bySource.get(blockOf(move.to)) ?? []).filter((next) => isOfBlocks(move) || isOfBlocks(next) || next.from === move.to),
        ...(isOfBlocks(move) ? [] : (bySource.get(blockOf(move.from)) ?? []).filter(isOfBlocks)),
      ]),
    ];
    known.set(move, found);
    return found;
  };
}
