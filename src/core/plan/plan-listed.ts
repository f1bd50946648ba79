import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, isSecretDigest } from "../model/value.ts";
import type { AddressPlan, PlanContext } from "./address-plan.ts";
import { adoptedAttributes } from "./adoption.ts";
import { maybeTruncatedDiagnostic, protectedDiagnostic, unmanagedTwinDiagnostic } from "./diagnostics.ts";
import { type Observation, observe } from "./observe.ts";
import type { Drift, Reason, Step } from "./plan.ts";
import { type Change, planResource } from "./resource.ts";
import { isProtected, isRotation, replaceOrder } from "./settings.ts";

/** One address of a type that can be listed: at least one of declaration and instance is there. */
export interface Addressed {
  readonly address: string;
  readonly movedFrom: string | undefined;
  readonly declaration: Declaration | null;
  readonly instance: RecordedInstance | null;
}

export function planListed(definition: AnyResource, given: Addressed, context: PlanContext): AddressPlan {
  const { address, instance } = given;
  if (instance === null) return planUnrecorded(definition, given, context);
  const planned = planInstance(definition, { ...given, instance }, context);
  return { ...planned, steps: [...deposedSteps(address, instance), ...planned.steps] };
}

function planInstance(definition: AnyResource, given: Addressed & { readonly instance: RecordedInstance }, context: PlanContext): AddressPlan {
  const { address, declaration, instance } = given;
  const { options } = context;
  const listing = context.live.get(definition.type);
  const live = instance.id === null ? undefined : context.liveById.get(definition.type)?.get(instance.id);
  if (!listing || live) return planRecorded(definition, { ...given, seen: live ? observe(definition, instance, live) : { ...instance, drifted: [] } }, context);
  if (!listing.complete && !options.allowRecreate) return { steps: [], drift: null, diagnostics: [maybeTruncatedDiagnostic(definition, instance)] };
  const drift = gone(address, instance, declaration);
  if (declaration) {
    const created = planUnrecorded(definition, given, context);
    return { ...created, drift };
  }
  const { type, provider, masked = [] } = instance;
  const step: Step = { address, type, provider, because: [], masked, action: "forget", before: instance.attributes };
  return { steps: [step], drift, diagnostics: [] };
}

/** The record follows what is live, and nothing else is done. */
export function refreshListed(definition: AnyResource, instance: RecordedInstance, context: PlanContext): AddressPlan {
  const { address, type, provider, masked = [], id } = instance;
  const base = { address, type, provider, masked };
  const listing = context.live.get(type);
  const live = id === null ? undefined : context.liveById.get(type)?.get(id);
  if (!live) {
    if (listing && !listing.complete && !context.options.allowRecreate)
      return { steps: [], drift: null, diagnostics: [maybeTruncatedDiagnostic(definition, instance)] };
    const step: Step = { ...base, because: [], action: "forget", before: instance.attributes };
    return { steps: [step], drift: gone(address, instance, null), diagnostics: [] };
  }
  const seen = observe(definition, instance, live);
  if (seen.drifted.length === 0) return { steps: [{ ...base, because: [], action: "keep", id, before: instance.attributes }], drift: null, diagnostics: [] };
  const because = seen.drifted.map((attribute): Reason => ({ attribute, why: "drift" }));
  const step: Step = { ...base, because, action: "record", id, before: instance.attributes, after: seen.attributes, returned: seen.returned };
  return { steps: [step], drift: changed(instance, seen, masked), diagnostics: [] };
}

/** Declared, and not (or no longer) live as ours: a create, unless an identical unmanaged object is there already. */
function planUnrecorded(definition: AnyResource, { address, declaration }: Addressed, { findTwins, options }: PlanContext): AddressPlan {
  if (!declaration) throw new Error(`${address} is neither declared nor recorded`);
  const change = planResource(definition, { desired: declaration.attributes, prior: null });
  if (change.action !== "create") throw new Error(`a new resource was planned as ${change.action}`);
  const { type, provider, masked } = declaration;
  const base = { address, type, provider, because: [], masked };
  const twins = findTwins(definition, change.after);
  const [twin] = twins;
  if (!twin) return { steps: [{ ...base, ...change }], drift: null, diagnostics: [] };
  const isCertain = twins.length === 1 && definition.identity.every((name) => twin.attributes[name] !== undefined);
  if (options.adopt && isCertain) {
    const after = adoptedAttributes(definition, declaration.attributes, twin);
    return { steps: [{ ...base, action: "adopt", id: twin.id, after, returned: twin.attributes }], drift: null, diagnostics: [] };
  }
  return { steps: [], drift: null, diagnostics: [unmanagedTwinDiagnostic(definition, { address, attributes: change.after }, twins)] };
}

interface Seen extends Addressed {
  readonly instance: RecordedInstance;
  readonly seen: Observation;
}

function planRecorded(definition: AnyResource, given: Seen, context: PlanContext): AddressPlan {
  const { address, declaration, instance, seen } = given;
  const masked = declaration?.masked ?? instance.masked ?? [];
  const drift = seen.drifted.length === 0 ? null : changed({ ...instance, address }, seen, masked);
  const planned = planResource(definition, { desired: declaration?.attributes ?? null, prior: seen });
  const change = context.isReplaceRequested(address) ? replacing(definition, planned, declaration) : planned;
  const refused = protection(definition, change, given);
  if (refused) return { steps: [], drift, diagnostics: [refused] };
  if (change.action === "replace") {
    const twins = context.findTwins(definition, change.after);
    if (twins.length > 0) return { steps: [], drift, diagnostics: [unmanagedTwinDiagnostic(definition, { address, attributes: change.after }, twins)] };
  }
  return { steps: [stepOf(definition, { ...given, masked, change })], drift, diagnostics: [] };
}

function replacing(definition: AnyResource, change: Change, declaration: Declaration | null): Change {
  if (!declaration || (change.action !== "keep" && change.action !== "record")) return change;
  const fresh = planResource(definition, { desired: declaration.attributes, prior: null });
  return fresh.action === "create" ? { action: "replace", before: change.before, after: fresh.after, because: [] } : change;
}

function stepOf(definition: AnyResource, given: Seen & { readonly masked: readonly string[]; readonly change: Change }): Step {
  const { address, movedFrom, declaration, instance, seen, masked, change } = given;
  const { type } = definition;
  const { id } = instance;
  const provider = declaration?.provider ?? instance.provider;
  const base = { address, type, provider, masked, because: [] as readonly Reason[], ...(movedFrom === undefined ? {} : { movedFrom }) };
  switch (change.action) {
    case "create":
      throw new Error("a recorded resource was planned as create");
    case "keep": {
      if (seen.drifted.length === 0 && movedFrom === undefined) return { ...base, action: "keep", id, before: change.before };
      const because = reasons(seen.drifted, given, change.before);
      return { ...base, action: "record", id, because, before: instance.attributes, after: seen.attributes, returned: seen.returned };
    }
    case "record":
      return { ...base, ...change, id, returned: seen.returned, because: reasons(change.changed, given, change.after) };
    case "forget":
      return { ...base, ...change, action: "forget" };
    case "delete":
      return id === null ? { ...base, action: "forget", before: change.before } : { ...base, action: "delete", id, before: change.before };
    case "replace": {
      if (id === null) throw new Error(`${address} is recorded without an id`);
      const requested: readonly Reason[] = change.because.length === 0 ? [{ attribute: null, why: "requested" }] : [];
      const because = [...reasons(change.because, given, change.after), ...requested];
      return { ...base, action: "replace", order: replaceOrder(change.after), id, because, before: change.before, after: change.after };
    }
  }
}

/** Declared it governs at once; without a declaration what is recorded does. */
function protection(definition: AnyResource, change: Change, { declaration, instance, address }: Seen) {
  if (change.action !== "delete" && change.action !== "replace") return undefined;
  if (!isProtected((declaration ?? instance).attributes)) return undefined;
  if (change.action === "replace" && isRotation(definition, change.because, change.after)) return undefined;
  return protectedDiagnostic(definition, { address, isDeclared: declaration !== null, because: change.action === "replace" ? change.because : null });
}

/** Objects that were replaced before and are still to be deleted. */
function deposedSteps(address: string, { type, provider, deposed = [], masked = [] }: RecordedInstance): readonly Step[] {
  return deposed.map(({ id, attributes }) => ({ address, type, provider, because: [], masked, action: "delete", id, before: attributes, deposed: true }));
}

function reasons(names: readonly string[], { seen, declaration, instance }: Seen, after: Attributes): readonly Reason[] {
  return names.map((attribute): Reason => {
    if (seen.drifted.includes(attribute)) return { attribute, why: "drift" };
    if (isSecretDigest(after[attribute])) return { attribute, why: "secret" };
    const lookup = declaration?.lookups?.[attribute];
    return lookup !== undefined && lookup === instance.lookups?.[attribute] ? { attribute, why: "lookup", lookup } : { attribute, why: "config" };
  });
}

function gone(address: string, { type, attributes, masked = [] }: RecordedInstance, declaration: Declaration | null): Drift {
  return { address, type, before: attributes, after: null, changed: [], masked: declaration?.masked ?? masked };
}

function changed({ address, type, attributes }: RecordedInstance, seen: Observation, masked: readonly string[]): Drift {
  return { address, type, before: attributes, after: seen.attributes, changed: seen.drifted, masked };
}
