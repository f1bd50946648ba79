import { unusedVariables } from "../../core/config/unused-variables.ts";
import type { Configuration } from "../../core/config/block.ts";
import { blockOf, formatAddress } from "../../core/model/address.ts";
import type { PlanLint } from "../../core/apply/run/run-ports.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, nearest } from "../../core/model/diagnostic.ts";
import { durationMs } from "../../core/model/iso-time.ts";
import { type LintInput, type LintRule, type LintSettings, NO_LINT, withoutTurnedOff } from "../../core/model/lint.ts";
import { overlappingDeclarations } from "../../core/plan/overlaps.ts";
import type { LintedPlan } from "../../core/plan/plan-context.ts";

/** The rules that an option names, for one run: `all` are those that the configuration does not turn off. */
export type RequestedRules = readonly string[];

const ALL = "all";

export interface Lint extends PlanLint {
  /** What the rules find that need only the files. */
  readonly ofFiles: (planned: LintedPlan, requested?: RequestedRules) => readonly Diagnostic[];
}

/** `declared` is the configuration before the names of secrets are evaluated: with all its references. */
export function lintOf(declared: Configuration, catalog: Catalog): Lint {
  const settings: LintSettings = declared.lint ?? new Map();
  const ofBlocks = new Map(
    declared.blocks.flatMap(({ lintOff = [], mode, type, name }) =>
      lintOff.length === 0 ? [] : [[formatAddress({ mode, type, name, key: null }), lintOff] as const],
    ),
  );
  const rules = catalog.lint?.rules ?? [];
  const found = (
    rule: LintRule,
    { declarations, kept, includes }: LintedPlan,
    read: Pick<LintInput, "data" | "atMs">,
  ): readonly Diagnostic[] => {
    const isWanted = ({ address, type }: { readonly address: string; readonly type: string }): boolean =>
      rule.type === undefined ||
      (type === rule.type && (ofBlocks.size === 0 || ofBlocks.get(blockOf(address))?.includes(rule.id) !== true));
    const wanted = declarations.filter(isWanted);
    const own = FOUND_HERE[rule.id];
    if (own) return own({ declared, catalog, planned: { declarations: wanted, kept, includes } });
    const isIncluded = (one: { readonly address: string }): boolean => rule.type === undefined || includes(one.address);
    const text = settings.get(rule.id) ?? "";
    const limit = { text, ms: durationMs(text) ?? 0 };
    return (
      rule.find?.({
        ...read,
        declarations: wanted.filter(isIncluded),
        kept: kept.filter((one) => isWanted(one) && isIncluded(one)),
        limit,
      }) ?? []
    );
  };
  return {
    wanted: (diagnostics) => withoutTurnedOff(diagnostics, settings, ofBlocks),
    ofFiles: (planned, requested = []) => {
      checkRequested(requested, catalog);
      const isOn = (rule: LintRule): boolean =>
        requested.includes(rule.id) ||
        (requested.includes(ALL) && settings.get(rule.id) !== "off") ||
        isRuleOn(rule, settings);
      return rules
        .filter((rule) => rule.reads === "nothing" && isOn(rule))
        .flatMap((rule) => found(rule, planned, { data: [], atMs: 0 }));
    },
    ofPlan: (planned, read) => {
      // A plan without declarations, such as a refresh, is about the records alone.
      const isAbout = ({ reads }: LintRule): boolean => planned.declarations.length > 0 || reads === "state";
      return rules
        .filter((rule) => isRuleOn(rule, settings) && isAbout(rule))
        .flatMap((rule) => found(rule, planned, read));
    },
  };
}

interface FoundHere {
  readonly declared: Configuration;
  readonly catalog: Catalog;
  readonly planned: LintedPlan;
}

/** The rules that need more than objects. */
const FOUND_HERE: { readonly [id: string]: ((given: FoundHere) => readonly Diagnostic[]) | undefined } = {
  overlapping_webhooks: ({ catalog, planned: { declarations, includes } }) =>
    overlappingDeclarations({ catalog, declarations }, includes),
  unused_variable: ({ declared }) => unusedVariables(declared),
};

function isRuleOn({ id, initially }: LintRule, settings: LintSettings): boolean {
  const set = settings.get(id);
  return set === undefined ? initially === "on" : set !== "off";
}

/** Throws for a rule that does not exist, or that files alone cannot check. */
function checkRequested(requested: RequestedRules, { lint = NO_LINT }: Catalog): void {
  for (const id of requested) {
    const rule = lint.rules.find((one) => one.id === id);
    if (id === ALL || rule?.reads === "nothing") continue;
    if (rule)
      throw DiagnosticsError.of("lint_needs_plan", "A rule that needs a plan", {
        detail: `${id} compares ${rule.reads === "state" ? "the records of the state" : "what a plan reads of the service"}, so validate cannot check it.`,
        hint: `Set it under lint: in the configuration, as in ${rule.initially === "limit" ? `${id}: 180d` : `${id}: on`}, and run outreach plan.`,
      });
    const known = lint.rules.map((one) => one.id);
    const meant = nearest(id, [ALL, ...known]);
    throw DiagnosticsError.of("lint_unknown", "Unknown rule", {
      detail: `${JSON.stringify(id)} is no rule of --lint.`,
      hint: meant === null ? `Rules: all, ${known.join(", ")}.` : `Did you mean ${meant}?`,
    });
  }
}
