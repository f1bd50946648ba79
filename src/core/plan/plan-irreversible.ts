import { blockOf, byAddress } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type RecordedInstance, priorOf } from "../model/instance.ts";
import { canonicalJson, identical } from "../model/value.ts";
import type { AddressPlan, PlanContext, PlanOptions } from "./plan-context.ts";
import { adoptedAttributes } from "./adopt.ts";
import { lookupChangedDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { maskedOf, lookupChanges, maskChanges } from "./masking.ts";
import { managedBefore, vouchedOtherwise } from "./plan-imported.ts";
import type { Reason, Step } from "./plan.ts";
import { hasOutcome, planResource } from "./resource.ts";

interface Irreversible {
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
}

interface IrreversiblePlanning extends Pick<PlanContext, "options" | "imports"> {
  readonly isInPlan: (...addresses: readonly string[]) => boolean;
}

/**
 * Plans irreversible writes, which cannot be listed either. Each is sent once by its identity, whatever its address: never
 * refreshed, never repeated, and only forgotten when it is no longer declared. Of two declarations with the same identity,
 * the one at the recorded address owns the record, else the one that it is imported to, else the first address.
 */
export function planIrreversible(
  definition: AnyResource,
  { declarations, instances }: Irreversible,
  { options, imports, isInPlan }: IrreversiblePlanning,
): readonly AddressPlan[] {
  const { recorded, spare } = recordedOnce(definition, instances);
  const owners = ownersOf(definition, declarations, { recorded, imports });
  const leaving = [...[...recorded].filter(([key]) => !owners.has(key)).map(([, instance]) => instance), ...spare];
  const stopped = options.allowLookupChange ? new Map<string, Stop>() : findStops(declarations, leaving);
  const steps: Step[] = [];
  const managed: Diagnostic[] = [];
  const stops: (Stop & { readonly address: string })[] = [];
  const imported = new Set(declarations.filter(({ address }) => imports.has(address)).map(({ attributes }) => identityKey(definition, attributes)));
  for (const [key, declaration] of owners) {
    const { address } = declaration;
    const instance = recorded.get(key);
    if (!isInPlan(...(instance ? [address, instance.address] : [address]))) continue;
    const target = imports.get(address);
    if (target && instance && options.importsOnly) {
      managed.push(managedBefore(instance, target));
      continue;
    }
    const isImported = imported.has(key);
    const stop = instance || isImported ? undefined : stopOf(declaration, stopped);
    if (stop) stops.push({ ...stop, address });
    else steps.push(instance ? stepOfRecorded(definition, declaration, { instance, options }) : firstStep(definition, declaration, { ...options, isImported }));
  }
  const evidence = new Set([...stopped.values()].flatMap((stop) => stop.instances));
  const forgotten = leaving.filter((instance) => isInPlan(instance.address) && !evidence.has(instance));
  return [
    {
      steps: [...forgotten.map(forget), ...steps],
      drift: null,
      diagnostics: [...vouchedOtherwise(definition, declarations, imports), ...managed, ...stopDiagnostics(definition, stops)],
    },
  ];
}

/** One record for each identity; further ones are spare. A known outcome takes precedence over an unconfirmed one. */
function recordedOnce(definition: AnyResource, instances: readonly RecordedInstance[]) {
  const recorded = new Map<string, RecordedInstance>();
  const spare: RecordedInstance[] = [];
  const sorted = instances.toSorted((a, b) => Number(isUnconfirmed(definition, a)) - Number(isUnconfirmed(definition, b)) || byAddress(a, b));
  for (const instance of sorted) {
    const key = identityKey(definition, instance.attributes);
    if (recorded.has(key)) spare.push(instance);
    else recorded.set(key, instance);
  }
  return { recorded, spare };
}

function ownersOf(
  definition: AnyResource,
  declarations: readonly Declaration[],
  { recorded, imports }: Pick<PlanContext, "imports"> & { readonly recorded: ReadonlyMap<string, RecordedInstance> },
): ReadonlyMap<string, Declaration> {
  const owners = new Map<string, Declaration>();
  for (const declaration of declarations.toSorted(byAddress)) {
    const { address, attributes } = declaration;
    const key = identityKey(definition, attributes);
    const isPreferred = recorded.has(key) ? recorded.get(key)?.address === address : imports.has(address);
    if (!owners.has(key) || isPreferred) owners.set(key, declaration);
  }
  return owners;
}

function stepOfRecorded(
  definition: AnyResource,
  declaration: Declaration,
  { instance, options }: { readonly instance: RecordedInstance; readonly options: PlanOptions },
): Step {
  const { address, provider } = declaration;
  const { id, attributes: before, returned } = instance;
  const isMoved = instance.address !== address;
  const masked = maskedOf(declaration, instance);
  const base = { address, type: definition.type, provider, masked, because: [], ...(isMoved ? { movedFrom: instance.address } : {}) };
  const change = planResource(definition, { desired: declaration.attributes, prior: priorOf(instance) });
  const after = change.action === "update-state" ? change.after : before;
  if (isUnconfirmed(definition, instance)) {
    if (options.assumeDone) return { ...base, action: "update-state", id, before, after: { ...after, ...definition.irreversible?.done }, returned };
    return { ...base, ...created(definition, declaration), again: "unconfirmed" };
  }
  if (change.action === "replace") return { ...base, ...created(definition, declaration) };
  const marked = isMoved ? [] : [...maskChanges(declaration, instance), ...lookupChanges(declaration, instance)];
  const names = new Set([...(change.action === "update-state" ? change.changed : []), ...marked]);
  if (names.size === 0 && !isMoved) return { ...base, action: "keep", id, before };
  const because = [...names].map((attribute): Reason => ({ attribute, why: "config" }));
  return { ...base, because, action: "update-state", id, before, after, returned };
}

/** Whether no answer ever told the outcome of the write, and no user has resolved it. */
export function isUnconfirmed({ irreversible }: AnyResource, { attributes, settled }: RecordedInstance): boolean {
  return irreversible !== undefined && !settled && hasOutcome(attributes, irreversible.unconfirmed);
}

function firstStep(
  definition: AnyResource,
  declaration: Declaration,
  { assumeDone, isImported }: Pick<PlanOptions, "assumeDone"> & { readonly isImported: boolean },
): Step {
  const { address, provider, masked, attributes } = declaration;
  const base = { address, type: definition.type, provider, masked, because: [] };
  if (!isImported && !(assumeDone && definition.irreversible)) return { ...base, ...created(definition, declaration) };
  const after = { ...adoptedAttributes(definition, attributes, { attributes: {} }), ...definition.irreversible?.done };
  return { ...base, action: "adopt", id: null, after, returned: {} };
}

function created(definition: AnyResource, { attributes }: Declaration) {
  const change = planResource(definition, { desired: attributes, prior: null });
  if (change.action !== "create") throw new Error(`a new resource was planned as ${change.action}`);
  return change;
}

/** A lookup that now finds another value than before. */
interface Stop {
  readonly attribute: string;
  readonly lookup: string;
  readonly before: RecordedInstance["attributes"][string];
  readonly after: RecordedInstance["attributes"][string];
  /** The records that hold what it found before: they are kept as evidence. */
  readonly instances: RecordedInstance[];
}

/**
 * Finds lookups whose result has changed, by the records that are no longer declared: an irreversible write must not hit
 * another object than intended. A lookup with several results is a filter, where results come and go.
 */
function findStops(declarations: readonly Declaration[], leaving: readonly RecordedInstance[]): ReadonlyMap<string, Stop> {
  const stops = new Map<string, Stop>();
  if (leaving.every(({ lookups }) => lookups === undefined)) return stops;
  const answers = new Map<string, Map<string, Stop["after"]>>();
  for (const { lookups = {}, attributes } of declarations) {
    for (const [attribute, lookup] of Object.entries(lookups)) {
      const value = attributes[attribute] ?? null;
      const text = lookupTextOf(attribute, lookup);
      const found = answers.get(text) ?? new Map<string, Stop["after"]>();
      answers.set(text, found.set(canonicalJson(value), value));
    }
  }
  for (const instance of leaving.toSorted(byAddress)) {
    for (const [attribute, lookup] of Object.entries(instance.lookups ?? {})) {
      const text = lookupTextOf(attribute, lookup);
      const found = [...(answers.get(text)?.values() ?? [])];
      const [after = null] = found;
      const before = instance.attributes[attribute] ?? null;
      if (found.length !== 1 || identical(before, after)) continue;
      const known = stops.get(text)?.instances;
      if (known) known.push(instance);
      else stops.set(text, { attribute, lookup, before, after, instances: [instance] });
    }
  }
  return stops;
}

function stopOf({ lookups = {} }: Declaration, stops: ReadonlyMap<string, Stop>): Stop | undefined {
  if (stops.size === 0) return undefined;
  return Object.entries(lookups)
    .map(([attribute, lookup]) => stops.get(lookupTextOf(attribute, lookup)))
    .find((stop) => stop !== undefined);
}

function lookupTextOf(attribute: string, lookup: string): string {
  return `${attribute} ${lookup}`;
}

/** One for each block and lookup: thousands of writes may depend on it. */
function stopDiagnostics(definition: AnyResource, stops: readonly (Stop & { readonly address: string })[]) {
  const groups = new Map<string, { readonly first: Stop & { readonly address: string }; count: number }>();
  for (const stop of stops) {
    const key = `${blockOf(stop.address)} ${lookupTextOf(stop.attribute, stop.lookup)}`;
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { first: stop, count: 1 });
  }
  return [...groups.values()].map(({ first, count }) => lookupChangedDiagnostic(definition, { ...first, more: count - 1 }));
}

function forget({ address, type, provider, masked = [], attributes }: RecordedInstance): Step {
  return { address, type, provider, masked, because: [], action: "forget", before: attributes };
}
