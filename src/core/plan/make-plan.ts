import type { Declaration, ImportTarget } from "../model/declaration.ts";
import { type AnyResource, resourceOf, type LiveListing } from "../model/definition.ts";
import { type RecordedInstance, managedIds } from "../model/instance.ts";
import { type Relocated, followed, relocate } from "../model/relocate.ts";
import type { Attributes } from "../model/value.ts";
import type { AddressPlan, PlanContext, PlanInput } from "./plan-context.ts";
import { blockOf, byAddress } from "../model/address.ts";
import {
  excludedMoves,
  findMoves,
  openAddresses,
  releasedWarning,
  renameNotes,
  unresolvedMoves,
  withRecordedSecrets,
} from "./moves.ts";
import { duplicateDeclarations, duplicateFinder, standingDuplicates, standingIn } from "./duplicates.ts";
import { exclusiveProblems } from "./exclusive.ts";
import { guardDiagnostics } from "./guards.ts";
import { duplicatesLeftOut } from "./left-out.ts";
import { markNotes } from "./marks.ts";
import { missingFrom, unlistedOf, whyUnknown } from "./missing.ts";
import { withIgnoredChanges } from "./resource.ts";
import { knownId, recordedBefore } from "./plan-imported.ts";
import { planListed, refreshListed } from "./plan-listed.ts";
import { planIrreversible } from "./plan-irreversible.ts";
import type { Plan, Step } from "./plan.ts";
import { planRemovals, removalsIn } from "./removals.ts";
import { declaredProtection } from "./protection.ts";
import { recheckLimit, waitingOf } from "./rechecks.ts";
import { type Targeting, isPartial, inScope, openTargets, withoutReplaced } from "./targets.ts";
import { firstFew } from "../model/words.ts";
import { overlappingDeclarations } from "./overlaps.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";

/** Compares declarations, records and live objects. Pure; every problem is in the plan's diagnostics. */
export function makePlan(input: PlanInput): Plan {
  const { options, undecided } = input;
  // A refresh moves no records.
  const relocated = relocate(input.instances, options.refreshOnly ? [] : input.moved);
  const context = planContext(input, relocated);
  const types = byType(input, { context, relocated });
  const moves = new Map(types.flatMap((one) => [...one.moves]));
  const reshaped = new Set(types.flatMap((one) => [...one.reshaped.values()]));
  const opened = options.importsOnly ? importTargets(input, { context, relocated }) : openTargets({ ...input, moves });
  const targeting = withoutReplaced(opened, { ...input, ...relocated, moved: reshaped });
  const results = types.flatMap((one) => planType(one, { context, targeting, isInPlan: isInPlan(input, targeting) }));
  const removals = planRemovals(input, isInPlan(input, targeting));
  const steps = [...results.flatMap((one) => one.steps), ...removals.steps].toSorted(byAddress);
  const drift = results.flatMap((one) => (one.drift ? [one.drift] : [])).toSorted(byAddress);
  const isFull = !options.destroy && !options.refreshOnly;
  const duplicates = isFull ? duplicateDeclarations(input) : [];
  const hidden = results.flatMap((one) => (one.hidden ? [one.hidden] : [])).toSorted(byAddress);
  const diagnostics = [
    ...(isPartial(options) ? excludedMoves(relocated.origins, targeting.includes, { ...options, steps }) : []),
    ...targeting.diagnostics,
    ...results.flatMap((one) => one.diagnostics),
    ...removals.diagnostics,
    ...duplicates.filter(({ address }) => address === undefined || targeting.includes(address)),
    ...duplicatesLeftOut(steps, { relocated, targeting, input, context }),
    ...(isFull ? exclusiveProblems(steps, input) : []),
    ...(isFull ? overlappingDeclarations(input, targeting.includes) : []),
    ...types.flatMap(({ definition }) =>
      hiddenWarnings(definition, { hidden, listing: input.live.get(definition.type) }),
    ),
    ...guardDiagnostics({ steps, drift }, input),
    ...unresolvedMoves(relocated.blocked),
    ...releasedWarning(steps),
    ...standingDuplicates(standingIn(steps, input.declarations), { ...input, findDuplicates: context.findDuplicates }),
    ...renameNotes(steps, input.catalog),
    ...markNotes(steps, input),
  ];
  const waiting = waitingOf(
    results.flatMap((one) => one.waiting ?? []),
    options.rechecks === "all"
      ? { atMs: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY }
      : { atMs: options.atMs, most: recheckLimit(input.limits) - reassertsIn(steps) },
  );
  return { format: 1, steps, drift, outputs: [], diagnostics, undecided, ...(waiting ? { waiting } : {}) };
}

function reassertsIn(steps: readonly Step[]): number {
  return steps.filter((step) => step.action === "create" && step.again === "reassert").length;
}

function planContext(input: PlanInput, { instances, origins }: Relocated): PlanContext {
  const { catalog, declarations, live, limits, options, replacing = [], removals = [], ...statements } = input;
  const isFull = !options.destroy && !options.refreshOnly;
  const released = new Set(isFull ? statements.removed.flatMap(({ from, destroy }) => (destroy ? [] : [from])) : []);
  const recorded = new Set(isFull && statements.imports.length > 0 ? instances.map(({ address }) => address) : []);
  const awaited = new Set(isFull ? replacing.map((address) => followed(address, statements.moved)) : []);
  const liveById = new Map(
    [...live].map(([type, { objects }]) => [type, new Map(objects.map((object) => [object.id, object]))]),
  );
  const isLive = (id: string): boolean => [...liveById.values()].some((objects) => objects.has(id));
  // An import does nothing at a recorded address, nor where the object was imported before and deleted for a replace.
  const isWaiting = ({ to }: ImportTarget): boolean => awaited.has(to) && !options.importsOnly;
  const isOpen = (target: ImportTarget): boolean =>
    !recorded.has(target.to) && (!isWaiting(target) || isLive(knownId(target)));
  const imports = new Map(isFull ? statements.imports.filter(isOpen).map((target) => [target.to, target]) : []);
  // What the plan does not include stays managed, also where the configuration releases it.
  const isIncluded = inScope(options);
  const isPlanned = isInPlan(input, { includes: options.importsOnly ? () => false : isIncluded });
  const isReleased = ({ address }: RecordedInstance): boolean =>
    released.has(blockOf(address)) && isPlanned(address, origins.get(address) ?? address);
  const staying = released.size === 0 ? instances : instances.filter((instance) => !isReleased(instance));
  // An object that an import or a removal names is no candidate for adoption, and no unmanaged duplicate.
  const removed = removalsIn({ removals, options }).flatMap(({ address, id }) => (isIncluded(address) ? [id] : []));
  const managed = new Set([...managedIds(staying), ...[...imports.values()].map(knownId), ...removed]);
  return {
    options,
    limits,
    live,
    liveById,
    isMissing: new Map(
      [...live].map(([type, listing]) => [
        type,
        missingFrom(resourceOf(catalog, type), listing, unlistedOf(type, listing.objects, instances)),
      ]),
    ),
    findDuplicates: duplicateFinder(catalog, live, managed),
    declaredProtection: declaredProtection(declarations),
    released,
    imports,
    holders: new Map(
      imports.size === 0
        ? []
        : staying.flatMap((one) => [...managedIds([one])].map((id) => [id, one.address] as const)),
    ),
  };
}

function importTargets(
  { imports, undecided }: PlanInput,
  { context, relocated }: { readonly context: PlanContext; readonly relocated: Relocated },
): Targeting {
  const isUndecided = new Set(undecided.map(({ address }) => address));
  const decided = imports.filter(({ to }) => !isUndecided.has(to));
  return {
    includes: (address) => context.imports.has(address),
    isReplaceRequested: () => false,
    diagnostics: recordedBefore(decided, relocated.instances),
  };
}

interface OfOneType {
  readonly definition: AnyResource;
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  /** New address → the address before the block changed its shape. */
  readonly reshaped: ReadonlyMap<string, string>;
  /** New address → the recorded one, for everything that has moved. */
  readonly moves: ReadonlyMap<string, string>;
}

function byType(
  { catalog, declarations: all, instances: recorded, options }: PlanInput,
  { context: { live, liveById }, relocated }: { readonly context: PlanContext; readonly relocated: Relocated },
): readonly OfOneType[] {
  return catalog.resources.map((definition) => {
    const { type, list } = definition;
    const declared = options.destroy ? [] : all.filter((one) => one.type === type);
    const declarations = list ? declared : withIgnoredChanges(declared, relocated.instances);
    // Irreversible writes are matched by their identity: their address follows the declaration.
    const instances = (list ? relocated.instances : recorded).filter((one) => one.type === type);
    const isThere = ({ id }: RecordedInstance): boolean =>
      !live.has(type) || (id !== null && liveById.get(type)?.has(id) === true);
    const reshaped =
      list && !options.refreshOnly
        ? findMoves(definition, { declarations, instances }, isThere)
        : new Map<string, string>();
    return {
      definition,
      declarations,
      instances,
      reshaped,
      moves: list ? allMoves(instances, reshaped, relocated) : reshaped,
    };
  });
}

function allMoves(
  instances: readonly RecordedInstance[],
  reshaped: ReadonlyMap<string, string>,
  { origins }: Relocated,
): ReadonlyMap<string, string> {
  if (origins.size === 0) return reshaped;
  const left = new Set(reshaped.values());
  const moved = instances.flatMap(({ address }) =>
    origins.has(address) && !left.has(address) ? [[address, origins.get(address) ?? address] as const] : [],
  );
  return new Map([...moved, ...[...reshaped].map(([address, from]) => [address, origins.get(from) ?? from] as const)]);
}

/** Whether to plan an object that is known under these addresses: none may be undecided, and the plan must include it. */
function isInPlan(
  { undecided, moved, options }: PlanInput,
  { includes }: Pick<Targeting, "includes">,
): (...addresses: readonly string[]) => boolean {
  const isOpen = openAddresses(undecided, options.refreshOnly ? [] : moved);
  return (...addresses) => !addresses.some(isOpen) && includes(...addresses);
}

interface Planning {
  readonly context: PlanContext;
  readonly targeting: Targeting;
  readonly isInPlan: (...addresses: readonly string[]) => boolean;
}

/** Types with a list are planned by address, irreversible writes by identity. */
function planType(given: OfOneType, planning: Planning): readonly AddressPlan[] {
  const { definition, instances } = given;
  const { context } = planning;
  if (!definition.list)
    return context.options.refreshOnly
      ? []
      : planIrreversible(definition, given, { ...context, isInPlan: planning.isInPlan });
  if (!context.options.refreshOnly) return planAddresses(given, planning);
  return instances
    .filter(({ address }) => planning.isInPlan(address))
    .map((instance) => refreshListed(definition, instance, context));
}

function planAddresses(
  { definition, declarations, instances, reshaped, moves }: OfOneType,
  { context, targeting, isInPlan: isWanted }: Planning,
) {
  const declared = new Map(declarations.map((declaration) => [declaration.address, declaration]));
  const recorded = new Map(instances.map((instance) => [instance.address, instance]));
  const left = new Set(reshaped.values());
  const addresses = new Set([...declared.keys(), ...[...recorded.keys()].filter((address) => !left.has(address))]);
  return [...addresses].flatMap((address): readonly AddressPlan[] => {
    const from = moves.get(address);
    const known = from === undefined ? [address] : [address, from];
    if (!isWanted(...known)) return [];
    const instance = recorded.get(reshaped.get(address) ?? address) ?? null;
    const declaration = declared.get(address) ?? null;
    const wanted =
      declaration && instance && from !== undefined
        ? withRecordedSecrets(definition, declaration, instance)
        : declaration;
    const isReplaceRequested = known.some(targeting.isReplaceRequested);
    return [
      planListed(definition, { address, movedFrom: from, declaration: wanted, instance, isReplaceRequested }, context),
    ];
  });
}

/**
 * The managed objects by address as they will be, for outputs: values that are computed later are unknown. Objects that the
 * plan does not touch stay as recorded.
 */
export function plannedAttributes(
  { steps }: Plan,
  recorded: readonly RecordedInstance[] = [],
): ReadonlyMap<string, Attributes> {
  const isThere = (step: Step): boolean => step.action !== "delete" && step.action !== "forget";
  const touched = new Set(
    steps.flatMap(({ address, movedFrom }) => (movedFrom === undefined ? [address] : [address, movedFrom])),
  );
  return new Map([
    ...recorded
      .filter(({ address }) => !touched.has(address))
      .map(({ address, attributes }) => [address, attributes] as const),
    ...steps.filter(isThere).map((step) => [step.address, "after" in step ? step.after : step.before] as const),
  ]);
}

/** More warnings than these become one. */
const SHOWN_SINGLY = 3;
const SHOWN_ADDRESSES = 5;

/** Warns about recorded objects that a list does not show although it may be truncated: they are kept. */
function hiddenWarnings(
  definition: AnyResource,
  { hidden, listing }: { readonly hidden: readonly RecordedInstance[]; readonly listing: LiveListing | undefined },
): readonly Diagnostic[] {
  const ofType = hidden.filter(({ type }) => type === definition.type);
  if (!listing || ofType.length === 0) return [];
  if (ofType.length <= SHOWN_SINGLY) return ofType.map((instance) => hiddenWarning(definition, { instance, listing }));
  const { noun, plural } = definition;
  const shown = ofType.map(({ address, id }) => `${address} (${String(id)})`);
  return [
    warningOf(
      "list_maybe_truncated",
      `${String(ofType.length)} ${plural} are missing from a list that may be truncated`,
      {
        detail: `The list does not show ${firstFew(shown, SHOWN_ADDRESSES)}. ${whyUnknown(definition, listing)}. They are kept: creating a ${noun} again could make a duplicate.`,
        ways: [{ kind: "check-list" }, { kind: "allow", guard: "recreate", limit: null }],
      },
    ),
  ];
}

function hiddenWarning(
  definition: AnyResource,
  { instance, listing }: { readonly instance: RecordedInstance; readonly listing: LiveListing },
): Diagnostic {
  const { noun, type } = definition;
  const { address, id } = instance;
  return warningOf("list_maybe_truncated", `A ${noun} is missing from a list that may be truncated`, {
    detail: `${String(id)} is not in the service's list. ${whyUnknown(definition, listing)}. It is kept: creating the ${noun} again could make a duplicate.`,
    ways: [
      { kind: "check-list" },
      { kind: "allow", guard: "recreate", limit: null },
      { kind: "remove-record", address, type },
    ],
    address,
  });
}
