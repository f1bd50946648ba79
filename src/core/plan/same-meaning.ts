import type { Attribute } from "../model/attribute.ts";
import { type Value, hasUnknown, identical } from "../model/value.ts";

/** Whether two values of an attribute mean the same, however they are written. An unknown value means nothing yet. */
export function sameMeaning({ canonical }: Attribute, a: Value, b: Value): boolean {
  if (identical(a, b)) return true;
  return canonical !== undefined && !hasUnknown(a) && !hasUnknown(b) && identical(canonical(a), canonical(b));
}
