import { groupBy } from "../model/maps.ts";
import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, type LiveListing, type LiveObject } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { exclusiveCreateFirst, exclusiveShared, exclusiveTaken, exclusiveTwice } from "./exclusive-diagnostics.ts";
import { exclusiveKey, identityKey } from "./identity.ts";
import { type LiveIndex, indexLive } from "./live-index.ts";
import { isMarked } from "./marks.ts";
import { overlapIndex } from "./overlaps.ts";
import type { Step } from "./plan.ts";

/** A step that creates an object. */
type Creating = Extract<Step, { action: "create" | "replace" }>;

interface Exclusive {
  readonly catalog: Catalog;
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  readonly live: ReadonlyMap<string, LiveListing>;
  /** Whether the service allows one object per value of a type's exclusive attribute. */
  readonly exclusive?: boolean;
  readonly marks?: boolean;
}

/**
 * The creates of a plan that a service rejects which allows one object per value of an attribute: two with one value, a value that
 * a live object has which the plan does not delete first, and a replace that creates first and keeps the value. Where the
 * service may be another one, two new objects with one value are a warning. Objects that the plan keeps are not checked: older
 * ones may share a value. A mark makes a value of its own.
 */
export function exclusiveProblems(steps: readonly Step[], given: Exclusive): readonly Diagnostic[] {
  const { catalog, declarations, live, exclusive = false, marks = false } = given;
  const located = new Map(declarations.map((declaration) => [declaration.address, declaration]));
  const problems = catalog.resources.flatMap((definition) => {
    const { type } = definition;
    const creating = steps.filter(
      (step): step is Creating => step.type === type && (step.action === "create" || step.action === "replace"),
    );
    if (creating.length === 0 || definition.exclusive === undefined || isMarked(definition, marks)) return [];
    if (!exclusive)
      return sharing(
        definition,
        creating.filter(({ action }) => action === "create"),
      )
        .filter((alike) => !areOverlapping(definition, alike))
        .map((alike) => exclusiveShared(definition, addressesOf(alike)));
    const index = indexLive(definition, live.get(type)?.objects ?? []);
    return [
      ...sharing(definition, creating).map((alike) => exclusiveTwice(definition, addressesOf(alike))),
      ...taken(definition, creating, { ...given, steps, index }),
    ];
  });
  return problems.map((problem) => {
    const place = located.get(problem.address ?? "")?.locate(problem.path ?? []);
    return place ? { ...problem, place } : problem;
  });
}

/** New objects that would have one value, for each such value. */
function sharing(definition: AnyResource, creating: readonly Creating[]): readonly (readonly Creating[])[] {
  const byValue = groupBy(creating, ({ after }) => exclusiveKey(definition, after));
  return [...byValue].flatMap(([value, steps]) => (value !== null && steps.length > 1 ? [steps] : []));
}

function addressesOf(steps: readonly Creating[]): readonly string[] {
  return steps.map(({ address }) => address);
}

/** Whether each overlaps with another one: that is a warning of its own, which says more. */
function areOverlapping(definition: AnyResource, steps: readonly Creating[]): boolean {
  const index = overlapIndex<Creating>(definition);
  for (const step of steps) index.add(step.after, step);
  return steps.every(({ after }) => index.find(after) !== undefined);
}

interface Around extends Exclusive {
  readonly steps: readonly Step[];
  readonly index: LiveIndex;
}

function taken(
  definition: AnyResource,
  creating: readonly Creating[],
  { steps, index, instances }: Around,
): readonly Diagnostic[] {
  const owners = new Map(
    instances.flatMap(({ address, id, deposed = [] }) =>
      [id, ...deposed.map((old) => old.id)].map((one) => [one, address] as const),
    ),
  );
  const deleted = new Set(
    steps.flatMap((step) => (step.action === "delete" && step.type === definition.type ? [step.id] : [])),
  );
  const replaced = new Set(creating.flatMap((step) => (step.action === "replace" ? [step.id] : [])));
  /** The old objects of replaces that change the identity: these run one after another. */
  const movedBefore = new Set<string>();
  /** Addresses whose own old object has the value, by block. */
  const createFirst = new Map<string, string[]>();
  const others = creating.flatMap((step) => {
    const isGoneBefore = ({ id }: LiveObject): boolean => {
      if (deleted.has(id)) return true;
      if (step.action === "create") return replaced.has(id);
      return (id === step.id && step.order !== "create-first") || (isMove(definition, step) && movedBefore.has(id));
    };
    const holder = index.holders(step.after).find((object) => !isGoneBefore(object));
    if (step.action === "replace" && isMove(definition, step)) movedBefore.add(step.id);
    if (!holder) return [];
    if (step.action === "replace" && holder.id === step.id) {
      const block = blockOf(step.address);
      createFirst.set(block, [...(createFirst.get(block) ?? []), step.address]);
      return [];
    }
    const isIdentical = index.duplicates(step.after).includes(holder);
    return [
      exclusiveTaken(definition, { address: step.address, holder, owner: owners.get(holder.id) ?? null, isIdentical }),
    ];
  });
  return [...others, ...[...createFirst.values()].map((addresses) => exclusiveCreateFirst(definition, addresses))];
}

function isMove(definition: AnyResource, { before, after }: Extract<Creating, { action: "replace" }>): boolean {
  return identityKey(definition, before) !== identityKey(definition, after);
}
