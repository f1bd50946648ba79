import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { identical } from "../model/value.ts";
import type { AddressPlan } from "./address-plan.ts";
import { adoptedAttributes } from "./adoption.ts";
import { lookupChangedDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import type { PlanOptions } from "./plan-options.ts";
import type { Step } from "./plan.ts";
import { planResource } from "./resource.ts";

/**
 * What cannot be listed and not be undone is done once, by what it is and not by its address: never refreshed, never
 * repeated, and only forgotten when it is no longer declared. Of two declarations of the same, the first address owns it.
 */
export function planOneWay(
  definition: AnyResource,
  {
    declarations,
    instances,
    options,
  }: { readonly declarations: readonly Declaration[]; readonly instances: readonly RecordedInstance[]; readonly options: PlanOptions },
): readonly (AddressPlan & { readonly address: string })[] {
  const wanted = new Map<string, Declaration>();
  for (const declaration of declarations.toSorted((a, b) => (a.address < b.address ? -1 : 1))) {
    const key = identityKey(definition, declaration.attributes);
    if (!wanted.has(key)) wanted.set(key, declaration);
  }
  const recorded = new Map(instances.map((instance) => [identityKey(definition, instance.attributes), instance]));
  const byAddress = new Map(instances.map((instance) => [instance.address, instance]));
  const owners = keepOwners(definition, { declarations, recorded, wanted });
  const planned = [...owners].map(([key, declaration]) => {
    const { address } = declaration;
    const instance = recorded.get(key);
    if (instance) return { address, drift: null, diagnostics: [], steps: [stepOfRecorded(definition, declaration, instance)] };
    const before = byAddress.get(address);
    const stopped = options.allowCampaignChange ? undefined : changedLookup(definition, declaration, before);
    return { address, drift: null, diagnostics: stopped ? [stopped] : [], steps: stopped ? [] : [firstStep(definition, declaration, options)] };
  });
  const forgotten = [...recorded].filter(([key]) => !owners.has(key)).map(([, instance]) => forget(instance));
  const stopped = new Set(planned.flatMap(({ address, diagnostics }) => (diagnostics.length > 0 ? [address] : [])));
  return [...planned, ...forgotten.filter(({ address }) => !stopped.has(address))];
}

/** Where it is recorded already, the address that it is recorded under keeps it. */
function keepOwners(
  definition: AnyResource,
  given: {
    readonly declarations: readonly Declaration[];
    readonly recorded: ReadonlyMap<string, RecordedInstance>;
    readonly wanted: ReadonlyMap<string, Declaration>;
  },
): ReadonlyMap<string, Declaration> {
  const owners = new Map(given.wanted);
  for (const declaration of given.declarations) {
    const key = identityKey(definition, declaration.attributes);
    if (given.recorded.get(key)?.address === declaration.address) owners.set(key, declaration);
  }
  return owners;
}

function stepOfRecorded(definition: AnyResource, declaration: Declaration, instance: RecordedInstance): Step {
  const { address, provider, masked } = declaration;
  const { type } = definition;
  const moved = instance.address === address ? {} : { movedFrom: instance.address };
  const base = { address, type, provider, masked, because: [], ...moved };
  if (isUnconfirmed(definition, instance)) {
    const fresh = planResource(definition, { desired: declaration.attributes, prior: null });
    if (fresh.action === "create") return { ...base, ...fresh, again: "unconfirmed" };
  }
  const change = planResource(definition, { desired: declaration.attributes, prior: instance });
  const { id, attributes, returned } = instance;
  if (change.action === "record") {
    const because = change.changed.map((attribute) => ({ attribute, why: "config" }) as const);
    return { ...base, because, action: "record", id, before: attributes, after: change.after, returned };
  }
  if (instance.address === address) return { ...base, action: "keep", id, before: attributes };
  return { ...base, action: "record", id, before: attributes, after: attributes, returned };
}

/** Whether it was sent and no answer ever told what became of it, and nobody has settled that. */
export function isUnconfirmed({ oneWay }: AnyResource, { attributes, settled }: RecordedInstance): boolean {
  if (!oneWay || settled) return false;
  return Object.entries(oneWay.unconfirmed).every(([name, value]) => identical(attributes[name] ?? null, value));
}

function firstStep(definition: AnyResource, { address, provider, masked, attributes }: Declaration, { assumeUnsubscribed }: PlanOptions): Step {
  const base = { address, type: definition.type, provider, masked, because: [] };
  const change = planResource(definition, { desired: attributes, prior: null });
  if (change.action !== "create") throw new Error(`a new resource was planned as ${change.action}`);
  if (!assumeUnsubscribed || !definition.oneWay) return { ...base, ...change };
  const after = { ...adoptedAttributes(definition, attributes, { attributes: {} }), ...definition.oneWay.done };
  return { ...base, action: "adopt", id: null, after, returned: {} };
}

/** The same question now has another answer: that would do to other people what was meant for these. */
function changedLookup(definition: AnyResource, declaration: Declaration, before: RecordedInstance | undefined): Diagnostic | undefined {
  if (!before) return undefined;
  const name = Object.entries(declaration.lookups ?? {}).find(
    ([attribute, lookup]) =>
      before.lookups?.[attribute] === lookup && !identical(before.attributes[attribute] ?? null, declaration.attributes[attribute] ?? null),
  )?.[0];
  if (name === undefined) return undefined;
  const values = { before: before.attributes[name] ?? null, after: declaration.attributes[name] ?? null };
  return lookupChangedDiagnostic(definition, { ...declaration, attribute: name, lookup: declaration.lookups?.[name] ?? "", ...values });
}

function forget({ address, type, provider, masked = [], attributes }: RecordedInstance): AddressPlan & { readonly address: string } {
  const step: Step = { address, type, provider, masked, because: [], action: "forget", before: attributes };
  return { address, drift: null, diagnostics: [], steps: [step] };
}
