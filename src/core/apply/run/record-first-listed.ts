import {
  type AnyResource,
  type Catalog,
  type LiveListing,
  type LiveObject,
  resourceOf,
} from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { firstListed, returnedDifferently } from "../../plan/differing-attributes.ts";
import type { StateDocument } from "../../state/document.ts";

/**
 * Records what the lists show of created objects for the first time. A value that differs from the one that was sent is how
 * the service returns it, and no drift: a warning reports it once. The mark of an imported object is recorded, too. The same
 * document if there is nothing new.
 */
export function recordFirstListed(
  document: StateDocument,
  { catalog, listings }: { readonly catalog: Catalog; readonly listings: ReadonlyMap<string, LiveListing> },
): { readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] } {
  const live = new Map(
    [...listings].map(([type, { objects }]) => [type, new Map(objects.map((object) => [object.id, object]))]),
  );
  const differing = new Map<string, string[]>();
  let hasNews = false;
  const instances = document.instances.map((instance): RecordedInstance => {
    const { address, type, id } = instance;
    const object = id === null ? undefined : live.get(type)?.get(id);
    const first = object && firstListed(resourceOf(catalog, type), instance, object);
    const isMarkNew = object?.mark !== undefined && instance.mark === undefined;
    if (!first && !isMarkNew) return instance;
    hasNews = true;
    for (const name of first?.differing ?? []) differing.set(name, [...(differing.get(name) ?? []), address]);
    return { ...instance, ...(first ? { returned: first.returned } : {}), ...(isMarkNew ? { mark: object.mark } : {}) };
  });
  if (!hasNews) return { document, diagnostics: [] };
  return {
    document: { ...document, instances },
    diagnostics: [...differing].map(([name, addresses]) => returnedDifferently([name], ...addresses)),
  };
}

/** Whether a list may still change about a created object: it lacks it, or shows values that differ from those that were sent. */
export function isUnsettled(
  definition: AnyResource,
  instance: RecordedInstance,
  object: LiveObject | undefined,
): boolean {
  return object === undefined || (firstListed(definition, instance, object)?.differing.length ?? 0) > 0;
}
