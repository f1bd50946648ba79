import type { LiveListing } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { knownId } from "../../plan/plan-imported.ts";
import type { LiveList } from "../live/live-list.ts";
import type { Prepared } from "./prepare.ts";
import type { PlanRequest } from "./run-ports.ts";

interface Importing {
  readonly type: string;
  readonly request: PlanRequest;
  readonly prepared: Pick<Prepared, "imports">;
  readonly instances: readonly RecordedInstance[];
  readonly signal: AbortSignal;
}

/** Lists again, to the end, if an object to import is not in the list: the answer may be one page of many. */
export async function readImported(listing: LiveListing, list: LiveList, importing: Importing): Promise<LiveListing> {
  const { type, request, prepared, instances, signal } = importing;
  const { destroy, refreshOnly } = request.options;
  if (destroy || refreshOnly) return listing;
  const recorded = new Set(instances.map(({ address }) => address));
  const there = new Set(listing.objects.map(({ id }) => id));
  const isMissing = prepared.imports.some(
    (target) => target.to.startsWith(`${type}.`) && !recorded.has(target.to) && !there.has(knownId(target)),
  );
  return isMissing ? list.again(signal, { confirm: true }) : listing;
}
