import { blockOf, formatAddress } from "../../model/address.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Move } from "../../model/relocate.ts";
import type { Block } from "../block.ts";

/**
 * What Terraform takes for moved without being told: a resource that gets a count is its first instance from then on, and
 * the other way round. Not where something is said of the block, nor where both are recorded.
 */
export function impliedMoves(
  blocks: readonly Block[],
  { instances, said }: { readonly instances: readonly RecordedInstance[]; readonly said: readonly Move[] },
): readonly Move[] {
  if (instances.length === 0) return [];
  const recorded = new Set(instances.map(({ address }) => address));
  const mentioned = new Set(said.flatMap(({ from, to }) => [blockOf(from), blockOf(to)]));
  return blocks.flatMap(({ mode, type, name, repeat, fanOut }): readonly Move[] => {
    if (mode === "data" || fanOut || repeat?.kind === "for_each") return [];
    const [single, first] = [null, 0].map((key) => formatAddress({ mode, type, name, key })) as [string, string];
    const move = repeat ? { from: single, to: first } : { from: first, to: single };
    return recorded.has(move.from) && !recorded.has(move.to) && !mentioned.has(single) ? [move] : [];
  });
}
