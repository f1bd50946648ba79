import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { Attributes } from "../model/value.ts";
import { exclusiveKey, identityKey } from "./identity.ts";

/** Live objects by id and by identity, so that no search looks at all of them. */
export interface LiveIndex {
  readonly byId: ReadonlyMap<string, LiveObject>;
  put(object: LiveObject): void;
  remove(id: string): void;
  /** The objects that are identical to what `wanted` would create, as far as the service shows their identity. */
  duplicates(wanted: Attributes): readonly LiveObject[];
  /** The objects with the same value of the type's exclusive attribute; none for a type without one. */
  holders(wanted: Attributes): readonly LiveObject[];
}

export function indexLive(definition: AnyResource, objects: Iterable<LiveObject>): LiveIndex {
  const byId = new Map<string, LiveObject>();
  /** A bucket for each set of identity attributes that objects show. */
  const buckets = new Map<
    string,
    { readonly names: readonly string[]; readonly byKey: Map<string, Map<string, LiveObject>> }
  >();
  function placeOf({ attributes }: LiveObject) {
    const names = definition.identity.filter((name) => attributes[name] !== undefined);
    const label = names.join();
    const bucket = buckets.get(label) ?? { names, byKey: new Map<string, Map<string, LiveObject>>() };
    buckets.set(label, bucket);
    return { bucket, key: identityKey(definition, attributes, names) };
  }
  /** By the exclusive value; made for the first search. */
  let byValue: Map<string, Map<string, LiveObject>> | null = null;
  function remove(id: string): void {
    const object = byId.get(id);
    if (!object) return;
    const { bucket, key } = placeOf(object);
    bucket.byKey.get(key)?.delete(id);
    byId.delete(id);
    byValue?.get(exclusiveKey(definition, object.attributes) ?? "")?.delete(id);
  }
  function put(object: LiveObject): void {
    remove(object.id);
    const { bucket, key } = placeOf(object);
    const same = bucket.byKey.get(key) ?? new Map<string, LiveObject>();
    bucket.byKey.set(key, same.set(object.id, object));
    byId.set(object.id, object);
    if (byValue) putValue(byValue, object);
  }
  function putValue(into: Map<string, Map<string, LiveObject>>, object: LiveObject): void {
    // A mark makes a value of its own.
    const value = object.mark === undefined ? exclusiveKey(definition, object.attributes) : null;
    if (value !== null) into.set(value, (into.get(value) ?? new Map<string, LiveObject>()).set(object.id, object));
  }
  function valuesOf(): Map<string, Map<string, LiveObject>> {
    if (byValue) return byValue;
    byValue = new Map();
    for (const object of byId.values()) putValue(byValue, object);
    return byValue;
  }
  for (const object of objects) put(object);
  return {
    byId,
    put,
    remove,
    holders: (wanted) => [
      ...(valuesOf()
        .get(exclusiveKey(definition, wanted) ?? "")
        ?.values() ?? []),
    ],
    duplicates: (wanted) =>
      [...buckets.values()].flatMap(({ names, byKey }) => [
        ...(byKey.get(identityKey(definition, wanted, names))?.values() ?? []),
      ]),
  };
}

/** The identity attributes by which a list can tell two objects apart: those that it always shows, and those that it shows now. */
export function observableIdentity(
  { identity, schema }: AnyResource,
  objects: readonly LiveObject[],
): readonly string[] {
  return identity.filter(
    (name) =>
      (schema[name]?.observed ?? "always") === "always" ||
      objects.some(({ attributes }) => attributes[name] !== undefined),
  );
}
