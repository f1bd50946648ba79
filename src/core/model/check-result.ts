import type { Diagnostic } from "./diagnostic.ts";

/** The result of one check of the configuration. */
export interface CheckResult {
  readonly name: string;
  /** What a failure means: an error stops an apply, a warning is only shown. */
  readonly severity: CheckSeverity;
  /** `unknown`: it depends on values that only the apply brings. */
  readonly status: "pass" | "fail" | "unknown";
  /** The messages of the conditions that failed, without sensitive values. */
  readonly messages: readonly string[];
}

export type CheckSeverity = "warning" | "error";

/** A result with its diagnostics: one for each condition that failed. */
export interface EvaluatedCheck extends CheckResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Why a condition or its message could not be evaluated. Such a check fails. */
  readonly mistakes: readonly Diagnostic[];
}
