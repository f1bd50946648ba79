import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, type Value, identical } from "../model/value.ts";
import { sameMeaning } from "../model/attribute.ts";

/** A recorded object with the live values folded in. `drifted` names the attributes that were changed from outside. */
export interface Observation {
  readonly attributes: Attributes;
  readonly returned: Attributes;
  readonly unobserved: readonly string[];
  readonly drifted: readonly string[];
}

type Recorded = Pick<RecordedInstance, "attributes" | "returned" | "unobserved">;

/**
 * Folds the live object into the recorded one. Values that the service does not return stay as recorded: unobserved is never
 * drift. A value that it returns as before, or writes differently with the same meaning, keeps the declared value.
 */
export function observe(definition: AnyResource, recorded: Recorded, live: LiveObject): Observation {
  const attributes: Record<string, Value> = { ...recorded.attributes };
  const drifted: string[] = [];
  for (const [name, attribute] of Object.entries(definition.schema)) {
    const seen = live.attributes[name];
    if (seen === undefined) continue;
    const had = recorded.attributes[name] ?? null;
    const isUnobserved = recorded.unobserved.includes(name);
    const asBefore = !isUnobserved && name in recorded.returned && identical(seen, recorded.returned[name] ?? null);
    if (asBefore || sameMeaning(attribute, seen, had)) continue;
    attributes[name] = seen;
    if (attribute.mode !== "computed" && !isUnobserved) drifted.push(name);
  }
  return {
    attributes,
    returned: { ...recorded.returned, ...live.attributes },
    unobserved: recorded.unobserved.filter((name) => live.attributes[name] === undefined),
    drifted,
  };
}
