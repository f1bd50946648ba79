import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type RecordedInstance, managedIds } from "../model/instance.ts";
import { type Attributes, compareText } from "../model/value.ts";
import { unmanagedIn } from "./drift-report.ts";
import { identityKey } from "./identity.ts";
import { allowsDuplicate } from "./protection.ts";
import { differingAttributes } from "./differing-attributes.ts";

/** The live objects of one type that nothing manages or imports, by what a configuration can do with them. The oldest come first. */
export interface Adoptable {
  /** To be declared. */
  readonly undeclared: readonly LiveObject[];
  /** To be imported to an address that declares exactly this object. */
  readonly declared: readonly { readonly object: LiveObject; readonly address: string }[];
  /**
   * Identical to what an address declares or manages, which does not allow duplicates; `differing` names the attributes outside
   * of the identity whose live value differs.
   */
  readonly duplicates: readonly {
    readonly object: LiveObject;
    readonly address: string;
    readonly differing: readonly string[];
  }[];
}

interface AdoptionInput {
  readonly objects: readonly LiveObject[];
  readonly instances: readonly RecordedInstance[];
  readonly declarations: readonly Declaration[];
  /** The ids that the configuration imports. */
  readonly imported: ReadonlySet<string>;
}

/** Sorts the unmanaged objects. What the service does not show of them counts as absent, as a declaration without it would. */
export function adoptable(
  definition: AnyResource,
  { objects, instances, declarations, imported }: AdoptionInput,
): Adoptable {
  const { type } = definition;
  const recorded = instances.filter((instance) => instance.type === type);
  const isRecorded = new Set(recorded.map(({ address }) => address));
  const holders = new Map<string, Holder>();
  for (const { address, attributes } of [...declarations.filter((one) => one.type === type), ...recorded]) {
    const key = identityKey(definition, attributes);
    const before = holders.get(key);
    const isFree = !isRecorded.has(address) && !allowsDuplicate(attributes);
    holders.set(
      key,
      before ?? { address, attributes: withNulls(definition, attributes), isFree, allows: allowsDuplicate(attributes) },
    );
  }
  const found: { readonly [name in keyof Adoptable]: Adoptable[name][number][] } = {
    undeclared: [],
    declared: [],
    duplicates: [],
  };
  const managed = new Set([...managedIds(instances), ...imported]);
  for (const object of oldestFirst(definition, unmanagedIn(objects, managed))) {
    const key = identityKey(definition, object.attributes);
    const holder = holders.get(key);
    const differing = holder ? differingAttributes(definition, holder.attributes, object) : [];
    if (!holder || holder.allows) found.undeclared.push(object);
    else if (holder.isFree && differing.length === 0 && isIdentified(definition, object.attributes)) {
      found.declared.push({ object, address: holder.address });
      holders.set(key, { ...holder, isFree: false });
    } else found.duplicates.push({ object, address: holder.address, differing });
  }
  return found;
}

/** The address that has an identity. */
interface Holder {
  readonly address: string;
  /** The declared values, with null for the rest. */
  readonly attributes: Attributes;
  /** Whether it waits for an object. */
  readonly isFree: boolean;
  readonly allows: boolean;
}

function withNulls({ schema }: AnyResource, attributes: Attributes): Attributes {
  return { ...Object.fromEntries(Object.keys(schema).map((name) => [name, null])), ...attributes };
}

/** Whether everything that tells two objects apart is known. */
export function isIdentified({ identity }: AnyResource, attributes: Attributes): boolean {
  return identity.every((name) => attributes[name] !== undefined);
}

/** The objects in the order of creation, as far as the service shows it: what comes later changes nothing for the others. */
export function oldestFirst(definition: AnyResource, objects: readonly LiveObject[]): readonly LiveObject[] {
  const timeOf = ({ attributes }: LiveObject): string => {
    const time = definition.createdAt === undefined ? null : attributes[definition.createdAt];
    return typeof time === "string" ? time : "";
  };
  return objects.toSorted((a, b) => compareText(timeOf(a), timeOf(b)) || compareText(a.id, b.id));
}
