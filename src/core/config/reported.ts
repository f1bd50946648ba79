import { type Diagnostic, MAX_FOUND } from "../model/diagnostic.ts";

/** The problems that an evaluation has found so far. */
export interface Reported {
  readonly diagnostics: Diagnostic[];
  /** How many of them are errors. */
  errors: number;
}

/** Adds problems, each as `located` returns it, until the evaluation ends. */
export function report(reported: Reported, problems: readonly Diagnostic[], located: (one: Diagnostic) => Diagnostic = (one) => one): void {
  for (const one of problems) {
    if (isEnded(reported)) return;
    reported.diagnostics.push(located(one));
    if (one.severity === "error") reported.errors++;
  }
}

/** Whether there are so many errors that finding all of them is not worth the time. */
export function isEnded({ errors }: Reported): boolean {
  return errors >= MAX_FOUND;
}
