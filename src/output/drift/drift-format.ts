import type { DriftReport, DriftStatus } from "../../core/plan/drift-report.ts";
import type { FormatContext } from "../format.ts";

/** One way to print a drift report, as one document. Pure; it returns whole lines. */
export type DriftFormat = (shown: ShownDrift, context: Pick<FormatContext, "catalog" | "version" | "paint" | "mask">) => string;

export interface ShownDrift {
  /** The name of the configuration. */
  readonly name: string;
  /** As of `ShownPlan`. */
  readonly stage: string | null;
  /** The commit that a CI has checked out; null elsewhere. */
  readonly commit: string | null;
  readonly report: DriftReport;
  readonly status: DriftStatus;
  readonly advice: DriftAdvice;
}

/** The classes that a report can contain. */
export const DRIFT_CLASSES = ["missing", "changed", "unmanaged", "unchecked", "undecided", "unobservable"] as const;

export type DriftClass = (typeof DRIFT_CLASSES)[number];

/** What users can do about the findings of each class. */
export type DriftAdvice = { readonly [name in DriftClass]: readonly AdvicePart[] };

/** Words, or a command to copy. */
export type AdvicePart = string | { readonly command: string };

/** `commandLine` makes a command line of a command and the options behind those that name configuration and state. */
export function driftAdvice(commandLine: (command: string, options?: string) => string): DriftAdvice {
  const run = (command: string, options?: string): AdvicePart => ({ command: commandLine(command, options) });
  return {
    missing: ["To create it again: ", run("apply"), ". If it is no longer declared, apply only removes its record."],
    changed: ["To restore the declared value: ", run("apply"), ". To keep the new value, declare it."],
    unmanaged: [
      "To manage it, write a configuration with imports: ",
      run("generate"),
      ". If nobody needs it, delete it by hand. If another configuration manages it, ignore it.",
    ],
    unchecked: ["To find out whether the list is truncated: ", run("doctor"), "."],
    undecided: ["To see the ways out: ", run("plan"), "."],
    unobservable: ["To be certain of a webhook's value, replace it: ", run("apply", "--replace ADDRESS"), "."],
  };
}

export function adviceText(parts: readonly AdvicePart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : part.command)).join("");
}

/** The classes in words, as headings of a report. */
export const DRIFT_MEANINGS: { readonly [name in DriftClass]: string } = {
  missing: "in the state, but no longer live",
  changed: "live with another value than in the state",
  unmanaged: "live, but not in the state",
  unobservable: "the service does not return these recorded values, so their drift cannot be seen",
  unchecked: "in the state, but not in the service's list, which may be truncated",
  undecided: "the outcome of an earlier write is not known",
};
