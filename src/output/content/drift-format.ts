import { countOf } from "../../core/model/words.ts";
import type { Scope } from "../../core/plan/plan-context.ts";
import type { DriftReport, DriftStatus, DriftedObject, Unobservable } from "../../core/plan/drift-report.ts";
import type { FormatContext } from "./output-format.ts";
import { type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { Value } from "../../core/model/value.ts";
import { nameText } from "./value-text.ts";

/** One way to print a drift report, as one document. Pure; it returns whole lines. */
export type DriftFormat = (
  shown: ShownDrift,
  context: Pick<FormatContext, "catalog" | "version" | "paint" | "mask">,
) => string;

export interface ShownDrift {
  /** The name of the configuration. */
  readonly name: string;
  /** The stage, as in `ShownPlan`. */
  readonly stage: string | null;
  /** What was compared, as the user gave it. */
  readonly scope: Scope;
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
type DriftAdvice = { readonly [name in DriftClass]: readonly AdvicePart[] };

/** Words, or a command to copy. */
export type AdvicePart = string | { readonly command: string };

/** `given`: the options that name configuration and state. */
export function driftAdvice({
  asCalled,
  given,
}: {
  asCalled(text: string): string;
  readonly given: string;
}): DriftAdvice {
  const run = (command: string, options = ""): AdvicePart => ({
    command: asCalled(`${command} ${given}${options}`.trimEnd()),
  });
  return {
    missing: [
      "To create it again: ",
      run("outreach apply"),
      ". If it is no longer declared, apply only removes its record.",
    ],
    changed: ["To restore the declared value: ", run("outreach apply"), ". To keep the new value, declare it."],
    unmanaged: [
      "To manage it, write a configuration with imports: ",
      run("outreach generate"),
      ". If nobody needs it, write it into a list of removals: ",
      run("outreach audit", "--removal FILE"),
      ". If another configuration manages it, ignore it.",
    ],
    unchecked: ["To find out whether the list is truncated: ", run("outreach doctor"), "."],
    undecided: ["To see the ways out: ", run("outreach plan"), "."],
    unobservable: ["To be certain of a webhook's value, replace it: ", run("outreach apply", "--replace ADDRESS"), "."],
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

const OPENINGS: { readonly [status in DriftStatus]: string } = {
  none: "No drift. Your webhooks match the state.",
  drift: "Drift detected:",
  unknown: "Drift cannot be determined:",
  error: "Drift cannot be determined.",
  undecided: "Drift cannot be determined:",
};

/** The first line: the status, and the counts of what was found. */
export function driftSummary(report: DriftReport, status: DriftStatus): string {
  const counts = DRIFT_CLASSES.filter((name) => name !== "unobservable" && report[name].length > 0).map(
    (name) => `${String(report[name].length)} ${name}`,
  );
  const isWithoutState = status === "none" && report.diagnostics.some(({ code }) => code === "state_missing");
  const opening = isWithoutState ? "Nothing was compared: no state exists." : OPENINGS[status];
  if (status === "none" && counts.length === 0 && report.diagnostics.some(({ code }) => code === "all_left_out"))
    return "Nothing was compared.";
  if (counts.length === 0) return opening.replace(/:$/, ".");
  return `${opening} ${counts.join(", ")}.`;
}

/** The heading of a class. */
export function driftTitle(name: DriftClass): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The attributes that identify an object, as far as they have a value. */
export function identifying(
  { before, type }: Pick<DriftedObject, "before" | "type">,
  catalog: Catalog,
): readonly string[] {
  return resourceOf(catalog, type).identity.filter((name) => (before[name] ?? null) !== null);
}

/** The name of the object that a value is the id of; null where none is known. */
export function calledIn(
  { names }: Pick<DriftReport, "names">,
  value: Value | undefined,
  mask?: (text: string) => string,
): string | null {
  const name = typeof value === "string" && Object.hasOwn(names, value) ? names[value] : undefined;
  return name === undefined ? null : nameText(name, mask);
}

/** Text such as `secret of 3 webhooks`. */
export function unobservableText({ type, attribute, count }: Unobservable, catalog: Catalog): string {
  const { noun, plural } = resourceOf(catalog, type);
  const objects = countOf(count, noun, plural);
  return attribute === null ? `everything of ${objects}` : `${attribute} of ${objects}`;
}
