import { groupBy } from "../model/maps.ts";
import { firstFew } from "../model/words.ts";
import { blockOf, byAddress } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../model/definition.ts";
import { type Diagnostic, errorOf, warningOf, noteOf } from "../model/diagnostic.ts";
import { type RecordedInstance, priorOf } from "../model/instance.ts";
import { isOfBlocks, type Move } from "../model/relocate.ts";
import { isUnknown } from "../model/value.ts";
import { identityKey } from "./identity.ts";
import type { Scope } from "./plan-context.ts";
import { type Step, isRemoval } from "./plan.ts";
import { planResource } from "./resource.ts";
import { isRotation } from "./protection.ts";
import type { UndecidedWrite } from "./undecided.ts";

interface OfOneType {
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
}

/**
 * Finds instances of a block that only have another key now: the shape of the fan-out has changed, and not the declared
 * values. New address → the recorded one. An object that is gone cannot move.
 */
export function findMoves(
  definition: AnyResource,
  { declarations, instances }: OfOneType,
  isThere: (instance: RecordedInstance) => boolean,
): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  const declared = new Set(declarations.map(({ address }) => address));
  const left = instances.filter((instance) => !declared.has(instance.address) && isThere(instance));
  const unclaimed = groupBy(left.toSorted(byAddress), (instance) => keyOf(definition, instance));
  if (unclaimed.size === 0) return moves;
  const recorded = new Set(instances.map(({ address }) => address));
  for (const declaration of declarations.filter(({ address }) => !recorded.has(address)).toSorted(byAddress)) {
    const candidates = unclaimed.get(keyOf(definition, declaration)) ?? [];
    const at = candidates.findIndex((instance) => isTheSame(definition, declaration, instance));
    const [found] = at < 0 ? [] : candidates.splice(at, 1);
    if (found) moves.set(declaration.address, found.address);
  }
  return moves;
}

/** A secret that was not resolved counts as unchanged, as it does without a move. */
export function withRecordedSecrets(
  { schema }: AnyResource,
  declaration: Declaration,
  { attributes }: RecordedInstance,
): Declaration {
  const unseen = Object.entries(declaration.attributes).filter(
    ([name, value]) => schema[name]?.sensitive && isUnknown(value) && attributes[name],
  );
  if (unseen.length === 0) return declaration;
  return {
    ...declaration,
    attributes: {
      ...declaration.attributes,
      ...Object.fromEntries(unseen.map(([name]) => [name, attributes[name] ?? null])),
    },
  };
}

function keyOf(definition: AnyResource, { address, attributes }: Pick<Declaration, "address" | "attributes">): string {
  return `${blockOf(address)} ${identityKey(definition, attributes)}`;
}

/** Equal except for settings of ours and secrets. */
function isTheSame(definition: AnyResource, declaration: Declaration, instance: RecordedInstance): boolean {
  const { attributes } = withRecordedSecrets(definition, declaration, instance);
  const change = planResource(definition, { desired: attributes, prior: priorOf(instance) });
  return (
    change.action === "keep" ||
    change.action === "update-state" ||
    (change.action === "replace" && isRotation(definition, change.because, change.after))
  );
}

/**
 * Whether an address must wait for an undecided outcome. A block moves as a whole, and only to an address without
 * records: while the outcome of one of its instances is undecided, none of them moves, and their new addresses stay free.
 */
export function openAddresses(
  undecided: readonly Pick<UndecidedWrite, "address">[],
  moves: readonly Move[],
): (address: string) => boolean {
  const addresses = new Set(undecided.flatMap(({ address }) => (address === null ? [] : [address])));
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

/** Further addresses are only counted. */
const SHOWN = 20;

/** Moves to an address that has a record of its own: the moved record stays where it is. */
export function unresolvedMoves(blocked: readonly Move[]): readonly Diagnostic[] {
  if (blocked.length === 0) return [];
  return [
    warningOf("moves_unresolved", "Unresolved resource instance address changes", {
      detail: `The new addresses of these have records of their own:\n\n${listLines(blocked.map(({ from, to }) => `${from} could not move to ${to}`))}\n\nTheir old addresses are no longer declared: the plan destroys them.`,
      ways: [{ kind: "edit-state" }],
    }),
  ];
}

/**
 * Refuses to move a part of a block: the rest could not follow later, since the new address would have records by then. Refuses
 * also to record another object at an address that one has moved away from, while its move is left out.
 */
export function excludedMoves(
  origins: ReadonlyMap<string, string>,
  includes: (...addresses: readonly string[]) => boolean,
  { targets, steps }: Scope & { readonly steps: readonly Step[] },
): readonly Diagnostic[] {
  const moves = [...origins].map(([to, from]) => ({
    from,
    to,
    way: `${blockOf(from)} ${blockOf(to)}`,
    isIncluded: includes(to, from),
  }));
  const begun = new Set(moves.flatMap(({ way, isIncluded }) => (isIncluded ? [way] : [])));
  const taken = new Set(steps.map(({ address }) => address));
  const left = moves.filter(({ way, from, isIncluded }) => !isIncluded && (begun.has(way) || taken.has(from)));
  if (left.length === 0) return [];
  const blocks = [
    ...new Set(left.flatMap(({ from, to }) => (taken.has(from) ? [blockOf(to), blockOf(from)] : [blockOf(to)]))),
  ];
  return [
    errorOf("moves_excluded", "Moved resource instances excluded by targeting", {
      detail: `${targets.length > 0 ? "The targets include" : "The exclusions leave"} only a part of a move. These would stay behind, and the next apply would destroy them:\n\n${listLines(left.map(({ from, to }) => `${from}, which has moved to ${to}`))}\n`,
      ways: [{ kind: targets.length > 0 ? "target" : "exclude", addresses: blocks }],
    }),
  ];
}

/** Warns of objects that stay in the service and are no longer managed. */
export function releasedWarning(steps: readonly Step[]): readonly Diagnostic[] {
  const released = steps.flatMap((step) => (step.action === "forget" && step.released ? [step.address] : []));
  if (released.length === 0) return [];
  return [
    warningOf("released", "Some objects will no longer be managed", {
      detail: `An apply removes these from the state, and deletes none of them in the service:\n\n${listLines(released)}\n`,
      hint: "To manage them again, import them.",
    }),
  ];
}

function listLines(lines: readonly string[]): string {
  return `  - ${firstFew(lines, SHOWN, { separator: "\n  - ", last: "\n  - … and " })}`;
}

/** Notes for an object that is deleted in one block while an identical one is created in another: perhaps only its name has changed. */
export function renameNotes(steps: readonly Step[], catalog: Catalog): readonly Diagnostic[] {
  const left = new Map(
    steps.flatMap((step) =>
      step.action === "delete" && !step.deposed && !isRemoval(step)
        ? [[identityKey(resourceOf(catalog, step.type), step.before), step.address] as const]
        : [],
    ),
  );
  if (left.size === 0) return [];
  const renames = steps.flatMap((step) => {
    const definition = resourceOf(catalog, step.type);
    const from = step.action === "create" ? left.get(identityKey(definition, step.after)) : undefined;
    return from === undefined || blockOf(from) === blockOf(step.address)
      ? []
      : [maybeRenamed(definition, from, step.address)];
  });
  return [...new Map(renames.map((note) => [note.detail, note])).values()];
}

function maybeRenamed({ noun, identity }: AnyResource, from: string, to: string): Diagnostic {
  // With the same key in both blocks, the whole block can move at once.
  const isBlock = from.slice(blockOf(from).length) === to.slice(blockOf(to).length);
  const [before, after] = isBlock ? [blockOf(from), blockOf(to)] : [from, to];
  return noteOf("maybe_renamed", "Perhaps only renamed", {
    detail: `The plan destroys a ${noun} at ${before} and creates one with the same ${identity.join(", ")} at ${after}.`,
    ways: [
      { kind: "move", from: before, to: after },
      { kind: "declare-moved", from: before, to: after },
    ],
  });
}
