import { blockOf, byAddress, formatAddress, recordedAddress } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type RecordedInstance, priorOf } from "../model/instance.ts";
import { type Value, canonicalJson, identical } from "../model/value.ts";
import type { AddressPlan, PlanContext, PlanOptions } from "./plan-context.ts";
import { adoptedAttributes } from "./adopt.ts";
import { lookupChangedDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { maskedOf, lookupChanges, maskChanges } from "./masking.ts";
import { managedBefore, vouchedOtherwise } from "./plan-imported.ts";
import type { Reason, Step } from "./plan.ts";
import { isUnconfirmed, isWatched, matchIrreversible } from "./irreversible-records.ts";
import { type WaitingWrite, coverage, dueReasserts, waitingWrite } from "./rechecks.ts";
import { planResource } from "./resource.ts";

interface Irreversible {
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
}

interface IrreversiblePlanning extends Pick<PlanContext, "options" | "limits" | "imports" | "released"> {
  readonly isInPlan: (...addresses: readonly string[]) => boolean;
}

/**
 * Plans irreversible writes, which cannot be listed either. Each is sent once by its identity, whatever its address, and never
 * refreshed. What is recorded stays known when nothing declares it any more. What was not found waits, and so does what the
 * approval of an earlier write covers: neither is a step.
 */
export function planIrreversible(
  definition: AnyResource,
  { declarations, instances }: Irreversible,
  { options, limits, imports, released, isInPlan }: IrreversiblePlanning,
): readonly AddressPlan[] {
  const records = matchIrreversible(definition, { declarations, instances }, imports);
  const { owners, recorded, spare } = records;
  const leaving = records.leaving.filter(({ undeclared }) => !undeclared);
  const stopped =
    options.allow.includes("lookup-change") || options.destroy
      ? new Map<string, Stop>()
      : findStops(declarations, leaving);
  const reasserts = options.importsOnly
    ? new Set<string>()
    : dueReasserts(definition, records, { atMs: options.atMs, limits });
  const isCovered = coverage(definition, instances);
  const steps: Step[] = [];
  const managed: Diagnostic[] = [];
  const waiting: WaitingWrite[] = [];
  const stops: (Stop & { readonly address: string })[] = [];
  const imported = new Set(
    imports.size === 0
      ? []
      : declarations
          .filter(({ address }) => imports.has(address))
          .map(({ attributes }) => identityKey(definition, attributes)),
  );
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
    if (stop) {
      stops.push({ ...stop, address });
      continue;
    }
    const waits =
      isImported || options.assumeUnsubscribed ? null : waitingWrite(definition, declaration, { instance, isCovered });
    if (waits) waiting.push(waits);
    if (instance)
      steps.push(stepOfRecorded(definition, declaration, { instance, options, isReasserted: reasserts.has(key) }));
    else if (!waits) steps.push(firstStep(definition, declaration, { ...options, isImported }));
  }
  const evidence = new Set([...stopped.values()].flatMap((stop) => stop.instances));
  const taken = new Set(records.leaving.length === 0 ? [] : [...owners.values()].map(({ address }) => address));
  const isKept = (instance: RecordedInstance): boolean =>
    (!instance.undeclared || taken.has(instance.address)) && isInPlan(instance.address) && !evidence.has(instance);
  const left = options.importsOnly || options.destroy ? [] : records.leaving;
  // Only a statement about the block makes it unknown.
  const isReleased = ({ address }: RecordedInstance): boolean => released.has(blockOf(address)) && isInPlan(address);
  const kept = left
    .filter((instance) => !isReleased(instance) && isKept(instance))
    .map((instance) => keepUndeclared(definition, instance, taken));
  return [
    {
      steps: [
        ...[...spare.filter(({ address }) => isInPlan(address)), ...left.filter(isReleased)].map(forget),
        ...kept,
        ...steps,
      ],
      drift: null,
      diagnostics: [
        ...vouchedOtherwise(definition, declarations, imports),
        ...managed,
        ...stopDiagnostics(definition, stops),
      ],
      ...(waiting.length > 0 ? { waiting } : {}),
    },
  ];
}

function stepOfRecorded(
  definition: AnyResource,
  declaration: Declaration,
  {
    instance,
    options,
    isReasserted,
  }: { readonly instance: RecordedInstance; readonly options: PlanOptions; readonly isReasserted: boolean },
): Step {
  const { address, provider } = declaration;
  const { id, attributes: before, returned } = instance;
  const isMoved = instance.address !== address;
  const masked = maskedOf(declaration, instance);
  const change = planResource(definition, { desired: declaration.attributes, prior: priorOf(instance) });
  const after = change.action === "update-state" ? change.after : before;
  const base = {
    address,
    type: definition.type,
    provider,
    masked,
    because: NO_REASONS,
    ...(isMoved ? { movedFrom: instance.address } : {}),
  };
  if (isReasserted) return { ...base, ...created(definition, declaration), again: "reassert" };
  if (
    isUnconfirmed(definition, instance) &&
    (options.assumeUnsubscribed || !isWatched(definition, declaration.attributes))
  ) {
    if (options.assumeUnsubscribed)
      return {
        ...base,
        action: "update-state",
        id,
        before,
        after: { ...after, ...definition.irreversible?.done },
        returned,
      };
    return { ...base, ...created(definition, declaration), again: "unconfirmed" };
  }
  if (change.action === "replace") return { ...base, ...created(definition, declaration) };
  const marked = isMoved ? [] : [...maskChanges(declaration, instance), ...lookupChanges(declaration, instance)];
  const names = new Set([...(change.action === "update-state" ? change.changed : []), ...marked]);
  if (names.size === 0 && !isMoved)
    return { action: "keep", address, type: definition.type, provider, masked, because: NO_REASONS, id, before };
  const because = [...names].map((attribute): Reason => ({ attribute, why: "config" }));
  return { ...base, because, action: "update-state", id, before, after, returned };
}

const NO_REASONS: readonly Reason[] = [];

function firstStep(
  definition: AnyResource,
  declaration: Declaration,
  { assumeUnsubscribed, isImported }: PlanOptions & { readonly isImported: boolean },
): Step {
  const { address, provider, masked, attributes } = declaration;
  const { type } = definition;
  // Written out, not spread: V8 gives each object of two spreads a hidden class of its own.
  if (!isImported && !(assumeUnsubscribed && definition.irreversible)) {
    const { action, after } = created(definition, declaration);
    return { action, address, type, provider, masked, because: NO_REASONS, after };
  }
  const after = { ...adoptedAttributes(definition, attributes, { attributes: {} }), ...definition.irreversible?.done };
  return { action: "adopt", address, type, provider, masked, because: NO_REASONS, id: null, after, returned: {} };
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
function findStops(
  declarations: readonly Declaration[],
  leaving: readonly RecordedInstance[],
): ReadonlyMap<string, Stop> {
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
  return [...groups.values()].map(({ first, count }) =>
    lookupChangedDiagnostic(definition, { ...first, more: count - 1 }),
  );
}

/**
 * Marked as no longer declared, which is no change: nothing is sent, and it stays known as what it is. Where its address has
 * another write now, it gets one from its identity.
 */
function keepUndeclared(definition: AnyResource, instance: RecordedInstance, taken: ReadonlySet<string>): Step {
  const { type, provider, masked = [], id, attributes: before } = instance;
  const step = { type, provider, masked, because: [], action: "keep", id, before, undeclared: true } as const;
  if (!taken.has(instance.address)) return { ...step, address: instance.address };
  const key = definition.identity
    .map((name) => textOf(definition.schema[name]?.canonical?.(before[name] ?? null) ?? before[name]))
    .join("/");
  return {
    ...step,
    address: formatAddress({ ...recordedAddress(instance.address), key }),
    movedFrom: instance.address,
  };
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function forget({ address, type, provider, masked = [], attributes }: RecordedInstance): Step {
  return { address, type, provider, masked, because: [], action: "forget", before: attributes };
}
