import { firstFew } from "../model/words.ts";
import { sameMeaning } from "../model/attribute.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, hasUnknown } from "../model/value.ts";

type ListedObject = Pick<LiveObject, "attributes">;

/** The attributes that differ between a live object and `wanted`. An attribute that only one of the two has does not count. */
export function differingAttributes(
  { schema }: AnyResource,
  wanted: Attributes,
  { attributes }: ListedObject,
): readonly string[] {
  return Object.entries(schema).flatMap(([name, attribute]) => {
    const [seen, value] = [attributes[name], wanted[name]];
    if (attribute.mode === "computed" || seen === undefined || value === undefined || hasUnknown(value)) return [];
    return sameMeaning(attribute, seen, value) ? [] : [name];
  });
}

/** The live objects that show no value that differs from `wanted`. */
export function alike<O extends ListedObject>(
  definition: AnyResource,
  wanted: Attributes,
  objects: readonly O[],
): readonly O[] {
  return objects.filter((object) => differingAttributes(definition, wanted, object).length === 0);
}

type Recorded = Pick<RecordedInstance, "attributes" | "returned" | "unobserved"> &
  Partial<Pick<RecordedInstance, "assumed">>;

/** The record of an object that this tool created, once a list has shown what the answer to the create did not. */
export interface FirstListed {
  readonly returned: Attributes;
  /** The attributes whose listed value differs from the one that was sent. */
  readonly differing: readonly string[];
}

/** The sent values that a list shows for the first time; null if there are none. A value that was not sent cannot differ. */
export function firstListed(definition: AnyResource, recorded: Recorded, object: ListedObject): FirstListed | null {
  const { attributes, returned, unobserved, assumed = [] } = recorded;
  const known = new Set([...Object.keys(returned), ...unobserved, ...assumed]);
  const isSent = (name: string): boolean => {
    const attribute = definition.schema[name];
    return (
      attribute !== undefined &&
      attribute.mode !== "computed" &&
      !sameMeaning(attribute, attributes[name] ?? null, null)
    );
  };
  const shown = Object.fromEntries(
    Object.entries(object.attributes).filter(([name]) => !known.has(name) && isSent(name)),
  );
  if (Object.keys(shown).length === 0) return null;
  return {
    returned: { ...returned, ...shown },
    differing: differingAttributes(definition, attributes, { attributes: shown }),
  };
}

const SHOWN_OBJECTS = 5;

/** The list shows values of created objects that differ from those that were sent. */
export function returnedDifferently(names: readonly string[], ...objects: readonly string[]): Diagnostic {
  const what = names.join(" and ");
  return warningOf("returned_otherwise", "The service returns a different value than the one sent", {
    detail: `The service's list shows a different ${what} of ${firstFew(objects, SHOWN_OBJECTS)} than the create sent. The declared value stays recorded, and only a later change of the returned value is drift.`,
    hint: `Check that the service applies ${what} as declared.`,
  });
}
