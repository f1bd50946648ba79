import { blockOf, recordedAddress } from "../../core/model/address.ts";
import type { AnyResource } from "../../core/model/definition.ts";
import { type Attributes, identical } from "../../core/model/value.ts";
import { beforeImport } from "../../core/plan/adopt.ts";
import { type Plan, type Step, isMove } from "../../core/plan/plan.ts";
import type { PlanMode } from "../content/output-format.ts";
import type { Json, JsonObject } from "./escaped-json.ts";

/** The registry address of our provider, which policies match on. */
export const PROVIDER_NAME = "registry.terraform.io/outreach-as-code/outreach";

/** The parts of an address that Terraform lists with each resource. */
export function resourceJson(address: string): JsonObject {
  const { mode, type, name, key } = recordedAddress(address);
  return { address, mode, type, name, ...(key === null ? {} : { index: key }), provider_name: PROVIDER_NAME };
}

/** The steps that Terraform lists as changes. It lists drift as drift alone, and so an object that is gone. */
export function listedSteps({ steps }: Plan, mode: PlanMode): readonly Step[] {
  return mode === "refresh-only" ? [] : steps.filter((step) => !(step.action === "forget" && step.gone));
}

/** The drift that Terraform lists: none where everything is destroyed. */
export function listedDrift({ drift }: Pick<Plan, "drift">, mode: PlanMode): Plan["drift"] {
  return mode === "destroy" ? [] : drift;
}

/** The address before the step, if it differs. What is destroyed does not move. */
export function previousAddress({ movedFrom }: Step, mode: PlanMode): string | undefined {
  return mode === "destroy" ? undefined : movedFrom;
}

/** The attributes before and after a step; null where there is no object. */
export function sidesOf(
  definition: AnyResource,
  step: Step,
): { readonly before: Attributes | null; readonly after: Attributes | null } {
  switch (step.action) {
    case "create":
      return { before: null, after: step.after };
    case "replace":
      return {
        before: step.imported ? beforeImport(definition, step.before, step.imported) : step.before,
        after: step.after,
      };
    case "update-state":
      return { before: step.before, after: step.after };
    case "delete":
    case "forget":
      return { before: step.before, after: null };
    case "adopt":
      return { before: beforeImport(definition, step.after, step.returned), after: step.after };
    case "keep":
      return { before: step.before, after: step.before };
  }
}

/** Whether an import records a value that the service does not show. Counts take it for an import alone. */
function recordsValues(definition: AnyResource, step: Step): boolean {
  const { before, after } = sidesOf(definition, step);
  return Object.keys(after ?? {}).some((name) => !identical(before?.[name] ?? null, after?.[name] ?? null));
}

export function actionsOf(definition: AnyResource, step: Step): readonly string[] {
  switch (step.action) {
    case "replace":
      return step.order === "create-first" ? ["create", "delete"] : ["delete", "create"];
    case "update-state":
      return [isMove(step) ? "no-op" : "update"];
    case "adopt":
      return [recordsValues(definition, step) ? "update" : "no-op"];
    case "keep":
      return ["no-op"];
    default:
      return [step.action];
  }
}

/** The id in the form that an import takes it; undefined for other steps. */
function importId({ identity }: AnyResource, step: Step): string | undefined {
  if (step.action === "replace") return step.imported && step.id;
  if (step.action !== "adopt") return undefined;
  return (
    step.id ??
    identity
      .map((name) => step.after[name])
      .filter((value) => typeof value === "string")
      .join("/")
  );
}

/** The `importing` member of a change. */
export function importingJson(definition: AnyResource, step: Step): { readonly importing?: JsonObject } {
  const id = importId(definition, step);
  return id === undefined ? {} : { importing: { id } };
}

/** Finds Terraform's `action_reason` for a step, if it has one. */
export function reasonFinder({ steps }: Plan, mode: PlanMode): (step: Step) => string | undefined {
  const declared = new Map(
    steps
      .filter(({ action }) => action !== "delete" && action !== "forget")
      .map(({ address }) => [blockOf(address), address]),
  );
  return (step) => {
    if (step.action === "replace")
      return step.because.some(({ why }) => why !== "requested")
        ? "replace_because_cannot_update"
        : "replace_by_request";
    if (step.action !== "delete" && step.action !== "forget") return undefined;
    if (mode === "destroy" || ("deposed" in step && step.deposed)) return undefined;
    if (step.action === "forget" && step.released) return "delete_because_no_resource_config";
    const sibling = declared.get(blockOf(step.address));
    if (sibling === undefined && step.movedFrom !== undefined) return "delete_because_no_move_target";
    const keyed = step.address.includes("[");
    // The last instance of a block may have left with the block or alone.
    if (sibling === undefined) return keyed ? undefined : "delete_because_no_resource_config";
    if (!keyed || !sibling.includes("[")) return "delete_because_wrong_repetition";
    return step.address.includes('["') ? "delete_because_each_key" : "delete_because_count_index";
  };
}

export function replacePaths(step: Step): Json | undefined {
  const names =
    step.action === "replace"
      ? [...new Set(step.because.flatMap(({ attribute }) => (attribute === null ? [] : [attribute])))]
      : [];
  return names.length === 0 ? undefined : names.map((name) => [name]);
}
