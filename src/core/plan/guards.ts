import { pluralOf, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Limit, Limits } from "../model/limits.ts";
import type { PlanInput } from "./plan-context.ts";
import type { Plan, Step } from "./plan.ts";

/** A default bound applies only to more objects than this: a share of a few is soon exceeded. */
const FEW = 3;
const DEFAULTS = { delete: 30, recreate: 20 };
const DEFAULT_IRREVERSIBLE = 100;

/** Stops on likely mistakes, unless the user or the configuration allows them: mass deletes, a wrong key, mass irreversible writes. */
export function guardDiagnostics(plan: Pick<Plan, "steps" | "drift">, input: PlanInput): readonly Diagnostic[] {
  const { limits, options, catalog, instances } = input;
  if (!options.guarded) return [];
  const isListed = ({ type }: { readonly type: string }): boolean => resourceOf(catalog, type).list !== undefined;
  const nouns = (concerned: readonly { readonly type: string }[]): string =>
    pluralOf(
      catalog,
      concerned.map(({ type }) => type),
    );
  const managed = instances.filter((instance) => isListed(instance) && instance.id !== null).length;
  const deletions = plan.steps.filter((step) => step.action === "delete" && !step.deposed);
  const missing = plan.drift.filter(({ after }) => after === null);
  const writes = plan.steps.filter((step) => isFirstSent(step) && !isListed(step));
  const bound = irreversibleBound(limits, input.declarations.filter((declaration) => !isListed(declaration)).length);
  const tooMany = (concerned: readonly unknown[], name: keyof typeof DEFAULTS): boolean => exceeds(concerned.length, managed, limits, name);
  const share = (concerned: readonly { readonly type: string }[]): Share => ({ count: concerned.length, of: managed, nouns: nouns(concerned) });
  return [
    ...(options.destroy || options.allowDeletes || !tooMany(deletions, "delete") ? [] : [tooManyDeletes(share(deletions), limits.delete)]),
    ...(options.allowRecreate || !tooMany(missing, "recreate") ? [] : [tooManyMissing(share(missing), limits.recreate)]),
    ...(!options.unattended || options.allowIrreversible || writes.length <= bound ? [] : [tooManyWrites(writes.length, nouns(writes), bound)]),
  ];
}

interface Share {
  readonly count: number;
  readonly of: number;
  readonly nouns: string;
}

/** An unconfirmed write is never sent again without approval. */
function isFirstSent(step: Step): boolean {
  return step.action === "create" && step.again === undefined;
}

function exceeds(count: number, of: number, limits: Limits, name: keyof typeof DEFAULTS): boolean {
  const limit = limits[name];
  if (limit === undefined) return count > FEW && count * 100 > of * DEFAULTS[name];
  return limit.kind === "count" ? count > limit.count : count * 100 > of * limit.percent;
}

function irreversibleBound({ irreversible }: Limits, declared: number): number {
  if (irreversible === undefined) return DEFAULT_IRREVERSIBLE;
  return irreversible.kind === "count" ? irreversible.count : Math.floor((declared * irreversible.percent) / 100);
}

function shown(limit: Limit | undefined, name: keyof typeof DEFAULTS): string {
  if (limit === undefined) return `${String(DEFAULTS[name])}% (and more than ${String(FEW)})`;
  return limit.kind === "count" ? String(limit.count) : `${String(limit.percent)}%`;
}

function tooManyDeletes({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return {
    code: "limit_delete",
    severity: "error",
    summary: "More deletions than allowed",
    detail: `The plan deletes ${String(count)} of ${String(of)} managed ${nouns}; the limit is ${shown(limit, "delete")}. The cause may be an outdated branch or a wrong variable.`,
    ways: [{ kind: "allow", guard: "deletes", limit: "delete" }],
  };
}

function tooManyMissing({ count, of, nouns }: Share, limit: Limit | undefined): Diagnostic {
  return {
    code: "limit_recreate",
    severity: "error",
    summary: `More ${nouns} are missing than allowed`,
    detail: `${String(count)} of ${String(of)} recorded ${nouns} are missing from the service's list; the limit is ${shown(limit, "recreate")}. The cause may be a wrong key or a truncated list, and creating them again would make duplicates.`,
    ways: [{ kind: "allow", guard: "recreate", limit: "recreate" }],
  };
}

function tooManyWrites(count: number, nouns: string, bound: number): Diagnostic {
  return {
    code: "limit_irreversible",
    severity: "error",
    summary: `More ${nouns} than allowed without approval`,
    detail: `The plan sends ${String(count)} ${nouns}, which nothing can undo; the limit without approval is ${String(bound)}.`,
    ways: [{ kind: "approve" }, { kind: "allow", guard: "irreversible", limit: "irreversible" }],
  };
}
