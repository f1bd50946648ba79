import { blockOf } from "../model/address.ts";
import { type Catalog, pluralOf, resourceOf } from "../model/definition.ts";
import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import type { Limit, Limits } from "../model/limits.ts";
import { countOf } from "../model/words.ts";
import type { Attributes } from "../model/value.ts";
import { identityKey } from "./identity.ts";
import { personOf } from "./irreversible-records.ts";
import type { PlanInput, PlanOptions } from "./plan-context.ts";
import { type Drift, type Plan, type Step, isRemoval } from "./plan.ts";
import { isPartial } from "./targets.ts";

/** A default bound applies only to more objects than this: a share of a few is soon exceeded. */
const FEW = 3;
const DEFAULTS = { delete: 30, recreate: 20, replace: 30, shrink: 30 };
const DEFAULT_IRREVERSIBLE = 100;

type CreateStep = Extract<Step, { readonly action: "create" }>;

function attributesOf({ attributes }: { readonly attributes: Attributes }): Attributes {
  return attributes;
}

type Bounded = keyof typeof DEFAULTS;

interface Guarded extends PlanInput {
  readonly steps: readonly Step[];
  readonly drift: readonly Drift[];
}

/**
 * Stops on likely mistakes, unless the user or the configuration allows them: mass deletes and replaces, a wrong key, mass
 * irreversible writes, a list that was cut.
 */
export function guardDiagnostics(plan: Pick<Plan, "steps" | "drift">, input: PlanInput): readonly Diagnostic[] {
  const unapproved = unapprovedRemovals(plan.steps, input);
  if (!input.options.guarded) return unapproved;
  const guarded = { ...input, ...plan };
  return [
    ...unapproved,
    ...deletions(guarded),
    ...replaces(guarded),
    ...checkMissing(guarded),
    ...irreversibleWrites(guarded),
    ...shrunkLists(guarded),
  ];
}

/** Whatever else is allowed: what nothing manages is deleted only if a person has seen exactly that. */
function unapprovedRemovals(steps: readonly Step[], { catalog, options }: PlanInput): readonly Diagnostic[] {
  const found = steps.filter(isRemoval);
  const [first] = found;
  if (options.approval !== "none" || !first) return [];
  const { noun, plural } = resourceOf(catalog, first.type);
  return [
    errorOf("removal_unapproved", "A person must approve removals", {
      detail: `The plan deletes ${countOf(found.length, noun, plural)} that nothing manages, as removals says. An apply that asks nobody does not delete them, so nothing was done.`,
      hint: "A typed yes approves them, and so does a saved plan.",
      ways: [{ kind: "approve" }],
    }),
  ];
}

function deletions({ steps, options, ...input }: Guarded): readonly Diagnostic[] {
  const found = steps.filter((step) => step.action === "delete" && !step.deposed);
  const of = managedCount(input) + found.filter(isRemoval).length;
  if (options.destroy || options.allow.includes("deletes") || !exceeds(found.length, of, input.limits, "delete"))
    return [];
  const nouns = `managed ${nounsOf(input, found)}${found.some(isRemoval) ? " and removals" : ""}`;
  return [tooManyDeletes({ count: found.length, of, nouns }, input.limits.delete)];
}

/** A new secret is a reason that is expected to concern many objects at once. */
function replaces({ steps, options, ...input }: Guarded): readonly Diagnostic[] {
  const found = steps.filter((step) => step.action === "replace" && step.because.some(({ why }) => why !== "secret"));
  const of =
    managedCount(input) + steps.filter((step) => step.action === "replace" && step.imported !== undefined).length;
  if (options.allow.includes("replaces") || !exceeds(found.length, of, input.limits, "replace")) return [];
  return [tooManyReplaces({ count: found.length, of, nouns: nounsOf(input, found) }, input.limits.replace)];
}

function checkMissing({ drift, options, ...input }: Guarded): readonly Diagnostic[] {
  const found = drift.filter(({ after }) => after === null);
  const of = managedCount(input);
  if (options.allow.includes("recreate") || !exceeds(found.length, of, input.limits, "recreate")) return [];
  return [tooManyMissing({ count: found.length, of, nouns: nounsOf(input, found) }, input.limits.recreate)];
}

/** Nobody counts the writes of a plan that is saved, or applied without a question. People that are known already are not new. */
function irreversibleWrites({
  steps,
  options,
  limits,
  catalog,
  declarations,
  instances,
}: Guarded): readonly Diagnostic[] {
  const { approval } = options;
  if (approval === "typed" || options.allow.includes("irreversible")) return [];
  // Without any approval, an unconfirmed write is not sent again.
  const isSent = (step: Step): step is CreateStep =>
    step.action === "create" && (approval !== "none" || step.again === undefined);
  const writes = steps.filter(isSent).filter((step) => !isListed(catalog, step));
  if (writes.length === 0) return [];
  const known = peopleOf(catalog, instances, attributesOf);
  const people = peopleOf(catalog, writes, ({ after }) => after);
  const fresh = [...people].filter((person) => !known.has(person)).length;
  const bound = irreversibleBound(limits, () => peopleOf(catalog, declarations, attributesOf).size);
  return fresh <= bound
    ? []
    : [
        tooManyWrites(
          { count: writes.length, people: fresh, nouns: nounsOf({ catalog }, writes) },
          { bound, approval },
        ),
      ];
}

/** Nothing would be lost, but a list that lost most of its people was probably cut by mistake. */
function shrunkLists({ declarations, instances, options, limits, catalog }: Guarded): readonly Diagnostic[] {
  if (
    options.destroy ||
    options.refreshOnly ||
    options.importsOnly ||
    options.allow.includes("shrink") ||
    isPartial(options)
  )
    return [];
  if (instances.every((instance) => isListed(catalog, instance))) return [];
  const declared = peopleOf(catalog, declarations, attributesOf);
  const lists = new Map<string, { readonly type: string; readonly people: Set<string> }>();
  for (const instance of instances) {
    if (instance.undeclared || isListed(catalog, instance)) continue;
    const block = blockOf(instance.address);
    const list = lists.get(block) ?? { type: instance.type, people: new Set<string>() };
    for (const person of peopleOf(catalog, [instance], attributesOf)) list.people.add(person);
    lists.set(block, list);
  }
  const blocks = new Set(declarations.map(({ address }) => blockOf(address)));
  return [...lists].flatMap(([block, { type, people }]) => {
    const count = [...people].filter((person) => !declared.has(person)).length;
    const nouns = nounsOf({ catalog }, [{ type }]);
    return blocks.has(block) && exceeds(count, people.size, limits, "shrink")
      ? [shrunk(block, { count, of: people.size, nouns }, limits.shrink)]
      : [];
  });
}

/** The people that writes are about, each once. A write that is about nobody counts for itself. */
function peopleOf<T extends { readonly type: string }>(
  catalog: Catalog,
  writes: readonly T[],
  read: (write: T) => Attributes,
): ReadonlySet<string> {
  const people = new Set<string>();
  for (const write of writes) {
    const definition = resourceOf(catalog, write.type);
    const attributes = read(write);
    if (!definition.list) people.add(personOf(definition, attributes) ?? identityKey(definition, attributes));
  }
  return people;
}

function isListed(catalog: Catalog, { type }: { readonly type: string }): boolean {
  return resourceOf(catalog, type).list !== undefined;
}

function managedCount({ catalog, instances }: Pick<PlanInput, "catalog" | "instances">): number {
  return instances.filter((instance) => isListed(catalog, instance) && instance.id !== null).length;
}

function nounsOf({ catalog }: Pick<PlanInput, "catalog">, concerned: readonly { readonly type: string }[]): string {
  return pluralOf(
    catalog,
    concerned.map(({ type }) => type),
  );
}

interface Share {
  readonly count: number;
  readonly of: number;
  readonly nouns: string;
}

/** Whether so many of all are more than a bound allows. */
export function exceeds(count: number, of: number, limits: Limits, name: Bounded): boolean {
  const limit = limits[name];
  if (limit === undefined) return count > FEW && count * 100 > of * DEFAULTS[name];
  return limit.kind === "count" ? count > limit.count : count * 100 > of * limit.percent;
}

function irreversibleBound({ irreversible }: Limits, declared: () => number): number {
  if (irreversible === undefined) return DEFAULT_IRREVERSIBLE;
  return irreversible.kind === "count" ? irreversible.count : Math.floor((declared() * irreversible.percent) / 100);
}

/** A bound in words. */
export function limitText(limit: Limit | undefined, name: Bounded): string {
  if (limit === undefined) return `${String(DEFAULTS[name])}% (and more than ${String(FEW)})`;
  return limit.kind === "count" ? String(limit.count) : `${String(limit.percent)}%`;
}

function tooManyDeletes({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return errorOf("limit_delete", "More deletions than allowed", {
    detail: `The plan deletes ${String(count)} of ${String(of)} ${nouns}; the limit is ${limitText(limit, "delete")}. The cause may be an outdated branch or a wrong variable.`,
    ways: [{ kind: "allow", guard: "deletes", limit: "delete" }],
  });
}

function tooManyReplaces({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return errorOf("limit_replace", "More replaces than allowed", {
    detail: `The plan replaces ${String(count)} of ${String(of)} managed ${nouns}, and not only for new secrets; the limit is ${limitText(limit, "replace")}. The cause may be a wrong variable, or the state of another stage.`,
    ways: [{ kind: "allow", guard: "replaces", limit: "replace" }],
  });
}

function tooManyMissing({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return errorOf("limit_recreate", `More ${nouns} are missing than allowed`, {
    detail: `${String(count)} of ${String(of)} recorded ${nouns} are missing from the service's list; the limit is ${limitText(limit, "recreate")}. The cause may be a wrong key or a truncated list, and creating them again would make duplicates.`,
    ways: [{ kind: "allow", guard: "recreate", limit: "recreate" }],
  });
}

function shrunk(block: string, { count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return errorOf("limit_shrink", "A list lost more people than allowed", {
    detail: `${block} no longer has ${String(count)} of the ${String(of)} people that the state records for it; the limit is ${limitText(limit, "shrink")}. Their ${nouns} stay recorded, but nobody would look for them any more. The cause may be a file that was cut, or a wrong column.`,
    ways: [{ kind: "allow", guard: "shrink", limit: "shrink" }],
    address: block,
  });
}

/** A plan that is only shown is not refused yet: it says what would be. */
function tooManyWrites(
  { count, people, nouns }: Omit<Share, "of"> & { readonly people: number },
  { bound, approval }: { readonly bound: number; readonly approval: PlanOptions["approval"] },
): Diagnostic {
  const isRefused = approval !== "open";
  const detail = `The plan sends ${String(count)} ${nouns} about ${String(people)} people who were on no list before, which no documented request undoes; the limit without a typed approval is ${String(bound)} people.`;
  return {
    code: "limit_irreversible",
    severity: isRefused ? "error" : "warning",
    summary: `More ${nouns} than allowed without a typed approval`,
    detail: isRefused
      ? detail
      : `${detail} If it were saved, or applied without a question, this plan would be refused.`,
    ways: [{ kind: "approve" }, { kind: "allow", guard: "irreversible", limit: "irreversible" }],
  };
}
