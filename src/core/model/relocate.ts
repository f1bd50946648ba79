import { blockOf, byAddress } from "./address.ts";
import type { RecordedInstance } from "./instance.ts";

/** Something has another address now: one instance, or, where neither address has a key, a block with all its instances. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

export interface Relocated {
  /** Under their new addresses, sorted by them. */
  readonly instances: readonly RecordedInstance[];
  /** New address → the one that it is recorded under, of everything that has moved. */
  readonly origins: ReadonlyMap<string, string>;
  /** Moves that could not be made, as something is recorded there already. */
  readonly blocked: readonly Move[];
}

/**
 * What is recorded, under the addresses that it has after these moves, one after the other. A block moves as a whole, and
 * only to where nothing is recorded at all.
 */
export function relocate(instances: readonly RecordedInstance[], moves: readonly Move[]): Relocated {
  const origins = new Map<string, string>();
  if (moves.length === 0) return { instances, origins, blocked: [] };
  const blocks = new Map<string, Map<string, RecordedInstance>>();
  const put = (instance: RecordedInstance): void => {
    const name = blockOf(instance.address);
    const block = blocks.get(name) ?? new Map<string, RecordedInstance>();
    blocks.set(name, block.set(instance.address, instance));
  };
  for (const instance of instances) put(instance);
  const blocked: Move[] = [];
  const go = (from: string, to: string): void => {
    const block = blocks.get(blockOf(from));
    const instance = block?.get(from);
    if (!block || !instance) return;
    block.delete(from);
    put({ ...instance, address: to });
    origins.set(to, origins.get(from) ?? from);
    origins.delete(from);
  };
  for (const move of moves) {
    const [source, target] = [blocks.get(blockOf(move.from)), blocks.get(blockOf(move.to))];
    const leaving = isOfBlocks(move) ? [...(source?.keys() ?? [])] : [move.from].filter((from) => source?.has(from));
    const isTaken = isOfBlocks(move) ? (target?.size ?? 0) > 0 : target?.has(move.to) === true;
    if (leaving.length === 0) continue;
    if (isTaken) blocked.push({ from: move.from, to: move.to });
    else for (const from of leaving) go(from, isOfBlocks(move) ? `${move.to}${from.slice(move.from.length)}` : move.to);
  }
  const moved = [...blocks.values()].flatMap((block) => [...block.values()]);
  return { instances: moved.toSorted(byAddress), origins, blocked };
}

/** The address that something has after these moves, one after the other. */
export function followed(address: string, moves: readonly Move[]): string {
  return moves.reduce((now, move) => {
    if (!isOfBlocks(move)) return now === move.from ? move.to : now;
    return blockOf(now) === move.from ? `${move.to}${now.slice(move.from.length)}` : now;
  }, address);
}

/** Between an address with a key and one without, the latter is the instance that has none. */
export function isOfBlocks({ from, to }: Move): boolean {
  return !from.includes("[") && !to.includes("[");
}
