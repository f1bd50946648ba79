import { type AnyResource, type LiveListing, type LiveObject, resourceOf, type Catalog } from "../model/definition.ts";
import { type Attributes, type Value, canonicalJson } from "../model/value.ts";
import { isTwin } from "./observe.ts";
import { allowsDuplicate } from "./settings.ts";

/** Finds the live objects that are not managed and are what `wanted` would create. */
export type FindTwins = (definition: AnyResource, wanted: Attributes) => readonly LiveObject[];

/** Sorts the unmanaged objects by the first attribute of their identity, so that each search looks at few of them. */
export function twinFinder(catalog: Catalog, live: ReadonlyMap<string, LiveListing>, managedIds: ReadonlySet<string>): FindTwins {
  const shelves = new Map<string, ReadonlyMap<string, readonly LiveObject[]>>();
  for (const [type, { objects }] of live) {
    const definition = resourceOf(catalog, type);
    const shelf = new Map<string, LiveObject[]>();
    for (const object of objects) {
      if (managedIds.has(object.id)) continue;
      const label = labelOf(definition, object.attributes);
      const there = shelf.get(label);
      if (there) there.push(object);
      else shelf.set(label, [object]);
    }
    shelves.set(type, shelf);
  }
  return (definition, wanted) => {
    const shelf = shelves.get(definition.type);
    if (!shelf || allowsDuplicate(wanted)) return [];
    const near = [...(shelf.get(labelOf(definition, wanted)) ?? []), ...(shelf.get(UNOBSERVED) ?? [])];
    return near.filter((object) => isTwin(definition, wanted, object));
  };
}

const UNOBSERVED = "";

function labelOf({ identity, schema }: AnyResource, attributes: Attributes): string {
  const [first = ""] = identity;
  const value: Value | undefined = attributes[first];
  if (value === undefined) return UNOBSERVED;
  return canonicalJson(schema[first]?.canonical?.(value) ?? value);
}
