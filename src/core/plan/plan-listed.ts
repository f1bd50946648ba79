import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type RecordedInstance, priorOf } from "../model/instance.ts";
import { type Attributes, isSecretDigest } from "../model/value.ts";
import type { AddressPlan, PlanContext } from "./plan-context.ts";
import { adoptedAttributes } from "./adopt.ts";
import { certainDuplicate, unmanagedDuplicateDiagnostic } from "./diagnostics.ts";
import { maskedOf, maskChanges } from "./masking.ts";
import { type Observation, observe } from "./observe.ts";
import { type Change, planResource, planWithIgnoredChanges } from "./resource.ts";
import type { Drift, Reason, Step } from "./plan.ts";
import { planImported } from "./plan-imported.ts";
import { refusal, replaceOrder } from "./protection.ts";

/** One address of a type that can be listed: at least one of declaration and instance is there. */
export interface Addressed {
  readonly address: string;
  readonly movedFrom: string | undefined;
  readonly declaration: Declaration | null;
  readonly instance: RecordedInstance | null;
  readonly isReplaceRequested: boolean;
}

export function planListed(definition: AnyResource, given: Addressed, context: PlanContext): AddressPlan {
  const { address, instance } = given;
  if (instance === null) return planUnrecorded(definition, given, context);
  if (given.declaration === null && context.released.has(blockOf(address)))
    return planReleased(definition, { ...given, instance }, context);
  const planned = planInstance(definition, { ...given, instance }, context);
  const isMoved = planned.steps.some(({ movedFrom }) => movedFrom !== undefined);
  return {
    ...planned,
    steps: [...deposedSteps(isMoved ? address : (given.movedFrom ?? address), instance), ...planned.steps],
  };
}

function planInstance(
  definition: AnyResource,
  given: Addressed & { readonly instance: RecordedInstance },
  context: PlanContext,
): AddressPlan {
  const { address, declaration, instance } = given;
  const isMissing = context.isMissing.get(definition.type);
  const live = instance.id === null ? undefined : context.liveById.get(definition.type)?.get(instance.id);
  const isHidden =
    isMissing !== undefined && !live && !context.options.allow.includes("recreate") && !isMissing(instance);
  if (!isMissing || live || isHidden) {
    const planned = planRecorded(definition, { ...given, seen: seenAs(definition, instance, live) }, context);
    return isHidden ? { ...planned, hidden: instance } : planned;
  }
  const drift: Drift = {
    address,
    type: instance.type,
    before: instance.attributes,
    after: null,
    changed: [],
    masked: maskedOf(declaration, instance),
  };
  if (declaration) return { ...planUnrecorded(definition, given, context), drift };
  // An object that is gone does not move.
  return {
    steps: [{ ...forgotten({ ...instance, address: given.movedFrom ?? address }), gone: true }],
    drift,
    diagnostics: [],
  };
}

/** Releases an object with its older ones: live objects stay live. */
function planReleased(
  definition: AnyResource,
  given: Addressed & { readonly instance: RecordedInstance },
  { isMissing, liveById }: PlanContext,
): AddressPlan {
  const { address, instance, movedFrom } = given;
  const { id, type, masked = [] } = instance;
  const isGone = (id === null || !liveById.get(type)?.has(id)) && isMissing.get(type)?.(instance) === true;
  const drift: Drift | null = isGone
    ? { address, type, before: instance.attributes, after: null, changed: [], masked }
    : null;
  return {
    steps: [{ ...forgotten(instance, movedFrom), released: true, ...(isGone ? { gone: isGone } : {}) }],
    drift,
    diagnostics: [],
  };
}

/** Updates the state from the service, and plans nothing else. */
export function refreshListed(definition: AnyResource, instance: RecordedInstance, context: PlanContext): AddressPlan {
  const { address, type, provider, masked = [], id, attributes: before } = instance;
  const base = { address, type, provider, masked };
  const isMissing = context.isMissing.get(type);
  const live = id === null ? undefined : context.liveById.get(type)?.get(id);
  if (isMissing && !live) {
    if (!context.options.allow.includes("recreate") && !isMissing(instance))
      return { steps: [], drift: null, diagnostics: [], hidden: instance };
    return {
      steps: [{ ...forgotten(instance), gone: true }],
      drift: { address, type, before, after: null, changed: [], masked },
      diagnostics: [],
    };
  }
  const seen = seenAs(definition, instance, live);
  if (seen.drifted.length === 0)
    return { steps: [{ ...base, because: [], action: "keep", id, before }], drift: null, diagnostics: [] };
  const { attributes: after, returned, drifted } = seen;
  const because = drifted.map((attribute): Reason => ({ attribute, why: "drift" }));
  const step: Step = {
    ...base,
    because,
    action: "update-state",
    id,
    before: changedBefore(instance, seen),
    after,
    returned,
  };
  return { steps: [step], drift: { address, type, before, after, changed: drifted, masked }, diagnostics: [] };
}

function seenAs(definition: AnyResource, instance: RecordedInstance, live: LiveObject | undefined): Observation {
  return live ? observe(definition, instance, live) : { ...instance, drifted: [] };
}

/** The record before the change, with the values that it only observes now. */
function changedBefore({ attributes }: RecordedInstance, seen: Observation): Attributes {
  return { ...seen.attributes, ...Object.fromEntries(seen.drifted.map((name) => [name, attributes[name] ?? null])) };
}

function forgotten(
  { address, type, provider, masked = [], attributes }: RecordedInstance,
  movedFrom?: string,
): Step & { readonly action: "forget" } {
  return {
    address,
    type,
    provider,
    because: [],
    masked,
    ...(movedFrom === undefined ? {} : { movedFrom }),
    action: "forget",
    before: attributes,
  };
}

/** Declared, and not (or no longer) live as ours: a create, unless it is imported, or an identical unmanaged object exists. */
function planUnrecorded(definition: AnyResource, given: Addressed, context: PlanContext): AddressPlan {
  const { address, movedFrom, declaration, instance } = given;
  const { findDuplicates, options, imports } = context;
  if (!declaration) throw new Error(`${address} is neither declared nor recorded`);
  const target = instance === null ? imports.get(address) : undefined;
  if (target) return planImported(definition, declaration, target, context);
  const change = planResource(definition, { desired: declaration.attributes, prior: null });
  if (change.action !== "create") throw new Error(`a new resource was planned as ${change.action}`);
  const { type, provider, masked } = declaration;
  const base = { address, type, provider, because: [], masked, ...(movedFrom === undefined ? {} : { movedFrom }) };
  const duplicates = findDuplicates(definition, change.after);
  if (duplicates.length === 0) return { steps: [{ ...base, ...change }], drift: null, diagnostics: [] };
  const certain = options.adopt ? certainDuplicate(definition, change.after, duplicates) : null;
  if (certain) {
    const after = adoptedAttributes(definition, declaration.attributes, certain);
    return {
      steps: [{ ...base, action: "adopt", id: certain.id, after, returned: certain.attributes }],
      drift: null,
      diagnostics: [],
    };
  }
  const recorded = instance === null ? {} : { recorded: "gone" as const };
  return {
    steps: [],
    drift: null,
    diagnostics: [
      unmanagedDuplicateDiagnostic(definition, { address, attributes: change.after, ...recorded }, duplicates),
    ],
  };
}

interface MatchedObject extends Addressed {
  readonly instance: RecordedInstance;
  readonly seen: Observation;
}

function planRecorded(definition: AnyResource, given: MatchedObject, context: PlanContext): AddressPlan {
  const { address, declaration, instance, seen, isReplaceRequested } = given;
  const masked = maskedOf(declaration, instance);
  const { type, attributes: before } = instance;
  const drift =
    seen.drifted.length === 0 ? null : { address, type, before, after: seen.attributes, changed: seen.drifted, masked };
  const prior = priorOf({ ...instance, ...seen });
  const planned = declaration
    ? planWithIgnoredChanges(definition, declaration, prior)
    : planResource(definition, { desired: null, prior });
  const change = isReplaceRequested ? replacing(definition, planned, declaration) : planned;
  const { destroy } = context.options;
  const refused = refusal(definition, change, {
    address,
    attributes: instance.attributes,
    declared: context.declaredProtection(address),
    destroy,
  });
  if (refused) return { steps: [], drift, diagnostics: [refused] };
  if (change.action === "replace") {
    const duplicates = context.findDuplicates(definition, change.after);
    const wanted = { address, attributes: change.after, recorded: "live" as const };
    if (duplicates.length > 0)
      return { steps: [], drift, diagnostics: [unmanagedDuplicateDiagnostic(definition, wanted, duplicates)] };
  }
  return { steps: [stepOf(definition, { ...given, masked, change })], drift, diagnostics: [] };
}

function replacing(definition: AnyResource, change: Change, declaration: Declaration | null): Change {
  if (!declaration || (change.action !== "keep" && change.action !== "update-state")) return change;
  const fresh = planResource(definition, { desired: declaration.attributes, prior: null });
  return fresh.action === "create"
    ? { action: "replace", before: change.before, after: fresh.after, because: [] }
    : change;
}

function stepOf(
  definition: AnyResource,
  given: MatchedObject & { readonly masked: readonly string[]; readonly change: Change },
): Step {
  const { address, movedFrom, declaration, instance, seen, masked, change } = given;
  const { type } = definition;
  const { id } = instance;
  const provider = declaration?.provider ?? instance.provider;
  const base = {
    address,
    type,
    provider,
    masked,
    because: [] as readonly Reason[],
    ...(movedFrom === undefined ? {} : { movedFrom }),
  };
  switch (change.action) {
    case "create":
      throw new Error("a recorded resource was planned as create");
    case "keep": {
      const marked = declaration === null ? [] : maskChanges(declaration, instance);
      if (seen.drifted.length === 0 && movedFrom === undefined && marked.length === 0)
        return { ...base, action: "keep", id, before: change.before };
      const because = [
        ...reasons(definition, seen.drifted, given),
        ...marked.map((attribute): Reason => ({ attribute, why: "config" })),
      ];
      return {
        ...base,
        action: "update-state",
        id,
        because,
        before: changedBefore(instance, seen),
        after: seen.attributes,
        returned: seen.returned,
      };
    }
    case "update-state": {
      const because = reasons(definition, [...new Set([...change.changed, ...seen.drifted])], given);
      return {
        ...base,
        action: "update-state",
        id,
        because,
        before: changedBefore(instance, seen),
        after: change.after,
        returned: seen.returned,
      };
    }
    case "forget":
      return { ...base, ...change, action: "forget" };
    case "delete":
      return id === null
        ? { ...base, action: "forget", before: change.before }
        : { ...base, action: "delete", id, before: change.before };
    case "replace": {
      if (id === null) throw new Error(`${address} is recorded without an id`);
      const requested: readonly Reason[] = change.because.length === 0 ? [{ attribute: null, why: "requested" }] : [];
      const because = [...reasons(definition, change.because, given), ...requested];
      return {
        ...base,
        action: "replace",
        order: replaceOrder(change.after),
        id,
        because,
        before: change.before,
        after: change.after,
      };
    }
  }
}

/** Objects that were replaced earlier and are still to be deleted. */
function deposedSteps(
  address: string,
  { type, provider, deposed = [], masked = [] }: RecordedInstance,
): readonly Step[] {
  return deposed.map(({ id, attributes }) => ({
    address,
    type,
    provider,
    because: [],
    masked,
    action: "delete",
    id,
    before: attributes,
    deposed: true,
  }));
}

function reasons(
  { schema }: AnyResource,
  names: readonly string[],
  { seen, declaration, instance }: MatchedObject,
): readonly Reason[] {
  return names.map((attribute): Reason => {
    if (seen.drifted.includes(attribute)) return { attribute, why: "drift" };
    const unobserved = seen.unobserved.includes(attribute) ? { unobserved: true as const } : {};
    if (schema[attribute]?.sensitive || isSecretDigest(declaration?.attributes[attribute]))
      return { attribute, why: "secret", ...unobserved };
    const lookup = declaration?.lookups?.[attribute];
    if (lookup !== undefined && lookup === instance.lookups?.[attribute]) return { attribute, why: "lookup", lookup };
    return { attribute, why: "config", ...unobserved };
  });
}
