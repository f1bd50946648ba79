import { blockOf, recordedAddress } from "../../core/model/address.ts";
import type { AnyResource } from "../../core/model/definition.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { Plan, Step } from "../../core/plan/plan.ts";
import type { PlanMode } from "../content/output-format.ts";
import type { Json, JsonObject } from "./escaped-json.ts";
import { isMove } from "../content/describe-step.ts";

/** The registry address of our provider, which policies match on. */
export const PROVIDER_NAME = "registry.terraform.io/outreach-as-code/outreach";

/** The parts of an address that Terraform lists with each resource. */
export function resourceJson(address: string): JsonObject {
  const { mode, type, name, key } = recordedAddress(address);
  return { address, mode, type, name, ...(key === null ? {} : { index: key }), provider_name: PROVIDER_NAME };
}

/** The attributes before and after a step; null where there is no object. */
export function sidesOf(step: Step): { readonly before: Attributes | null; readonly after: Attributes | null } {
  switch (step.action) {
    case "create":
      return { before: null, after: step.after };
    case "replace":
    case "update-state":
      return { before: step.before, after: step.after };
    case "delete":
    case "forget":
      return { before: step.before, after: null };
    // An import changes the state only.
    case "adopt":
      return { before: step.after, after: step.after };
    case "keep":
      return { before: step.before, after: step.before };
  }
}

export function actionsOf(step: Step): readonly string[] {
  switch (step.action) {
    case "replace":
      return step.order === "create-first" ? ["create", "delete"] : ["delete", "create"];
    case "update-state":
      return [isMove(step) ? "no-op" : "update"];
    case "adopt":
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
export function reasonFinder({ steps }: Pick<Plan, "steps">, mode: PlanMode): (step: Step) => string | undefined {
  const declared = new Map(steps.filter(({ action }) => action !== "delete" && action !== "forget").map(({ address }) => [blockOf(address), address]));
  return (step) => {
    if (step.action === "replace") return step.because.some(({ why }) => why !== "requested") ? "replace_because_cannot_update" : "replace_by_request";
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
  const names = step.action === "replace" ? [...new Set(step.because.flatMap(({ attribute }) => (attribute === null ? [] : [attribute])))] : [];
  return names.length === 0 ? undefined : names.map((name) => [name]);
}
