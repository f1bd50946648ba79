import { inOrder } from "../../../src/core/config/move-order.ts";
import { blockOf } from "../../../src/core/model/address.ts";
import type { ImportTarget, Statements } from "../../../src/core/model/declaration.ts";
import { isOfBlocks } from "../../../src/core/model/relocate.ts";
import type { Chance } from "./chance.ts";
import type { ThingWish, Wish } from "./random-wishes.ts";

/** What is declared, and what is said about addresses. */
export interface Configuration {
  readonly wishes: readonly Wish[];
  readonly statements: Statements;
}

/** Makes an object by hand, and returns its id. */
export type MakeByHand = (object: { readonly name: string; readonly room: string | null }) => string;

/**
 * The same with one thing said about addresses. No address is used twice, so that nothing that is said before ever
 * stops being true: then nothing that only moves may be deleted.
 */
export function restated({ wishes, statements }: Configuration, chance: Chance, made: { next(): number; byHand: MakeByHand }): Configuration {
  const { moved, removed, imports } = statements;
  const things = wishes.filter((wish): wish is ThingWish => wish.kind === "thing");
  const fresh = (key: string): string => `toy_thing.new${String(made.next())}${key}`;
  const what = chance.oneOf(["move", "move", "block", "block", "release", "destroy", "import", "import"]);
  if (what === "import") {
    const [name, room, address] = [`imported ${String(made.next())}`, chance.oneOf([null, "r1"]), fresh(chance.oneOf(["", '["x"]']))];
    const id = made.byHand({ name, room: chance.percent(60) ? room : "elsewhere" });
    const target: ImportTarget = { to: address, id, locate: () => undefined };
    return { wishes: [...wishes, { kind: "thing", address, name, room, secret: null }], statements: { ...statements, imports: [...imports, target] } };
  }
  const one = chance.any(things);
  if (!one) return { wishes, statements };
  const block = blockOf(one.address);
  const isOfBlock = ({ address }: Wish): boolean => blockOf(address) === block;
  const staying = imports.filter(({ to }) => blockOf(to) !== block);
  if (what === "release" || what === "destroy") {
    const removal = { from: block, destroy: what === "destroy" };
    return { wishes: wishes.filter((wish) => !isOfBlock(wish)), statements: { moved, imports: staying, removed: [...removed, removal] } };
  }
  const to = fresh("");
  const go = (wish: Wish, address: string): Wish => ({ ...wish, address });
  if (what === "move") {
    const target = `${to}${chance.oneOf(["", '["x"]'])}`;
    const move = { from: one.address, to: target };
    // Between two addresses without a key it would be said of the block.
    if (isOfBlocks(move) && things.filter(isOfBlock).length > 1) return { wishes, statements };
    return {
      wishes: wishes.map((wish) => (wish === one ? go(wish, target) : wish)),
      statements: { removed, imports: following(imports, (address) => (address === one.address ? target : address)), moved: inOrder([...moved, move]).ordered },
    };
  }
  const renamed = (address: string): string => (blockOf(address) === block ? `${to}${address.slice(block.length)}` : address);
  return {
    wishes: wishes.map((wish) => go(wish, renamed(wish.address))),
    statements: { removed, imports: following(imports, renamed), moved: inOrder([...moved, { from: block, to }]).ordered },
  };
}

function following(imports: readonly ImportTarget[], renamed: (address: string) => string): readonly ImportTarget[] {
  return imports.map((target) => ({ ...target, to: renamed(target.to) }));
}
