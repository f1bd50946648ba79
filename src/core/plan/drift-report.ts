import { byAddress } from "../model/address.ts";
import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../model/definition.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { type RecordedInstance, managedIds } from "../model/instance.ts";
import { compareText, textsIn } from "../model/value.ts";
import { hiddenIn, mayBeTruncated, unlistedOf } from "./missing.ts";
import type { Drift, Names, Plan } from "./plan.ts";
import { recordedNames } from "./recorded-names.ts";
import type { UndecidedWrite } from "./undecided.ts";

/** How the live objects differ from the recorded ones. Data, sorted, without a time. */
export interface DriftReport {
  /** Recorded, but no longer live. */
  readonly missing: readonly DriftedObject[];
  /** Live with another value than the recorded one. */
  readonly changed: readonly DriftedObject[];
  /** Live, but not recorded. */
  readonly unmanaged: readonly UnmanagedObject[];
  /** Recorded values that the service does not return: drift of them cannot be seen. */
  readonly unobservable: readonly Unobservable[];
  /** Recorded objects that a list does not show although it may be truncated: nobody knows whether they are missing. */
  readonly unchecked: readonly UncheckedObject[];
  readonly undecided: readonly UndecidedWrite[];
  /** The types whose list may be truncated: there may be further unmanaged objects. */
  readonly truncated: readonly string[];
  /** The names of the objects that findings refer to, as far as records have them. */
  readonly names: Names;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DriftedObject extends Drift {
  readonly id: string | null;
}

export interface UnmanagedObject {
  readonly type: string;
  readonly object: LiveObject;
}

export interface Unobservable {
  readonly type: string;
  /** Null: the service shows nothing of objects of this type. */
  readonly attribute: string | null;
  /** How many objects are concerned. */
  readonly count: number;
}

export interface UncheckedObject {
  readonly address: string;
  readonly type: string;
  readonly id: string | null;
}

/**
 * `drift`: something is missing or changed, or unmanaged where that counts. `unknown`: the lists cannot tell. `error`: an error
 * stopped the comparison. `undecided`: the outcome of an earlier write is undecided.
 */
export type DriftStatus = "none" | "drift" | "unknown" | "error" | "undecided";

/** The most severe status that applies: what is not known is not "no drift". */
export function driftStatus(
  report: DriftReport,
  { failOnUnmanaged }: { readonly failOnUnmanaged: boolean },
): DriftStatus {
  const { missing, changed, unmanaged, unchecked, undecided, truncated, diagnostics } = report;
  if (undecided.length > 0) return "undecided";
  if (hasErrors(diagnostics)) return "error";
  if (unchecked.length > 0 || (failOnUnmanaged && truncated.length > 0)) return "unknown";
  return missing.length + changed.length + (failOnUnmanaged ? unmanaged.length : 0) > 0 ? "drift" : "none";
}

interface Compared {
  readonly catalog: Catalog;
  readonly instances: readonly RecordedInstance[];
  /** Made only to refresh. */
  readonly plan: Plan;
  /** The lists that the plan was made with, and those of types without a record. */
  readonly listings: ReadonlyMap<string, LiveListing>;
}

/** Sorts the findings of a refresh into classes. Pure. */
export function driftReport({ catalog, instances, plan, listings }: Compared): DriftReport {
  const ids = new Map(instances.map(({ address, id }) => [address, id]));
  const drifted = plan.drift.map((drift) => ({ ...drift, id: ids.get(drift.address) ?? null }));
  const managed = new Set([...managedIds(instances), ...plan.undecided.flatMap(({ candidates }) => candidates)]);
  const lists = [...listings].toSorted(([a], [b]) => compareText(a, b));
  const unmanaged = lists.flatMap(([type, { objects }]) =>
    unmanagedIn(objects, managed).map((object) => ({ type, object })),
  );
  const found = [
    ...drifted.flatMap(({ before, after }) => [before, after ?? {}]),
    ...unmanaged.map(({ object }) => object.attributes),
  ];
  return {
    missing: drifted.filter(({ after }) => after === null),
    changed: drifted.filter(({ after }) => after !== null),
    unmanaged,
    unobservable: catalog.resources.flatMap((definition) =>
      unobservableOf(definition, instances, listings.get(definition.type)),
    ),
    unchecked: lists
      .flatMap(([type, listing]) =>
        hiddenIn(resourceOf(catalog, type), listing, unlistedOf(type, listing.objects, instances)),
      )
      .map(({ address, type, id }) => ({ address, type, id }))
      .toSorted(byAddress),
    undecided: plan.undecided,
    truncated: lists.flatMap(([type, listing]) =>
      mayBeTruncated(resourceOf(catalog, type), listing, unlistedOf(type, listing.objects, instances)) ? [type] : [],
    ),
    names: recordedNames(
      catalog,
      instances,
      new Set(found.flatMap((attributes) => Object.values(attributes).flatMap((value) => textsIn(value ?? null)))),
    ),
    diagnostics: diagnosticsOf(plan, instances, listings),
  };
}

/** The live objects that no record has. */
export function unmanagedIn(objects: readonly LiveObject[], managed: ReadonlySet<string>): readonly LiveObject[] {
  return objects.filter(({ id }) => !managed.has(id)).toSorted((a, b) => compareText(a.id, b.id));
}

function unobservableOf(
  { type, schema, list }: AnyResource,
  instances: readonly RecordedInstance[],
  listing: LiveListing | undefined,
): readonly Unobservable[] {
  const recorded = instances.filter((instance) => instance.type === type);
  if (recorded.length === 0) return [];
  if (!list) return [{ type, attribute: null, count: recorded.length }];
  const live = new Map(listing?.objects.map((object) => [object.id, object]));
  return Object.entries(schema).flatMap(([attribute, { mode, onChange, writeOnly }]) => {
    if (mode === "computed" || onChange === "record" || writeOnly) return [];
    const isUnseen = ({ id, attributes }: RecordedInstance): boolean => {
      const object = id === null ? undefined : live.get(id);
      return (
        object !== undefined && object.attributes[attribute] === undefined && (attributes[attribute] ?? null) !== null
      );
    };
    const count = recorded.filter(isUnseen).length;
    return count === 0 ? [] : [{ type, attribute, count }];
  });
}

/**
 * The messages of the plan, as a report means them. What would stop an apply does not stop a report: it is a warning. So is a
 * changed key that shows recorded objects, as it belongs to their team.
 */
function diagnosticsOf(
  { diagnostics }: Plan,
  instances: readonly RecordedInstance[],
  listings: ReadonlyMap<string, LiveListing>,
): readonly Diagnostic[] {
  const live = new Set([...listings.values()].flatMap(({ objects }) => objects.map(({ id }) => id)));
  const isSameTeam = instances.some(({ id }) => id !== null && live.has(id));
  return diagnostics.flatMap((diagnostic): readonly Diagnostic[] => {
    const { code, ways = [] } = diagnostic;
    // Said once, by `unchecked`.
    if (code === "list_maybe_truncated") return [];
    const report = { ...diagnostic, ways: ways.filter(({ kind }) => kind !== "allow") };
    if (code === "key_changed") return isSameTeam ? [] : [report];
    return [code === "limit_recreate" ? { ...report, severity: "warning" } : report];
  });
}
