import { resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Limit, Limits } from "../model/limits.ts";
import type { PlanInput } from "./plan-context.ts";
import type { Plan, Step } from "./plan.ts";

/** A default bound holds only where more than this many are concerned: a share of few is soon exceeded. */
const FEW = 3;
const DEFAULTS = { delete: 30, recreate: 20 };
const DEFAULT_UNSUBSCRIBE = 100;

/** What a plan does more of than is usually meant, unless it is lifted by a flag or by the configuration. */
export function guardDiagnostics(plan: Pick<Plan, "steps" | "drift">, input: PlanInput): readonly Diagnostic[] {
  const { limits, options, catalog, instances } = input;
  if (!options.guarded) return [];
  const isListed = ({ type }: { readonly type: string }): boolean => resourceOf(catalog, type).list !== undefined;
  const managed = instances.filter((instance) => isListed(instance) && instance.id !== null).length;
  const deletions = plan.steps.filter((step) => step.action === "delete" && !step.deposed).length;
  const missing = plan.drift.filter(({ after }) => after === null).length;
  const sendings = plan.steps.filter((step) => isSending(step) && !isListed(step)).length;
  const sendable = input.declarations.filter((declaration) => !isListed(declaration)).length;
  return [
    ...(options.destroy || options.allowDeletes || !exceeds(deletions, managed, limits, "delete") ? [] : [tooManyDeletes(deletions, managed, limits.delete)]),
    ...(options.allowRecreate || !exceeds(missing, managed, limits, "recreate") ? [] : [tooManyMissing(missing, managed, limits.recreate)]),
    ...(!options.unattended || options.allowUnsubscribes || sendings <= unsubscribeBound(limits, sendable)
      ? []
      : [tooManySendings(sendings, unsubscribeBound(limits, sendable))]),
  ];
}

/** What was never confirmed is not sent again without a question anyway. */
function isSending(step: Step): boolean {
  return step.action === "create" && step.again === undefined;
}

function exceeds(count: number, of: number, limits: Limits, name: keyof typeof DEFAULTS): boolean {
  const limit = limits[name];
  if (limit === undefined) return count > FEW && count * 100 > of * DEFAULTS[name];
  return limit.kind === "count" ? count > limit.count : count * 100 > of * limit.percent;
}

function unsubscribeBound({ unsubscribe }: Limits, declared: number): number {
  if (unsubscribe === undefined) return DEFAULT_UNSUBSCRIBE;
  return unsubscribe.kind === "count" ? unsubscribe.count : Math.floor((declared * unsubscribe.percent) / 100);
}

function shown(limit: Limit | undefined, fallback: string): string {
  if (limit === undefined) return fallback;
  return limit.kind === "count" ? String(limit.count) : `${String(limit.percent)}%`;
}

function tooManyDeletes(count: number, of: number, limit: Limit | undefined): Diagnostic {
  return {
    code: "limit_delete",
    severity: "error",
    summary: "More deletions than allowed",
    detail: `The plan deletes ${String(count)} of ${String(of)} managed webhooks; the limit is ${shown(limit, `${String(DEFAULTS.delete)}% (and more than ${String(FEW)})`)}. A branch that is out of date or a wrong variable looks like this.`,
    hint: "If it is meant, run again with --allow-deletes, or raise limits.delete in the configuration.",
  };
}

function tooManyMissing(count: number, of: number, limit: Limit | undefined): Diagnostic {
  return {
    code: "limit_recreate",
    severity: "error",
    summary: "More webhooks are missing than usual",
    detail: `${String(count)} of ${String(of)} recorded webhooks are missing from the service's list; the limit is ${shown(limit, `${String(DEFAULTS.recreate)}% (and more than ${String(FEW)})`)}. A wrong key or a list that is cut off looks like this, and creating them again would double them.`,
    hint: "If they are really gone, run again with --allow-recreate, or raise limits.recreate in the configuration.",
  };
}

function tooManySendings(count: number, bound: number): Diagnostic {
  return {
    code: "limit_unsubscribe",
    severity: "error",
    summary: "More unsubscriptions than allowed without a question",
    detail: `The plan unsubscribes ${String(count)} leads, which nothing can undo; under --auto-approve the limit is ${String(bound)}.`,
    hint: "Approve it by a typed yes or a saved plan, run again with --allow-unsubscribes, or raise limits.unsubscribe in the configuration.",
  };
}
