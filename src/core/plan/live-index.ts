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
  /** The sets of identity attributes that objects show, by the prefix of their keys. */
  const shown = new Map<string, readonly string[]>();
  const byIdentity = searchable(byId, ({ attributes }) => {
    const names = definition.identity.filter((name) => attributes[name] !== undefined);
    const label = names.join();
    shown.set(label, names);
    return label + identityKey(definition, attributes, names);
  });
  const byValue = searchable(byId, ({ attributes, mark }) =>
    // A mark makes a value of its own.
    mark === undefined ? exclusiveKey(definition, attributes) : null,
  );
  function remove(id: string): void {
    const object = byId.get(id);
    if (!object) return;
    byIdentity.remove(object);
    byValue.remove(object);
    byId.delete(id);
  }
  function put(object: LiveObject): void {
    remove(object.id);
    byId.set(object.id, object);
    byIdentity.put(object);
    byValue.put(object);
  }
  for (const object of objects) put(object);
  return {
    byId,
    put,
    remove,
    holders: (wanted) => byValue.find(() => [exclusiveKey(definition, wanted)]),
    duplicates: (wanted) =>
      byIdentity.find(() => [...shown].map(([label, names]) => label + identityKey(definition, wanted, names))),
  };
}

/** Objects by key, in an index built at the first search: most plans search nothing. */
function searchable(
  objects: ReadonlyMap<string, LiveObject>,
  keyOf: (object: LiveObject) => string | null,
): {
  put(object: LiveObject): void;
  remove(object: LiveObject): void;
  find(keys: () => readonly (string | null)[]): readonly LiveObject[];
} {
  let index: Map<string, Map<string, LiveObject>> | null = null;
  function put(object: LiveObject): void {
    const key = index && keyOf(object);
    if (!index || key === null) return;
    index.set(key, (index.get(key) ?? new Map<string, LiveObject>()).set(object.id, object));
  }
  return {
    put,
    remove: (object) => index?.get(keyOf(object) ?? "")?.delete(object.id),
    find: (keys) => {
      if (!index) {
        index = new Map();
        for (const object of objects.values()) put(object);
      }
      const found = index;
      return keys().flatMap((key) => [...(found.get(key ?? "")?.values() ?? [])]);
    },
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
