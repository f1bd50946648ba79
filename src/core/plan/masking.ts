import type { Declaration } from "../model/declaration.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, canonicalJson } from "../model/value.ts";

/** The attributes that are masked: those that come from a sensitive variable now, or did before. */
export function maskedOf(declaration: Declaration | null, instance: RecordedInstance | null): readonly string[] {
  const [now, before] = [declaration?.masked ?? [], instance?.masked ?? []];
  return before.length === 0 ? now : [...new Set([...now, ...before])].toSorted();
}

/** Finds the attributes of any live object whose value is one that a record has from a sensitive variable: a copy of its object has it, too. */
export function sensitiveFinder(
  instances: readonly Pick<RecordedInstance, "masked" | "attributes" | "returned">[],
): (attributes: Attributes) => readonly string[] {
  const keyOf = (name: string, attributes: Attributes): string => canonicalJson([name, attributes[name] ?? null]);
  const values = new Set(
    instances.flatMap(({ masked = [], attributes, returned }) =>
      masked.flatMap((name) => [keyOf(name, attributes), keyOf(name, returned)]),
    ),
  );
  return (attributes) =>
    values.size === 0 ? [] : Object.keys(attributes).filter((name) => values.has(keyOf(name, attributes)));
}

/** Attributes that come from a sensitive variable now and did not before, or the other way round: the record changes. */
export function maskChanges({ masked }: Declaration, instance: RecordedInstance): readonly string[] {
  const before = instance.masked ?? [];
  if (masked.length === 0 && before.length === 0) return [];
  return [...masked.filter((name) => !before.includes(name)), ...before.filter((name) => !masked.includes(name))];
}

/** Attributes that another lookup finds now. An instance that is kept although it left its filter keeps its lookups. */
export function lookupChanges({ lookups = {}, retained }: Declaration, instance: RecordedInstance): readonly string[] {
  const before = instance.lookups ?? {};
  if (retained) return [];
  return [...new Set([...Object.keys(lookups), ...Object.keys(before)])].filter(
    (name) => lookups[name] !== before[name],
  );
}
