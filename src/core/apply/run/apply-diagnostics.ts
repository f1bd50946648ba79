import type { Declaration } from "../../model/declaration.ts";
import type { AnyResource } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { unconfirmedDiagnostic } from "../write/outcome-diagnostics.ts";

/** A diagnostic of an address, with the place where that is declared. */
export function located(diagnostic: Diagnostic, address: string, declaration: Declaration | undefined): Diagnostic {
  const place = diagnostic.place ?? declaration?.locate(diagnostic.path ?? []);
  return { ...diagnostic, address, ...(place ? { place } : {}) };
}

export function heldBack(address: string): Diagnostic {
  return {
    code: "create_held_back",
    severity: "error",
    summary: "Not created, because the old one could not be deleted",
    detail: `${address} would be the same as one that was to be deleted before and is still there: each event would be delivered twice.`,
    hint: "Mend the cause above and run apply again.",
    address,
  };
}

export function leftWithout(address: string, { noun }: AnyResource): Diagnostic {
  return {
    code: "replace_half_done",
    severity: "error",
    summary: `The old ${noun} is deleted and the new one is not there`,
    detail: `${address} was to be replaced. The old one was deleted, then the create was refused: no events are delivered now.`,
    hint: "Mend the cause above and run apply again: it creates the new one.",
    address,
  };
}

export function olderOnesLeft(address: string, { noun }: AnyResource, ids: readonly string[]): Diagnostic {
  return {
    code: "deposed_left",
    severity: "error",
    summary: `An older ${noun} is still there`,
    detail: `${ids.join(", ")} was replaced before and could not be deleted. ${address} is kept until it is, so that it is not forgotten.`,
    hint: "Mend the cause above and run apply again.",
    address,
  };
}

/** Nobody has approved that this is deleted as it is now. */
export function changedSincePlan(
  address: string,
  { noun }: AnyResource,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): Diagnostic {
  return {
    code: "changed_since_plan",
    severity: "error",
    summary: `A ${noun} is not as the plan showed it`,
    detail: `${id} now has another ${names.join(", ")} than the plan showed. It was left alone.`,
    hint: "Run outreach plan: it shows what is there now.",
    address,
  };
}

/** What the list could not tell from an open create is not begun. */
export function waiting({ noun }: AnyResource, addresses: readonly string[]): Diagnostic {
  const [first = "", ...others] = addresses;
  const who = others.length === 0 ? first : `${first} and ${String(others.length)} more`;
  return {
    code: "create_waits",
    severity: "error",
    summary: "Not begun, because a write like it is undecided",
    detail: `${who}: such a ${noun} would double one whose outcome is undecided, or could not be told from it in the service's list.`,
    hint: "Run apply again once that is settled.",
    address: first,
  };
}

/** A irreversible write without an answer is only sent again where a person has approved the very plan. */
export function notApproved(address: string, definition: AnyResource): Diagnostic {
  return unconfirmedDiagnostic(definition, { address, cause: "an earlier run ended without an answer, and nobody has approved sending it again" });
}
