import { byAddress } from "../model/address.ts";
import type { Declaration, ImportTarget } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Attributes } from "../model/value.ts";
import { identityKey } from "./identity.ts";
import { hasOutcome } from "./resource.ts";

/** The irreversible writes of one type: declarations and records with the same identity belong together, whatever their addresses. */
export interface IrreversibleRecords {
  /** The one declaration of each identity that owns its record. */
  readonly owners: ReadonlyMap<string, Declaration>;
  /** One record of each identity. */
  readonly recorded: ReadonlyMap<string, RecordedInstance>;
  /** Further records of an identity. */
  readonly spare: readonly RecordedInstance[];
  /** The records that nothing declares. */
  readonly leaving: readonly RecordedInstance[];
}

/**
 * Matches declarations and records by their identity. Of two declarations with the same one, that at the recorded address owns the
 * record, else the one that it is imported to, else the first address. Of two records, a known outcome takes precedence over an
 * unconfirmed one.
 */
export function matchIrreversible(
  definition: AnyResource,
  {
    declarations,
    instances,
  }: { readonly declarations: readonly Declaration[]; readonly instances: readonly RecordedInstance[] },
  imports: ReadonlyMap<string, ImportTarget>,
): IrreversibleRecords {
  const recorded = new Map<string, RecordedInstance>();
  const spare: RecordedInstance[] = [];
  const rank = (instance: RecordedInstance): number => Number(isUnconfirmed(definition, instance));
  for (const instance of instances) {
    const key = identityKey(definition, instance.attributes);
    const before = recorded.get(key);
    const isFirst = !before || (rank(instance) - rank(before) || byAddress(instance, before)) < 0;
    if (isFirst) recorded.set(key, instance);
    if (before) spare.push(isFirst ? before : instance);
  }
  const owners = new Map<string, Declaration>();
  for (const declaration of declarations) {
    const key = identityKey(definition, declaration.attributes);
    const before = owners.get(key);
    const rankOf = ({ address }: Declaration): number =>
      Number(recorded.has(key) ? recorded.get(key)?.address !== address : !imports.has(address));
    if (!before || (rankOf(declaration) - rankOf(before) || byAddress(declaration, before)) < 0)
      owners.set(key, declaration);
  }
  return {
    owners,
    recorded,
    spare,
    leaving: [...recorded].flatMap(([key, instance]) => (owners.has(key) ? [] : [instance])),
  };
}

/** Whether no answer ever told the outcome of the write, and no user has resolved it. */
export function isUnconfirmed(
  { irreversible }: AnyResource,
  { attributes, settled }: Pick<RecordedInstance, "attributes" | "settled">,
): boolean {
  return irreversible !== undefined && !settled && hasOutcome(attributes, irreversible.unconfirmed);
}

/** Whether these attributes ask to look again for what was not found. */
export function isWatched({ irreversible, schema }: AnyResource, attributes: Attributes): boolean {
  if (!irreversible?.watch) return false;
  const { attribute, value } = irreversible.watch;
  return (attributes[attribute] ?? schema[attribute]?.default ?? null) === value;
}

/** The person that a write is about, so that those of several places can be counted once; null where the type knows none. */
export function personOf({ schema, identity }: AnyResource, attributes: Attributes): string | null {
  const name = identity.find((one) => schema[one]?.personal);
  const value = name === undefined ? undefined : attributes[name];
  if (name === undefined || typeof value !== "string") return null;
  const canonical = schema[name]?.canonical?.(value) ?? value;
  return typeof canonical === "string" ? canonical : value;
}
