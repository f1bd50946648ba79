import { firstFew } from "../../../core/model/words.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../../../core/model/diagnostic.ts";
import { exclusiveTaken, holderText, ruleText } from "../../../core/plan/exclusive-diagnostics.ts";
import { importBlock } from "../wire/terraform-way-outs.ts";

/** A managed object, and one that is identical to it in the list and not known to be managed. */
export interface Doubled {
  readonly id: string;
  readonly duplicate: string;
}

const MOST_NAMED = 10;

/** Texts about duplicates. None shows a value of the configuration: it may be sensitive, which Terraform does not tell. */
export function duplicatesLive(definition: AnyResource, doubled: readonly Doubled[]): Diagnostic {
  const { noun, type, plural, effects } = definition;
  const [first] = doubled;
  if (!first) throw new Error("there is no duplicate");
  const shown = doubled.map(({ id, duplicate }) => `${duplicate} is identical to ${id}`);
  return warningOf(
    "unmanaged_duplicate",
    doubled.length === 1 ? `An identical unmanaged ${noun} is live` : `Identical unmanaged ${plural} are live`,
    {
      detail: `${firstFew(shown, MOST_NAMED, { separator: "; ", last: ", and " })}, as far as the service's list shows it, and not known to be managed by this configuration.${effect(effects)}`,
      hint: "If nobody needs it, delete it in the service, or import it and destroy it.",
      ways: [
        { kind: "import", address: null, type, ids: [first.duplicate], isUndeclared: true },
        { kind: "allow-duplicate", addresses: [null], isLive: true },
        { kind: "remove-elsewhere" },
      ],
    },
  );
}

/** A planned create would stop at these objects. */
export function lookalikeLive(definition: AnyResource, ids: readonly string[]): Diagnostic {
  const { noun, type, identity, effects } = definition;
  const [are, them] = ids.length > 1 ? ["are", "them"] : ["is", "it"];
  return warningOf("unmanaged_duplicate", `An identical ${noun} is live`, {
    detail: `${ids.join(", ")} ${are} live with the same ${identity.join(", ")}, and not known to be managed by this configuration. Unless this plan removes ${them}, the apply does not create another one.${effect(effects)}`,
    ways: [
      { kind: "import", address: null, type, ids },
      { kind: "allow-duplicate", addresses: [null] },
      { kind: "remove-elsewhere" },
    ],
    ...(identity[0] === undefined ? {} : { path: [identity[0]] }),
  });
}

/** Whether a saved plan replaces the duplicate is not known. */
export function maybeReplaced(diagnostic: Diagnostic): Diagnostic {
  const hint =
    "If this apply replaces it: the provider cannot read the saved plan. Set OUTREACH_JOURNAL to a folder that plan and apply share, or use Terraform 1.16 or later.";
  return { ...diagnostic, hint };
}

/** The saved plan, which the provider cannot read, probably replaces the duplicate: a plan warns about every other one. */
export function probablyReplaced(diagnostic: Diagnostic): Diagnostic {
  return {
    ...diagnostic,
    detail: `${diagnostic.detail} Probably the saved plan replaces it: the provider cannot read the plan, which is encrypted or damaged, and the journal here has no note of it. Nothing was sent.`,
    hint: "Apply the plan with the journal of the run that planned: bring its folder (.terraform/outreach-journal), or set OUTREACH_JOURNAL to a place that plan and apply share. Or plan and apply again here: if the new plan does not replace it, that plan shows how to import it.",
    ways: [],
  };
}

/** The service would reject a planned create, because this object has its exclusive value. */
export function holderLive(definition: AnyResource, holder: LiveObject): Diagnostic {
  const taken = exclusiveTaken(definition, { address: null, holder, owner: null, isIdentical: false });
  const detail = `${holderText(definition, { address: null, holder, owner: null })} ${ruleText(definition)}. Unless this plan removes it, the apply does not create another one.`;
  return { ...taken, severity: "warning", detail };
}

/** Another resource of the plan has the same exclusive value, of which the service allows one object. */
export function exclusiveDeclaredTwice(definition: AnyResource): Diagnostic {
  const { exclusive = "", noun, plural, type } = definition;
  return errorOf("exclusive_twice", `Several ${plural} with one ${exclusive}`, {
    detail: `Another ${noun} of this configuration has the same ${exclusive}. ${ruleText(definition)}.`,
    ways: [{ kind: "distinguish", address: null, type, attribute: exclusive }],
    path: [exclusive],
  });
}

/** A plan could not read the list, which the apply needs. `causes` say why. */
export function notCompared({ plural }: AnyResource, causes: readonly Diagnostic[]): Diagnostic {
  const [cause] = causes;
  return warningOf("not_compared", `The service's list of ${plural} could not be read`, {
    detail:
      `${cause?.detail ?? ""} The plan could not look for identical ${plural}, and the apply fails unless it can read the list.`.trimStart(),
    ...(cause?.hint === undefined ? {} : { hint: cause.hint }),
  });
}

/** Two resources have the same identity; `id` is the managed object of one of them, if the provider knows it. The provider does not learn addresses. */
export function declaredTwice(
  { noun, identity, effects }: AnyResource,
  id: string | null,
  owner: "managed" | "parallel" = "managed",
): Diagnostic {
  const [first] = identity;
  const same = `the same ${identity.join(", ")}.`;
  return errorOf("declared_twice", `The same ${noun} is declared twice`, {
    detail:
      id === null
        ? `Another resource of this configuration has ${same}${effect(effects)}`
        : `${owner === "managed" ? `Terraform already manages ${id}` : `A run in parallel has just created ${id}`} with ${same} Each event would be delivered twice. Nothing was sent.`,
    hint: "Remove one of the two, or set allow_duplicate = true in both.",
    ...(id === null && first !== undefined ? { path: [first] } : {}),
  });
}

/** Another resource overlaps with this one; `id` is its object, if it has one. */
export function overlapping({ noun, plural, overlap }: AnyResource, id: string | null): Diagnostic {
  if (!overlap) throw new Error(`${plural} cannot overlap`);
  return warningOf(`overlapping_${plural}`, `Overlapping ${plural}`, {
    detail: `${id ?? `Another ${noun} of this configuration`} has the same ${overlap.place}, and overlaps with this ${noun}: events that match both are delivered twice.`,
    hint: "Remove one of the two, or narrow what it selects.",
    ways: [{ kind: "allow-duplicate", addresses: [null], isLive: true }],
    path: [overlap.place],
  });
}

/** An object of a create whose answer was lost or rejected it, or one that was removed from the state as missing (`wasManaged`). */
export function appearedLate(
  definition: AnyResource,
  { id, wasManaged }: { readonly id: string; readonly wasManaged: boolean },
): Diagnostic {
  const { noun, effects } = definition;
  const returned = `${id} is live again, and not known to be managed. It was removed from the state when the service's list did not show it.${effects ? ` If another one was created in its place, ${effects.duplicate}.` : ""}`;
  const appeared = `${id} is live and not known to be managed, and may have come from an earlier create that the service did not confirm. Each event may be delivered twice.`;
  const remove = `import it at an address of its own and destroy it:\n\n  ${importBlock(definition, id)}`;
  return warningOf("late_duplicate", wasManaged ? `A missing ${noun} has returned` : `A ${noun} has appeared late`, {
    detail: wasManaged ? returned : appeared,
    hint: wasManaged
      ? `To remove it, ${remove}`
      : `If it is yours, ${remove}\n\nIf it is somebody else's, leave it alone: this warning repeats for 24 hours.`,
  });
}

function effect(effects: AnyResource["effects"]): string {
  return effects ? ` With a duplicate, ${effects.duplicate}.` : "";
}
