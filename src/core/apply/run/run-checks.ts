import type { CheckResult, EvaluatedCheck } from "../../model/check-result.ts";
import { type Diagnostic, noteOf } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { type Attributes, canonicalJson } from "../../model/value.ts";
import type { Prepared } from "./prepare.ts";
import type { PlanRequest } from "./run-ports.ts";

interface Checking {
  readonly request: PlanRequest;
  readonly prepared: Pick<Prepared, "checks" | "known">;
  readonly instances: readonly RecordedInstance[];
}

/**
 * The checks, with the managed objects as they are planned or recorded. A destroy and an import evaluate none. In a
 * refresh-only plan, a failure is a warning: the state may always follow the service.
 */
export function runChecks(
  { request, prepared, instances }: Checking,
  managed: () => ReadonlyMap<string, Attributes>,
): readonly EvaluatedCheck[] {
  const { destroy, importsOnly, refreshOnly } = request.options;
  if (destroy || importsOnly || (prepared.checks ?? []).length === 0) return [];
  const { checks: evaluated = [] } = request.evaluate({ known: prepared.known, instances, managed: managed() });
  const checks = evaluated.map(withMistakes);
  return refreshOnly ? checks.map(asWarning) : checks;
}

/** A condition that only the values of managed objects make invalid fails like one that is false. */
function withMistakes(check: EvaluatedCheck): EvaluatedCheck {
  const { name, severity, diagnostics, mistakes } = check;
  const failures = mistakes.map((one) => ({
    ...one,
    code: "check_failed",
    severity,
    summary: `Check ${name} failed: ${one.summary}`,
  }));
  return { ...check, diagnostics: [...diagnostics, ...failures] };
}

function asWarning(check: EvaluatedCheck): EvaluatedCheck {
  return {
    ...check,
    severity: "warning",
    diagnostics: check.diagnostics.map((one) => ({ ...one, severity: "warning" })),
  };
}

/** The results as a plan keeps them. */
export function resultsOf(checks: readonly EvaluatedCheck[]): readonly CheckResult[] {
  return checks.map(({ name, severity, status, messages }) => ({ name, severity, status, messages }));
}

/** The failures of a plan's checks, and a note about those whose result only the apply brings. */
export function checkDiagnostics(checks: readonly EvaluatedCheck[]): readonly Diagnostic[] {
  const open = checks.filter(({ status }) => status === "unknown").map(({ name }) => name);
  const failures = checks.flatMap(({ diagnostics }) => diagnostics);
  return open.length === 0 ? failures : [...failures, knownAfterApply(open)];
}

function knownAfterApply(names: readonly string[]): Diagnostic {
  return noteOf("check_unknown", `${names.length === 1 ? "Check" : "Checks"} known after apply`, {
    detail: `${names.join(", ")}: the condition depends on values that are not known yet. The apply evaluates it again at its end.`,
  });
}

/** The failures that a plan did not show. */
export function newFailures(
  planned: readonly CheckResult[] | undefined,
  now: readonly EvaluatedCheck[],
): readonly Diagnostic[] {
  const before = new Map((planned ?? []).map(({ name, messages }) => [name, canonicalJson(messages)]));
  return now
    .filter(({ name, messages }) => before.get(name) !== canonicalJson(messages))
    .flatMap(({ diagnostics }) => diagnostics);
}
