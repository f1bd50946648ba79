import type { EvaluatedCheck } from "../model/check-result.ts";
import type { Diagnostic, Result } from "../model/diagnostic.ts";
import type { Check } from "./block.ts";
import type { Scope } from "./blocks/evaluate-block.ts";
import { checkConditions } from "./conditions.ts";

/** Evaluates the checks, which can refer to resources. The diagnostics of the result are the mistakes in the checks themselves. */
export function evaluateChecks(checks: readonly Check[], scope: Scope): Result<readonly EvaluatedCheck[]> {
  const evaluated = checks.map((check) => evaluateCheck(check, scope));
  return { value: evaluated, diagnostics: evaluated.flatMap(({ mistakes }) => mistakes) };
}

function evaluateCheck({ name, severity = "warning", asserts }: Check, scope: Scope): EvaluatedCheck {
  const checked = checkConditions(asserts, { kind: "check", name, severity }, scope);
  const isFailure = ({ code }: Diagnostic): boolean => code === "check_failed";
  const diagnostics = checked.diagnostics.filter(isFailure);
  const mistakes = checked.diagnostics.filter((one) => !isFailure(one));
  const messages = checked.diagnostics.map(({ detail }) => detail);
  const status = messages.length > 0 ? "fail" : checked.isUnknown ? "unknown" : "pass";
  return { name, severity, status, messages, diagnostics, mistakes };
}
