import { blockOf } from "../model/address.ts";
import { type AnyResource, resourceOf } from "../model/definition.ts";
import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Relocated } from "../model/relocate.ts";
import type { Attributes } from "../model/value.ts";
import { identityKey } from "./identity.ts";
import type { PlanContext, PlanInput, Scope } from "./plan-context.ts";
import type { Step } from "./plan.ts";
import { allowsDuplicate } from "./protection.ts";
import { type Targeting, isPartial } from "./targets.ts";

interface PartialPlan {
  readonly relocated: Relocated;
  readonly targeting: Targeting;
  readonly input: PlanInput;
  readonly context: PlanContext;
}

/** A partial plan must not make a second one of what it leaves out. */
export function duplicatesLeftOut(steps: readonly Step[], partial: PartialPlan): readonly Diagnostic[] {
  const { catalog, options } = partial.input;
  const keyOf = ({ type }: RecordedInstance | Step, attributes: Attributes): string =>
    identityKey(resourceOf(catalog, type), attributes);
  const kept = new Map(leftOutOf(partial).map((instance) => [keyOf(instance, instance.attributes), instance]));
  if (kept.size === 0) return [];
  return steps.flatMap((step) => {
    if ((step.action !== "create" && step.action !== "replace") || allowsDuplicate(step.after)) return [];
    const other = kept.get(keyOf(step, step.after));
    return other ? [duplicateOf(resourceOf(catalog, step.type), { address: step.address, other, options })] : [];
  });
}

/** The live objects that are recorded, and not part of the plan. */
function leftOutOf({
  relocated: { instances, origins },
  targeting,
  input: { options },
  context: { liveById },
}: PartialPlan): readonly RecordedInstance[] {
  if (!isPartial(options) || options.importsOnly) return [];
  const isLive = ({ type, id }: RecordedInstance): boolean => id !== null && liveById.get(type)?.has(id) === true;
  return instances.filter(
    (instance) =>
      isLive(instance) && !targeting.includes(instance.address, origins.get(instance.address) ?? instance.address),
  );
}

function duplicateOf(
  { noun, identity, effects }: AnyResource,
  { address, other, options }: { readonly address: string; readonly other: RecordedInstance; readonly options: Scope },
): Diagnostic {
  const [kind, block] =
    options.targets.length > 0
      ? (["target", blockOf(other.address)] as const)
      : (["exclude", blockOf(address)] as const);
  return errorOf("duplicate_left_out", `The plan leaves out an identical ${noun}`, {
    detail: `${String(other.id)} is live with the same ${identity.join(", ")} as ${address}. ${other.address} manages it, and the plan leaves that out.${effects ? ` With a duplicate, ${effects.duplicate}.` : ""}`,
    ways: [{ kind, addresses: [block] }],
    address,
  });
}
