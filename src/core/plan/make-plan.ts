import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, type LiveListing, type LiveObject, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, hasUnknown, isSecretDigest } from "../model/value.ts";
import { unmanagedTwinDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { isTwin, observe } from "./observe.ts";
import type { Drift, Plan, Reason, Step } from "./plan.ts";
import { planResource } from "./resource.ts";

export interface PlanInput {
  readonly catalog: Catalog;
  /** With the secrets as digests among the attributes. Empty to destroy everything. */
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  /** What is live, by resource type; a type that cannot be listed is absent. */
  readonly live: ReadonlyMap<string, LiveListing>;
  /** The user says that what is not in the list is gone, even if the list may be cut off. */
  readonly allowRecreate: boolean;
}

/** Compares what is declared, what is recorded and what is live. Pure; every problem is in the plan's diagnostics. */
export function makePlan(input: PlanInput): Plan {
  const declared = new Map(input.declarations.map((declaration) => [declaration.address, declaration]));
  const recorded = new Map(input.instances.map((instance) => [instance.address, instance]));
  const managedIds = new Set(input.instances.flatMap(({ id }) => (id === null ? [] : [id])));
  const liveById = new Map([...input.live].map(([type, { objects }]) => [type, new Map(objects.map((object) => [object.id, object]))]));
  const results = [...new Set([...declared.keys(), ...recorded.keys()])].toSorted().map((address) => {
    const [declaration, instance] = [declared.get(address) ?? null, recorded.get(address) ?? null];
    const definition = resourceOf(input.catalog, declaration?.type ?? instance?.type ?? "");
    return planAddress({ address, definition, declaration, instance, managedIds, liveById, input });
  });
  return {
    format: 1,
    steps: results.flatMap(({ step }) => (step ? [step] : [])),
    drift: results.flatMap(({ drift }) => (drift ? [drift] : [])),
    outputs: [],
    diagnostics: [...results.flatMap(({ diagnostics }) => diagnostics), ...doubledDeclarations(input)],
    undecided: [],
  };
}

interface AddressInput {
  readonly address: string;
  readonly definition: AnyResource;
  readonly declaration: Declaration | null;
  readonly instance: RecordedInstance | null;
  readonly managedIds: ReadonlySet<string>;
  readonly liveById: ReadonlyMap<string, ReadonlyMap<string, LiveObject>>;
  readonly input: PlanInput;
}

interface AddressPlan {
  readonly step: Step | null;
  readonly drift: Drift | null;
  readonly diagnostics: readonly Diagnostic[];
}

function planAddress(given: AddressInput): AddressPlan {
  const { address, definition, declaration, instance, input } = given;
  if (instance === null) return planUnrecorded(given);
  const listing = input.live.get(definition.type);
  const live = instance.id === null ? undefined : given.liveById.get(definition.type)?.get(instance.id);
  if (!listing || live) return planRecorded(given, instance, live ?? null);
  if (!listing.complete && !input.allowRecreate) return { step: null, drift: null, diagnostics: [maybeTruncated(address, definition, instance)] };
  const masked = declaration?.masked ?? instance.masked ?? [];
  const drift: Drift = { address, type: definition.type, before: instance.attributes, after: null, changed: [], masked };
  if (declaration) return { ...planUnrecorded(given), drift };
  const step: Step = { address, type: definition.type, provider: instance.provider, because: [], masked, action: "forget", before: instance.attributes };
  return { step, drift, diagnostics: [] };
}

/** Declared, and not (or no longer) live as ours: a create, unless an identical unmanaged object is there already. */
function planUnrecorded({ address, definition, declaration, managedIds, input }: AddressInput): AddressPlan {
  if (!declaration) throw new Error(`${address} is neither declared nor recorded`);
  const change = planResource(definition, { desired: declaration.attributes, prior: null });
  if (change.action !== "create") throw new Error(`a new resource was planned as ${change.action}`);
  const twin = findUnmanagedTwin(definition, change.after, { live: input.live.get(definition.type), managedIds });
  if (twin) return { step: null, drift: null, diagnostics: [unmanagedTwinDiagnostic(definition, { address, attributes: change.after }, twin)] };
  const { type, provider, masked } = declaration;
  return { step: { address, type, provider, because: [], masked, ...change }, drift: null, diagnostics: [] };
}

function planRecorded({ address, definition, declaration, managedIds, input }: AddressInput, instance: RecordedInstance, live: LiveObject | null): AddressPlan {
  const seen = live ? observe(definition, instance, live) : { ...instance, drifted: [] };
  const masked = declaration?.masked ?? instance.masked ?? [];
  const { type } = definition;
  const drift: Drift | null =
    seen.drifted.length === 0 ? null : { address, type, before: instance.attributes, after: seen.attributes, changed: seen.drifted, masked };
  const change = planResource(definition, { desired: declaration?.attributes ?? null, prior: seen });
  const base = { address, type, provider: declaration?.provider ?? instance.provider, masked, because: [] as readonly Reason[] };
  const result = (step: Step, diagnostics: readonly Diagnostic[] = []): AddressPlan => ({ step, drift, diagnostics });
  const { id } = instance;
  switch (change.action) {
    case "create":
      throw new Error("a recorded resource was planned as create");
    case "keep":
      if (drift)
        return result({
          ...base,
          action: "record",
          id,
          because: reasons(seen.drifted, [], change.before),
          before: instance.attributes,
          after: seen.attributes,
          returned: seen.returned,
        });
      return result({ ...base, action: "keep", id, before: change.before });
    case "record":
      return result({ ...base, ...change, id, returned: seen.returned, because: reasons(change.changed, seen.drifted, change.after) });
    case "forget":
      return result({ ...base, ...change, action: "forget" });
    case "delete":
      return id === null ? result({ ...base, action: "forget", before: change.before }) : result({ ...base, action: "delete", id, before: change.before });
    case "replace": {
      if (id === null) throw new Error(`${address} is recorded without an id`);
      const twin = findUnmanagedTwin(definition, change.after, { live: input.live.get(type), managedIds });
      if (twin) return { step: null, drift, diagnostics: [unmanagedTwinDiagnostic(definition, { address, attributes: change.after }, twin)] };
      const because = reasons(change.because, seen.drifted, change.after);
      return result({ ...base, action: "replace", order: "delete-first", id, because, before: change.before, after: change.after });
    }
  }
}

function reasons(names: readonly string[], drifted: readonly string[], after: Attributes): readonly Reason[] {
  return names.map((attribute) => {
    if (drifted.includes(attribute)) return { attribute, why: "drift" };
    return { attribute, why: isSecretDigest(after[attribute]) ? "secret" : "config" };
  });
}

function findUnmanagedTwin(
  definition: AnyResource,
  wanted: Attributes,
  { live, managedIds }: { readonly live: LiveListing | undefined; readonly managedIds: ReadonlySet<string> },
): LiveObject | undefined {
  if (wanted["allow_duplicate"] === true) return undefined;
  return live?.objects.find((object) => !managedIds.has(object.id) && isTwin(definition, wanted, object));
}

/** Two declarations of the same identity would deliver each event twice, unless both say that they mean it. */
function doubledDeclarations({ catalog, declarations }: PlanInput): readonly Diagnostic[] {
  const firsts = new Map<string, Declaration>();
  return declarations.flatMap((declaration) => {
    const definition = resourceOf(catalog, declaration.type);
    const { identity, noun } = definition;
    if (identity.some((name) => hasUnknown(declaration.attributes[name] ?? null))) return [];
    const key = identityKey(definition, declaration.attributes);
    const first = firsts.get(key);
    firsts.set(key, first ?? declaration);
    if (first?.attributes["allow_duplicate"] === true && declaration.attributes["allow_duplicate"] === true) return [];
    if (!first) return [];
    const place = declaration.locate([]);
    return [
      {
        code: "declared_twice",
        severity: "error",
        summary: `The same ${noun} is declared twice`,
        detail: `${declaration.address} and ${first.address} have the same ${identity.join(", ")}: each event would be delivered twice.`,
        hint: "Remove one, or set allow_duplicate: true in both.",
        address: declaration.address,
        ...(place ? { place } : {}),
      },
    ];
  });
}

function maybeTruncated(address: string, { noun }: AnyResource, { id }: RecordedInstance): Diagnostic {
  return {
    code: "list_maybe_truncated",
    severity: "error",
    summary: `A ${noun} is missing from a list that may be cut off`,
    detail: `${String(id)} is not in the service's list, but the list ignores paging and its length is a multiple of 10, so there may be more. Creating it again could double it.`,
    hint: "When you are sure that it is gone, run again with --allow-recreate.",
    address,
  };
}
