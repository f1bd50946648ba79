import { sortMoves } from "../../../src/core/config/statements/moved.ts";
import { blockOf } from "../../../src/core/model/address.ts";
import type { ImportTarget, Statements } from "../../../src/core/model/declaration.ts";
import { isOfBlocks } from "../../../src/core/model/relocate.ts";
import type { Chance } from "./chance.ts";
import type { DesiredThing, Desired } from "./random-desired.ts";

/** The declarations, and the statements about addresses. */
export interface Configuration {
  readonly allDesired: readonly Desired[];
  readonly statements: Statements;
}

/** Makes an object by hand, and returns its id. */
export type MakeByHand = (object: { readonly name: string; readonly room: string | null }) => string;

/**
 * The same with one thing said about addresses. No address is used twice, so that nothing that is said before ever
 * stops being true: then nothing that only moves may be deleted.
 */
export function restated(
  { allDesired, statements }: Configuration,
  chance: Chance,
  made: { next(): number; byHand: MakeByHand },
): Configuration {
  const { moved, removed, imports } = statements;
  const things = allDesired.filter((desired): desired is DesiredThing => desired.kind === "thing");
  const fresh = (key: string): string => `toy_thing.new${String(made.next())}${key}`;
  const what = chance.oneOf(["move", "move", "block", "block", "release", "destroy", "import", "import"]);
  if (what === "import") {
    const [name, room, address] = [
      `imported ${String(made.next())}`,
      chance.oneOf([null, "r1"]),
      fresh(chance.oneOf(["", '["x"]'])),
    ];
    const id = made.byHand({ name, room: chance.percent(60) ? room : "elsewhere" });
    const target: ImportTarget = { to: address, id, locate: () => undefined };
    return {
      allDesired: [...allDesired, { kind: "thing", address, name, room, secret: null }],
      statements: { ...statements, imports: [...imports, target] },
    };
  }
  const one = chance.any(things);
  if (!one) return { allDesired, statements };
  const block = blockOf(one.address);
  const isOfBlock = ({ address }: Desired): boolean => blockOf(address) === block;
  const staying = imports.filter(({ to }) => blockOf(to) !== block);
  if (what === "release" || what === "destroy") {
    const removal = { from: block, destroy: what === "destroy" };
    return {
      allDesired: allDesired.filter((desired) => !isOfBlock(desired)),
      statements: { moved, imports: staying, removed: [...removed, removal] },
    };
  }
  const to = fresh("");
  const go = (desired: Desired, address: string): Desired => ({ ...desired, address });
  if (what === "move") {
    const target = `${to}${chance.oneOf(["", '["x"]'])}`;
    const move = { from: one.address, to: target };
    // Between two addresses without a key it would be said of the block.
    if (isOfBlocks(move) && things.filter(isOfBlock).length > 1) return { allDesired, statements };
    return {
      allDesired: allDesired.map((desired) => (desired === one ? go(desired, target) : desired)),
      statements: {
        removed,
        imports: following(imports, (address) => (address === one.address ? target : address)),
        moved: sortMoves([...moved, move]).ordered,
      },
    };
  }
  const renamed = (address: string): string =>
    blockOf(address) === block ? `${to}${address.slice(block.length)}` : address;
  return {
    allDesired: allDesired.map((desired) => go(desired, renamed(desired.address))),
    statements: {
      removed,
      imports: following(imports, renamed),
      moved: sortMoves([...moved, { from: block, to }]).ordered,
    },
  };
}

function following(imports: readonly ImportTarget[], renamed: (address: string) => string): readonly ImportTarget[] {
  return imports.map((target) => ({ ...target, to: renamed(target.to) }));
}
