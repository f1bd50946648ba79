import { attributesOf } from "../model/attribute.ts";
import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type DecisionReason, reasonsWithoutStep, reasonsOfStep, standingReasons } from "./decision-reasons.ts";
import type { Drift, Plan, Step } from "./plan.ts";

/** What a list shows of one address. */
export interface SeenLive {
  /** The live object with the recorded id, or with the id of its import; null if the list does not show it. */
  readonly object: LiveObject | null;
  /** Unmanaged live objects that are identical to what is declared, as far as the list shows it. */
  readonly identical: readonly LiveObject[];
  /** Whether the list is whole, or may be truncated. */
  readonly complete: boolean;
}

/** Everything that is known about one address. */
export interface ExplainInput {
  readonly address: string;
  /** The diagnostics of the whole configuration: guards and duplicates concern more than one address. */
  readonly plan: Plan;
  readonly declaration: Declaration | null;
  /** The record at the address, or at the one that it moves from. */
  readonly instance: RecordedInstance | null;
  /** Null for a type that cannot be listed. */
  readonly live: SeenLive | null;
  /** The id that a removal of this address names. */
  readonly removal: string | null;
  /** Another address that declares the same irreversible write. */
  readonly declaredAt: string | null;
  /** Whether the secrets were resolved and compared. */
  readonly withSecrets: boolean;
}

/** Why the plan does what it does at one address, and what an apply would do. Pure, and without any value: sensitive ones stay hidden. */
export interface Explanation extends Omit<ExplainInput, "plan" | "declaredAt" | "removal"> {
  readonly type: string;
  /** The steps of the address: an older object of it is deleted by a step of its own. */
  readonly steps: readonly Step[];
  /** The names that the plan has read. */
  readonly names: NonNullable<Plan["names"]>;
  readonly drift: Drift | null;
  readonly reasons: readonly DecisionReason[];
  readonly isUndecided: boolean;
  /** The diagnostics of the plan about this address. */
  readonly diagnostics: readonly Diagnostic[];
  /** Other errors of the plan: no address is applied before they are fixed. */
  readonly blockers: readonly Diagnostic[];
  /** What an apply would do here, in sentences. */
  readonly effect: string;
}

export function explain(definition: AnyResource, input: ExplainInput): Explanation {
  const { plan, declaredAt: _, removal: __, ...known } = input;
  const { address, instance } = input;
  const addresses = [address, ...(instance && instance.address !== address ? [instance.address] : [])];
  const steps = plan.steps.filter((step) => addresses.includes(step.address));
  const drift = plan.drift.find((one) => addresses.includes(one.address)) ?? null;
  const isUndecided = plan.undecided.some((one) => one.address !== null && addresses.includes(one.address));
  const diagnostics = plan.diagnostics.filter((one) => concerns(one, addresses));
  const blockers = plan.diagnostics.filter((one) => one.severity === "error" && !diagnostics.includes(one));
  const decided = steps.flatMap((step) => reasonsOfStep(definition, step, input));
  const reasoned = new Set(decided.map(({ attribute }) => attribute));
  return {
    ...known,
    type: definition.type,
    steps,
    names: plan.names ?? {},
    drift,
    reasons: [
      ...(steps.length === 0 ? reasonsWithoutStep(definition, { ...input, diagnostics, isUndecided }) : decided),
      ...standingReasons(definition, input).filter(
        ({ code, attribute }) => code !== "unobserved" || !reasoned.has(attribute),
      ),
      ...blockers.map(({ code, summary }): DecisionReason => ({
        code: "plan_blocked",
        detail: `The plan has an error: ${summary} (${code}).`,
      })),
    ],
    isUndecided,
    diagnostics,
    blockers,
    effect: effectOf(definition, { steps, isUndecided, isBlocked: hasErrors(plan.diagnostics) }),
  };
}

/** Whether a diagnostic is about one of the addresses, by itself, by its ways out, or by its block. */
function concerns({ address, ways = [], code }: Diagnostic, addresses: readonly string[]): boolean {
  if (address !== undefined && addresses.includes(address)) return true;
  if (ways.some((way) => "addresses" in way && way.addresses.some((one) => one !== null && addresses.includes(one))))
    return true;
  // One such diagnostic stands for all instances of a block.
  return (
    code === "lookup_changed" && address !== undefined && addresses.some((one) => blockOf(one) === blockOf(address))
  );
}

function effectOf(
  definition: AnyResource,
  {
    steps,
    isUndecided,
    isBlocked,
  }: { readonly steps: readonly Step[]; readonly isUndecided: boolean; readonly isBlocked: boolean },
): string {
  if (isBlocked) return "An apply does nothing: the plan has errors.";
  if (isUndecided)
    return "An apply does nothing at this address until the outcome is resolved. It applies the other addresses.";
  if (steps.length === 0) return "An apply does nothing at this address.";
  return steps.map((step) => effectOfStep(definition, step)).join(" ");
}

function effectOfStep({ noun, effects }: AnyResource, step: Step): string {
  switch (step.action) {
    case "create":
      return `An apply creates the ${noun}.`;
    case "replace": {
      const imported = step.imported ? "records the imported object, then " : "";
      if (step.order === "create-first")
        return `An apply ${imported}creates a new ${noun}, then deletes ${step.id}. In between${effects ? ` ${effects.duplicate}` : ", both exist"}.`;
      return `An apply ${imported}deletes ${step.id}, then creates a new ${noun}. In between${effects ? ` ${effects.missing}` : ", none exists"}.`;
    }
    case "delete":
      return `An apply deletes ${step.id}.`;
    case "update-state":
      return "An apply changes only the state, and sends nothing.";
    case "forget":
      return "An apply removes the record from the state, and sends nothing.";
    case "adopt":
      return step.id === null
        ? "An apply records it as done, and sends nothing."
        : `An apply records ${step.id} in the state, and sends nothing.`;
    case "keep":
      return "An apply does nothing: there is nothing to change.";
  }
}

/** The attributes of the service that an object of a list does not show. */
export function unobservedNames(schema: AnyResource["schema"], { attributes }: LiveObject): readonly string[] {
  return attributesOf(schema, "yaml").flatMap(([name, { onChange }]) =>
    onChange === "record" || attributes[name] !== undefined ? [] : [name],
  );
}
