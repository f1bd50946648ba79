import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { identityKey } from "./identity.ts";
import { planResource } from "./resource.ts";
import { isRotation } from "./settings.ts";

/**
 * Finds instances of a block that only have another key now: the shape of the fan-out has changed, and not what is
 * declared. New address → the one that it is recorded under.
 */
export function findMoves(
  definition: AnyResource,
  { declared, recorded }: { readonly declared: ReadonlyMap<string, Declaration>; readonly recorded: ReadonlyMap<string, RecordedInstance> },
): ReadonlyMap<string, string> {
  const unclaimed = new Map<string, RecordedInstance[]>();
  for (const instance of recorded.values()) {
    if (declared.has(instance.address)) continue;
    const key = keyOf(definition, instance);
    unclaimed.set(key, [...(unclaimed.get(key) ?? []), instance]);
  }
  const moves = new Map<string, string>();
  if (unclaimed.size === 0) return moves;
  for (const declaration of declared.values()) {
    if (recorded.has(declaration.address)) continue;
    const candidates = unclaimed.get(keyOf(definition, declaration)) ?? [];
    const at = candidates.findIndex((instance) => isTheSame(definition, declaration, instance));
    const [found] = at < 0 ? [] : candidates.splice(at, 1);
    if (found) moves.set(declaration.address, found.address);
  }
  return moves;
}

function keyOf(definition: AnyResource, { address, attributes }: Pick<Declaration, "address" | "attributes">): string {
  return `${blockOf(address)} ${identityKey(definition, attributes)}`;
}

/** Equal but for settings of ours and secrets. */
function isTheSame(definition: AnyResource, { attributes }: Declaration, instance: RecordedInstance): boolean {
  const change = planResource(definition, { desired: attributes, prior: instance });
  return change.action === "keep" || change.action === "record" || (change.action === "replace" && isRotation(definition, change.because, change.after));
}
