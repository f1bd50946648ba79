import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, type LiveListing, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Limits } from "../model/limits.ts";
import { type Value, hasUnknown } from "../model/value.ts";
import type { AddressPlan, PlanContext } from "./address-plan.ts";
import { declaredTwiceDiagnostic } from "./diagnostics.ts";
import { guardDiagnostics } from "./guards.ts";
import { identityKey } from "./identity.ts";
import { findMoves } from "./moves.ts";
import { planListed, refreshListed } from "./plan-listed.ts";
import { planOneWay } from "./plan-one-way.ts";
import type { PlanOptions } from "./plan-options.ts";
import type { Plan, Step } from "./plan.ts";
import { allowsDuplicate } from "./settings.ts";
import { type Targeting, openTargets } from "./targets.ts";
import { twinFinder } from "./twins.ts";

export interface PlanInput {
  readonly catalog: Catalog;
  /** With the secrets as digests among the attributes. Empty to destroy everything. */
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  /** What is live, by resource type; a type that cannot be listed is absent. */
  readonly live: ReadonlyMap<string, LiveListing>;
  readonly limits: Limits;
  readonly options: PlanOptions;
  /** What is said about addresses whose outcome is open: they get no step. */
  readonly undecided: readonly Diagnostic[];
}

/** Compares what is declared, what is recorded and what is live. Pure; every problem is in the plan's diagnostics. */
export function makePlan(input: PlanInput): Plan {
  const { catalog, options } = input;
  const targeting = openTargets(input);
  const results = planTypes(input, targeting);
  const steps = results.flatMap((one) => one.steps).toSorted(byAddress);
  const drift = results.flatMap((one) => (one.drift ? [one.drift] : []));
  const doubled = options.refreshOnly ? [] : doubledDeclarations(input);
  const diagnostics = [
    ...targeting.diagnostics,
    ...results.flatMap((one) => one.diagnostics),
    ...doubled.filter(({ address }) => address === undefined || targeting.includes(address)),
  ];
  const guards = guardDiagnostics({ steps, drift }, input);
  return { format: 1, steps, drift: drift.toSorted(byAddress), outputs: [], diagnostics: [...diagnostics, ...guards], undecided: input.undecided };
}

function byAddress(a: { readonly address: string }, b: { readonly address: string }): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}

/** Type by type: what can be listed goes by its address, what is one-way by what it is. */
function planTypes(input: PlanInput, targeting: Targeting): readonly AddressPlan[] {
  const context = planContext(input, targeting);
  const open = new Set(input.undecided.map(({ address }) => address));
  const inPlan = ({ address }: { readonly address: string }): boolean => !open.has(address) && targeting.includes(address);
  return input.catalog.resources.flatMap((definition) => {
    const declarations = input.declarations.filter(({ type }) => type === definition.type);
    const instances = input.instances.filter(({ type }) => type === definition.type);
    if (!definition.list) {
      const steps = input.options.refreshOnly ? [] : planOneWay(definition, { declarations, instances, options: input.options });
      return steps.filter(inPlan).map(({ address: _, ...planned }) => planned);
    }
    if (input.options.refreshOnly) return instances.filter(inPlan).map((instance) => refreshListed(definition, instance, context));
    return planAddresses(definition, { declarations, instances }, { context, inPlan });
  });
}

function planContext({ catalog, instances, live, options }: PlanInput, targeting: Targeting): PlanContext {
  const managedIds = new Set(instances.flatMap(({ id, deposed = [] }) => [...(id === null ? [] : [id]), ...deposed.map((object) => object.id)]));
  return {
    options,
    live,
    liveById: new Map([...live].map(([type, { objects }]) => [type, new Map(objects.map((object) => [object.id, object]))])),
    findTwins: twinFinder(catalog, live, managedIds),
    isReplaceRequested: targeting.isReplaceRequested,
  };
}

interface OfOneType {
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
}

function planAddresses(
  definition: AnyResource,
  { declarations, instances }: OfOneType,
  { context, inPlan }: { readonly context: PlanContext; readonly inPlan: (one: { readonly address: string }) => boolean },
): readonly AddressPlan[] {
  const declared = new Map(declarations.map((declaration) => [declaration.address, declaration]));
  const recorded = new Map(instances.map((instance) => [instance.address, instance]));
  const moves = findMoves(definition, { declared, recorded });
  const left = new Set(moves.values());
  const addresses = new Set([...declared.keys(), ...[...recorded.keys()].filter((address) => !left.has(address))]);
  return [...addresses].flatMap((address) => {
    const from = moves.get(address);
    if (!inPlan({ address }) && !(from !== undefined && inPlan({ address: from }))) return [];
    const instance = recorded.get(from ?? address) ?? null;
    return [planListed(definition, { address, movedFrom: from, declaration: declared.get(address) ?? null, instance }, context)];
  });
}

/** Two declarations of the same identity would deliver each event twice, unless both say that they mean it. */
export function doubledDeclarations({ catalog, declarations }: Pick<PlanInput, "catalog" | "declarations">): readonly Diagnostic[] {
  const firsts = new Map<string, Declaration>();
  return declarations.flatMap((declaration) => {
    const definition = resourceOf(catalog, declaration.type);
    if (!definition.list || definition.identity.some((name) => hasUnknown(declaration.attributes[name] ?? null))) return [];
    const key = identityKey(definition, declaration.attributes);
    const first = firsts.get(key);
    firsts.set(key, first ?? declaration);
    if (!first || (allowsDuplicate(first.attributes) && allowsDuplicate(declaration.attributes))) return [];
    return [declaredTwiceDiagnostic(definition, first, declaration)];
  });
}

/** The managed objects by address as they will be, for outputs: what is still to be computed is unknown. */
export function plannedAttributes({ steps }: Pick<Plan, "steps">): ReadonlyMap<string, { readonly [name: string]: Value }> {
  const isThere = (step: Step): boolean => step.action !== "delete" && step.action !== "forget";
  return new Map(steps.filter(isThere).map((step) => [step.address, "after" in step ? step.after : step.before]));
}
