import { blockOf } from "../../model/address.ts";
import { firstFew } from "../../model/words.ts";
import type { Declaration } from "../../model/declaration.ts";
import type { AnyResource } from "../../model/definition.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { unconfirmedDiagnostic } from "../write/outcome-diagnostics.ts";

/** A diagnostic of an address, with the place of its declaration. */
export function withPlace(diagnostic: Diagnostic, address: string, declaration: Declaration | undefined): Diagnostic {
  const place = diagnostic.place ?? declaration?.locate(diagnostic.path ?? []);
  return { ...diagnostic, address, ...(place ? { place } : {}) };
}

export function heldBack(address: string, { effects }: AnyResource): Diagnostic {
  return errorOf("create_held_back", "Not created, because the old one could not be deleted", {
    detail: `${address} would be a duplicate of an object that this run failed to delete${effects ? `: ${effects.duplicate}` : ""}.`,
    hint: "Fix the error above.",
    ways: [{ kind: "apply" }],
    address,
  });
}

export function leftWithout(address: string, { noun, effects }: AnyResource): Diagnostic {
  return errorOf("replace_half_done", `The old ${noun} is deleted and the new one does not exist`, {
    detail: `The replace of ${address} deleted the old one, then the service refused the create${effects ? `: ${effects.missing} now` : ""}.`,
    hint: "Fix the error above. The next apply creates the new one.",
    ways: [{ kind: "apply" }],
    address,
  });
}

export function olderOnesLeft(address: string, { noun }: AnyResource, ids: readonly string[]): Diagnostic {
  return errorOf("deposed_left", `An older ${noun} still exists`, {
    detail: `${ids.join(", ")} was replaced earlier and could not be deleted. ${address} is kept until then, so that it is not forgotten.`,
    hint: "Fix the error above.",
    ways: [{ kind: "apply" }],
    address,
  });
}

/** Nobody has approved the delete of the object as it is now. */
export function changedSincePlan(
  address: string,
  { noun }: AnyResource,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): Diagnostic {
  return errorOf("changed_since_plan", `A ${noun} is not as the plan showed it`, {
    detail: `${id} now has another ${names.join(", ")} than the plan showed. It was not touched.`,
    hint: "Look at a new plan.",
    ways: [{ kind: "plan" }],
    address,
  });
}

/** A create that the list could not tell from an undecided one does not start. */
export function waiting({ noun }: AnyResource, addresses: readonly string[]): Diagnostic {
  const [first = ""] = addresses;
  return errorOf("create_waits", "Not started, because a similar write is undecided", {
    detail: `${firstFew(addresses, 1)}: this ${noun} could be a duplicate of one whose outcome is undecided, or the service's list could not tell them apart.`,
    hint: "Resolve that outcome first.",
    ways: [{ kind: "apply" }],
    address: first,
  });
}

/** An irreversible write without an answer is sent again only if a person has approved this plan. */
export function notApproved(address: string, definition: AnyResource): Diagnostic {
  return unconfirmedDiagnostic(definition, {
    address,
    cause: "an earlier run ended without an answer, and nobody has approved sending it again",
  });
}

/** The number of warnings of a block that are shown one by one. */
const FEW = 5;

/** One warning for many of one block that say the same, in the place of the first. */
export function summarized(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const grouped = diagnostics.map((one) => {
    const { code, severity, address, detail, hint = "", ways = [] } = one;
    // An error stands alone, and so does the choice of a way out for its address. A setting is one of the whole block.
    if (severity !== "warning" || address === undefined || ways.some(({ kind }) => kind !== "set-attribute"))
      return { one, block: "", alike: [one] };
    const block = blockOf(address);
    const key = [code, block, detail, hint].join("\n");
    const alike = groups.get(key) ?? [];
    groups.set(key, alike);
    alike.push(one);
    return { one, block, alike };
  });
  return grouped.flatMap(({ one, block, alike }): readonly Diagnostic[] => {
    if (alike.length <= FEW) return [one];
    return one === alike[0]
      ? [
          {
            ...one,
            address: block,
            detail: `${one.detail} This is the outcome of ${String(alike.length)} instances of ${block}.`,
          },
        ]
      : [];
  });
}
