import type { CheckSeverity } from "../model/check-result.ts";
import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import { hasUnknown } from "../model/value.ts";
import type { Condition } from "./block.ts";
import { convert, evaluateValue } from "./blocks/evaluate-block.ts";
import { knownAfterApply } from "./known-after-apply.ts";
import { referencesIn } from "./blocks/references.ts";
import type { Scope } from "./blocks/resolve-reference.ts";
import { withLocation, withLocationIn } from "./with-location.ts";

/** What is checked, and in which words a failure is reported. */
export type Checking =
  | { readonly kind: "precondition" | "postcondition"; readonly address: string }
  | { readonly kind: "output"; readonly address: string }
  | { readonly kind: "validation"; readonly variable: string; readonly sensitive: boolean }
  | { readonly kind: "check"; readonly name: string; readonly severity: CheckSeverity };

export interface CheckedConditions {
  readonly diagnostics: readonly Diagnostic[];
  /** The problems to report if nothing is left to read. */
  readonly waiting: readonly Diagnostic[];
  /** Whether the result of a condition is not known yet. */
  readonly isUnknown: boolean;
}

/** Checks conditions as Terraform does. A failed check has its own severity; every other failure is an error. */
export function checkConditions(conditions: readonly Condition[], checking: Checking, scope: Scope): CheckedConditions {
  const checked = conditions.map((one) => checkCondition(one, checking, scope));
  return {
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
    waiting: checked.flatMap(({ waiting }) => waiting),
    isUnknown: checked.some(({ isUnknown }) => isUnknown),
  };
}

function checkCondition(one: Condition, checking: Checking, scope: Scope): CheckedConditions {
  const { condition, message, locate } = one;
  const locatedHere = (diagnostic: Diagnostic): Diagnostic =>
    "address" in checking ? withLocation(diagnostic, { locate }, checking.address) : withLocationIn(diagnostic, locate);
  const found = (diagnostics: readonly Diagnostic[]): CheckedConditions => ({
    diagnostics: diagnostics.map(locatedHere),
    waiting: [],
    isUnknown: false,
  });
  const { value, references, sensitive, fromSensitive, problems } = evaluateValue(condition, ["condition"], scope);
  // Its result would say something about a sensitive value.
  if (scope.hide && fromSensitive) return { diagnostics: [], waiting: [], isUnknown: true };
  if (problems.length > 0) return found(problems);
  if (checking.kind === "validation" && !mentionsVariable(condition, checking.variable))
    return found([withoutVariable(checking.variable)]);
  if (referencesIn(condition).length === 0) return found([withoutReference]);
  // Terraform evaluates the message of a condition that holds, too.
  const text = evaluateValue(message, ["error_message"], scope);
  if (text.problems.length > 0) return found(text.problems);
  if (hasUnknown(value)) {
    const waiting = checking.kind === "check" ? [] : knownAfterApply(new Map([["condition", references]]));
    return { diagnostics: [], waiting: waiting.map(locatedHere), isUnknown: true };
  }
  const holds = convert(value, "bool");
  if (typeof holds !== "boolean") return found([notABool]);
  if (holds) return found([]);
  const hidden = text.sensitive || (sensitive && text.value === "");
  return found([failure(checking, hidden ? null : typeof text.value === "string" ? text.value : "")]);
}

function mentionsVariable(condition: Condition["condition"], variable: string): boolean {
  return referencesIn(condition).some(({ steps: [root, name] }) => root === "var" && name === variable);
}

function withoutVariable(variable: string): Diagnostic {
  return errorOf("condition_invalid", "Invalid validation condition", {
    detail: `This condition does not refer to var.${variable}, so it cannot check its value.`,
    hint: `Refer to var.${variable}.`,
    path: ["condition"],
  });
}

const withoutReference: Diagnostic = errorOf("condition_invalid", "Invalid condition", {
  detail: "The condition refers to nothing in the configuration, so its result is always the same.",
  hint: "Refer to a variable, a local, a resource or a data source.",
  path: ["condition"],
});

const notABool: Diagnostic = errorOf("condition_invalid", "Invalid condition", {
  detail: "The condition must be true or false.",
  hint: "Compare values, or use can() to test an expression.",
  path: ["condition"],
});

function failure(checking: Checking, message: string | null): Diagnostic {
  const detail =
    message?.replaceAll(/\s+/g, " ") ?? "The error message contains a sensitive value, so it is not shown.";
  const path = ["condition"];
  if (checking.kind === "check")
    return {
      code: "check_failed",
      severity: checking.severity,
      summary: `Check ${checking.name} failed`,
      detail,
      path,
    };
  if (checking.kind !== "validation") return errorOf("condition_failed", FAILED[checking.kind], { detail, path });
  const { variable: name, sensitive } = checking;
  return errorOf("variable_invalid", "Invalid value for variable", {
    detail,
    ways: [{ kind: "set-variable", name, sensitive }],
    path,
  });
}

const FAILED = {
  precondition: "Precondition failed",
  postcondition: "Postcondition failed",
  output: "Precondition of an output failed",
} as const;
