import { type Catalog, pluralOf, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Limit, Limits } from "../model/limits.ts";
import type { PlanInput, PlanOptions } from "./plan-context.ts";
import type { Drift, Plan, Step } from "./plan.ts";

/** A default bound applies only to more objects than this: a share of a few is soon exceeded. */
const FEW = 3;
const DEFAULTS = { delete: 30, recreate: 20, replace: 30 };
const DEFAULT_IRREVERSIBLE = 100;

type Bounded = keyof typeof DEFAULTS;

interface Guarded extends PlanInput {
  readonly steps: readonly Step[];
  readonly drift: readonly Drift[];
}

/** Stops on likely mistakes, unless the user or the configuration allows them: mass deletes and replaces, a wrong key, mass irreversible writes. */
export function guardDiagnostics(plan: Pick<Plan, "steps" | "drift">, input: PlanInput): readonly Diagnostic[] {
  if (!input.options.guarded) return [];
  const guarded = { ...input, ...plan };
  return [...deletions(guarded), ...replaces(guarded), ...checkMissing(guarded), ...irreversibleWrites(guarded)];
}

function deletions({ steps, options, ...input }: Guarded): readonly Diagnostic[] {
  const found = steps.filter((step) => step.action === "delete" && !step.deposed);
  const of = managedCount(input);
  if (options.destroy || options.allowDeletes || !exceeds(found.length, of, input.limits, "delete")) return [];
  return [tooManyDeletes({ count: found.length, of, nouns: nounsOf(input, found) }, input.limits.delete)];
}

/** A new secret is a reason that is expected to concern many objects at once. */
function replaces({ steps, options, ...input }: Guarded): readonly Diagnostic[] {
  const found = steps.filter((step) => step.action === "replace" && step.because.some(({ why }) => why !== "secret"));
  const of = managedCount(input) + steps.filter((step) => step.action === "replace" && step.imported !== undefined).length;
  if (options.allowReplaces || !exceeds(found.length, of, input.limits, "replace")) return [];
  return [tooManyReplaces({ count: found.length, of, nouns: nounsOf(input, found) }, input.limits.replace)];
}

function checkMissing({ drift, options, ...input }: Guarded): readonly Diagnostic[] {
  const found = drift.filter(({ after }) => after === null);
  const of = managedCount(input);
  if (options.allowRecreate || !exceeds(found.length, of, input.limits, "recreate")) return [];
  return [tooManyMissing({ count: found.length, of, nouns: nounsOf(input, found) }, input.limits.recreate)];
}

/** Nobody counts the writes of a plan that is saved, or applied without a question. */
function irreversibleWrites({ steps, options, limits, catalog, declarations }: Guarded): readonly Diagnostic[] {
  const { approval } = options;
  if (approval === "typed" || options.allowIrreversible) return [];
  // Without any approval, an unconfirmed write is not sent again.
  const isSent = (step: Step): boolean => step.action === "create" && (approval !== "none" || step.again === undefined);
  const writes = steps.filter((step) => isSent(step) && !isListed(catalog, step));
  const bound = irreversibleBound(limits, declarations.filter((declaration) => !isListed(catalog, declaration)).length);
  return writes.length <= bound ? [] : [tooManyWrites({ count: writes.length, nouns: nounsOf({ catalog }, writes) }, { bound, approval })];
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

function exceeds(count: number, of: number, limits: Limits, name: Bounded): boolean {
  const limit = limits[name];
  if (limit === undefined) return count > FEW && count * 100 > of * DEFAULTS[name];
  return limit.kind === "count" ? count > limit.count : count * 100 > of * limit.percent;
}

function irreversibleBound({ irreversible }: Limits, declared: number): number {
  if (irreversible === undefined) return DEFAULT_IRREVERSIBLE;
  return irreversible.kind === "count" ? irreversible.count : Math.floor((declared * irreversible.percent) / 100);
}

function limitText(limit: Limit | undefined, name: Bounded): string {
  if (limit === undefined) return `${String(DEFAULTS[name])}% (and more than ${String(FEW)})`;
  return limit.kind === "count" ? String(limit.count) : `${String(limit.percent)}%`;
}

function tooManyDeletes({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return {
    code: "limit_delete",
    severity: "error",
    summary: "More deletions than allowed",
    detail: `The plan deletes ${String(count)} of ${String(of)} managed ${nouns}; the limit is ${limitText(limit, "delete")}. The cause may be an outdated branch or a wrong variable.`,
    ways: [{ kind: "allow", guard: "deletes", limit: "delete" }],
  };
}

function tooManyReplaces({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return {
    code: "limit_replace",
    severity: "error",
    summary: "More replaces than allowed",
    detail: `The plan replaces ${String(count)} of ${String(of)} managed ${nouns}, and not only for new secrets; the limit is ${limitText(limit, "replace")}. The cause may be a wrong variable, or the state of another stage.`,
    ways: [{ kind: "allow", guard: "replaces", limit: "replace" }],
  };
}

function tooManyMissing({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return {
    code: "limit_recreate",
    severity: "error",
    summary: `More ${nouns} are missing than allowed`,
    detail: `${String(count)} of ${String(of)} recorded ${nouns} are missing from the service's list; the limit is ${limitText(limit, "recreate")}. The cause may be a wrong key or a truncated list, and creating them again would make duplicates.`,
    ways: [{ kind: "allow", guard: "recreate", limit: "recreate" }],
  };
}

/** A plan that is only shown is not refused yet: it says what would be. */
function tooManyWrites(
  { count, nouns }: Omit<Share, "of">,
  { bound, approval }: { readonly bound: number; readonly approval: PlanOptions["approval"] },
): Diagnostic {
  const isRefused = approval !== "open";
  const detail = `The plan sends ${String(count)} ${nouns}, which no documented request undoes; the limit without a typed approval is ${String(bound)}.`;
  return {
    code: "limit_irreversible",
    severity: isRefused ? "error" : "warning",
    summary: `More ${nouns} than allowed without a typed approval`,
    detail: isRefused ? detail : `${detail} If it were saved, or applied without a question, this plan would be refused.`,
    ways: [{ kind: "approve" }, { kind: "allow", guard: "irreversible", limit: "irreversible" }],
  };
}
