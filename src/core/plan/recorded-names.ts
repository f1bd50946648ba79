import { type Catalog, resourceOf } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Names } from "./plan.ts";

/**
 * The names of these ids, as far as recorded values were looked up by them: they may have changed since. What a sensitive
 * value has found has no name here.
 */
export function recordedNames(
  catalog: Catalog,
  instances: readonly RecordedInstance[],
  ids: ReadonlySet<string>,
): Names {
  const names = instances
    .toSorted((a, b) => a.recordedAtMs - b.recordedAtMs)
    .flatMap(({ type, attributes, lookups = {}, masked = [] }) =>
      Object.entries(lookups).flatMap(([attribute, lookup]): readonly (readonly [string, string])[] => {
        const { [attribute]: id } = attributes;
        const refersTo = resourceOf(catalog, type).schema[attribute]?.refersTo;
        const name =
          refersTo && !masked.includes(attribute) && lookup.startsWith(`data.${refersTo.type}.`)
            ? nameIn(lookup)
            : null;
        return typeof id === "string" && ids.has(id) && name !== null ? [[id, name]] : [];
      }),
    );
  return Object.fromEntries(names);
}

const BY_NAME = ' (name "';

/** The name in a lookup such as `data.shop.main (name "Main")`, which is written as JSON. */
function nameIn(lookup: string): string | null {
  const at = lookup.lastIndexOf(BY_NAME);
  const [text] = at < 0 ? [] : (/^"(?:[^"\\]|\\.)+"/.exec(lookup.slice(at + BY_NAME.length - 1)) ?? []);
  return text === undefined ? null : (JSON.parse(text) as string);
}
