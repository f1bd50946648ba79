import type { AnyResource } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { importBlock } from "../way-out-text.ts";

/** A managed object, and one that is identical to it in the list and not known to be managed. */
export interface Doubled {
  readonly id: string;
  readonly duplicate: string;
}

const MOST_TOLD = 10;

/** Texts about duplicates. None shows a value of the configuration: it may be sensitive, which Terraform does not tell. */
export function duplicatesLive(definition: AnyResource, doubled: readonly Doubled[]): Diagnostic {
  const { noun, type, plural, effects } = definition;
  const [first] = doubled;
  if (!first) throw new Error("there is no duplicate");
  const shown = doubled.slice(0, MOST_TOLD).map(({ id, duplicate }) => `${duplicate} is identical to ${id}`);
  const more = doubled.length > MOST_TOLD ? `, and ${String(doubled.length - MOST_TOLD)} more` : "";
  return {
    code: "unmanaged_duplicate",
    severity: "warning",
    summary: doubled.length === 1 ? `An identical unmanaged ${noun} is live` : `Identical unmanaged ${plural} are live`,
    detail: `${shown.join("; ")}${more}, as far as the service's list shows it, and not known to be managed by this configuration.${effect(effects)}`,
    hint: "If nobody needs it, delete it in the service, or import it and destroy it.",
    ways: [
      { kind: "import", address: null, type, ids: [first.duplicate], isUndeclared: true },
      { kind: "allow-duplicate", addresses: [null], isLive: true },
      { kind: "remove-elsewhere" },
    ],
  };
}

/** A planned create would stop at these objects. */
export function lookalikeLive(definition: AnyResource, ids: readonly string[]): Diagnostic {
  const { noun, type, identity, effects } = definition;
  const [are, them] = ids.length > 1 ? ["are", "them"] : ["is", "it"];
  return {
    code: "unmanaged_duplicate",
    severity: "warning",
    summary: `An identical ${noun} is live`,
    detail: `${ids.join(", ")} ${are} live with the same ${identity.join(", ")}, and not known to be managed by this configuration. Unless this plan removes ${them}, the apply does not create another one.${effect(effects)}`,
    ways: [{ kind: "import", address: null, type, ids }, { kind: "allow-duplicate", addresses: [null] }, { kind: "remove-elsewhere" }],
    ...pathOf(identity),
  };
}

/** A plan could not read the list, which the apply needs. `causes` say why. */
export function notCompared({ plural }: AnyResource, causes: readonly Diagnostic[]): Diagnostic {
  const [cause] = causes;
  return {
    code: "not_compared",
    severity: "warning",
    summary: `The service's list of ${plural} could not be read`,
    detail: `${cause?.detail ?? ""} The plan could not look for identical ${plural}, and the apply fails unless it can read the list.`.trimStart(),
    ...(cause?.hint === undefined ? {} : { hint: cause.hint }),
  };
}

/** Two resources would be created with the same identity. */
export function declaredTwiceInPlan({ noun, identity, effects }: AnyResource): Diagnostic {
  return {
    code: "declared_twice",
    severity: "error",
    summary: `The same ${noun} is declared twice`,
    detail: `Another resource of this configuration has the same ${identity.join(", ")}.${effect(effects)}`,
    hint: "Remove one of the two, or set allow_duplicate = true in both.",
    ...pathOf(identity),
  };
}

/** An object that was removed from the state as missing. */
export function returned(definition: AnyResource, id: string): Diagnostic {
  const { noun, effects } = definition;
  return {
    code: "late_duplicate",
    severity: "warning",
    summary: `A missing ${noun} has returned`,
    detail: `${id} is live again, and not known to be managed. It was removed from the state when the service's list did not show it.${effects ? ` If another one was created in its place, ${effects.duplicate}.` : ""}`,
    hint: `To remove it, import it at an address of its own and destroy it:\n\n  ${importBlock(definition, id)}`,
  };
}

function effect(effects: AnyResource["effects"]): string {
  return effects ? ` With a duplicate, ${effects.duplicate}.` : "";
}

function pathOf([first]: readonly string[]): Pick<Diagnostic, "path"> {
  return first === undefined ? {} : { path: [first] };
}
