import type { Catalog } from "../../model/definition.ts";
import type { StateDocument } from "../../state/document.ts";
import type { Exclusiveness } from "../write/write-context.ts";
import { isOf, withRecord } from "./list-records.ts";

type ServiceKey = NonNullable<StateDocument["service"]>;

/** The types of which the service allows one object per value: by the setting, or, where that is null, by what it has rejected before. */
export function exclusiveTypes(
  { lists = [] }: Pick<StateDocument, "lists">,
  service: ServiceKey,
  { catalog, setting }: { readonly catalog: Catalog; readonly setting: boolean | null },
): ReadonlySet<string> {
  const types = catalog.resources.filter(({ exclusive }) => exclusive !== undefined).map(({ type }) => type);
  return new Set(
    types.filter((type) => setting ?? lists.some((one) => isOf(one, service, type) && one.exclusive === true)),
  );
}

/** What a run knows at its beginning, and what it learns. */
export function openExclusives(
  document: Pick<StateDocument, "lists">,
  service: ServiceKey,
  given: { readonly catalog: Catalog; readonly setting: boolean | null },
): { of(type: string): Exclusiveness; readonly learned: ReadonlySet<string> } {
  const known = exclusiveTypes(document, service, given);
  const learned = new Set<string>();
  return {
    of: (type) => ({
      isKnown: () => Promise.resolve(known.has(type) || (given.setting === null && learned.has(type))),
      learned: () => Promise.resolve(void learned.add(type)),
    }),
    learned,
  };
}

/** The document with the knowledge that the service allows one object of these types per value; the same document if nothing changes. */
export function withExclusive(document: StateDocument, service: ServiceKey, types: Iterable<string>): StateDocument {
  return [...types].reduce((now, type) => {
    const before = now.lists?.find((one) => isOf(one, service, type));
    return before?.exclusive ? now : withRecord(now, { ...before, ...service, type, exclusive: true });
  }, document);
}
