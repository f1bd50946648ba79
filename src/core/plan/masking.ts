import type { Declaration } from "../model/declaration.ts";
import type { RecordedInstance } from "../model/instance.ts";

/** What is said about a value beside the value: whether it may be shown, and what it was found by. */

/** A value may not be shown if it was made from a sensitive variable before or is now. */
export function maskedOf(declaration: Pick<Declaration, "masked"> | null, instance: Pick<RecordedInstance, "masked"> | null): readonly string[] {
  const [now, before] = [declaration?.masked ?? [], instance?.masked ?? []];
  return before.length === 0 ? now : [...new Set([...now, ...before])].toSorted();
}

/** Attributes that are made from a sensitive variable and were not, or the other way round: the record has to know. */
export function maskChanges({ masked }: Declaration, instance: RecordedInstance): readonly string[] {
  const before = instance.masked ?? [];
  if (masked.length === 0 && before.length === 0) return [];
  return [...masked.filter((name) => !before.includes(name)), ...before.filter((name) => !masked.includes(name))];
}

/** Attributes that are found by something else now. What was kept although it left its filter is still what was found. */
export function lookupChanges({ lookups = {}, retained }: Declaration, instance: RecordedInstance): readonly string[] {
  const before = instance.lookups ?? {};
  if (retained) return [];
  return [...new Set([...Object.keys(lookups), ...Object.keys(before)])].filter((name) => lookups[name] !== before[name]);
}
