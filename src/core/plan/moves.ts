import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { isUnknown } from "../model/value.ts";
import { byAddress } from "./by-address.ts";
import { identityKey } from "./identity.ts";
import { planResource } from "./resource.ts";
import { isRotation } from "./settings.ts";

interface OfOneType {
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
}

/**
 * Finds instances of a block that only have another key now: the shape of the fan-out has changed, and not what is
 * declared. New address → the one that it is recorded under. What is gone cannot move.
 */
export function findMoves(
  definition: AnyResource,
  { declarations, instances }: OfOneType,
  isThere: (instance: RecordedInstance) => boolean,
): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  const declared = new Set(declarations.map(({ address }) => address));
  const unclaimed = groupByKey(
    definition,
    instances.filter((instance) => !declared.has(instance.address) && isThere(instance)),
  );
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

/** A secret that was not looked at counts as unchanged, as where nothing moves. */
export function withRecordedSecrets({ schema }: AnyResource, declaration: Declaration, { attributes }: RecordedInstance): Declaration {
  const unseen = Object.entries(declaration.attributes).filter(([name, value]) => schema[name]?.sensitive && isUnknown(value) && attributes[name]);
  if (unseen.length === 0) return declaration;
  return { ...declaration, attributes: { ...declaration.attributes, ...Object.fromEntries(unseen.map(([name]) => [name, attributes[name] ?? null])) } };
}

function groupByKey(definition: AnyResource, instances: readonly RecordedInstance[]): Map<string, RecordedInstance[]> {
  const groups = new Map<string, RecordedInstance[]>();
  for (const instance of instances.toSorted(byAddress)) {
    const key = keyOf(definition, instance);
    const group = groups.get(key);
    if (group) group.push(instance);
    else groups.set(key, [instance]);
  }
  return groups;
}

function keyOf(definition: AnyResource, { address, attributes }: Pick<Declaration, "address" | "attributes">): string {
  return `${blockOf(address)} ${identityKey(definition, attributes)}`;
}

/** Equal but for settings of ours and secrets. */
function isTheSame(definition: AnyResource, declaration: Declaration, instance: RecordedInstance): boolean {
  const { attributes } = withRecordedSecrets(definition, declaration, instance);
  const change = planResource(definition, { desired: attributes, prior: instance });
  return change.action === "keep" || change.action === "record" || (change.action === "replace" && isRotation(definition, change.because, change.after));
}
