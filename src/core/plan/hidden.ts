import { firstFew } from "../model/words.ts";
import type { AnyResource, LiveListing } from "../model/definition.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { whyUnknown } from "./missing.ts";

/** More warnings than these become one. */
const SHOWN_SINGLY = 3;
const SHOWN_ADDRESSES = 5;

/** Warns about recorded objects that a list does not show although it may be truncated: they are kept. */
export function hiddenWarnings(
  definition: AnyResource,
  { hidden, listing }: { readonly hidden: readonly RecordedInstance[]; readonly listing: LiveListing | undefined },
): readonly Diagnostic[] {
  const ofType = hidden.filter(({ type }) => type === definition.type);
  if (!listing || ofType.length === 0) return [];
  if (ofType.length <= SHOWN_SINGLY) return ofType.map((instance) => hiddenWarning(definition, { instance, listing }));
  const { noun, plural } = definition;
  const shown = ofType.map(({ address, id }) => `${address} (${String(id)})`);
  return [
    warningOf("list_maybe_truncated", `${String(ofType.length)} ${plural} are missing from a list that may be truncated`, {
      detail: `The list does not show ${firstFew(shown, SHOWN_ADDRESSES)}. ${whyUnknown(definition, listing)}. They are kept: creating a ${noun} again could make a duplicate.`,
      ways: [{ kind: "check-list" }, { kind: "allow", guard: "recreate", limit: null }],
    }),
  ];
}

function hiddenWarning(definition: AnyResource, { instance, listing }: { readonly instance: RecordedInstance; readonly listing: LiveListing }): Diagnostic {
  const { noun, type } = definition;
  const { address, id } = instance;
  return warningOf("list_maybe_truncated", `A ${noun} is missing from a list that may be truncated`, {
    detail: `${String(id)} is not in the service's list. ${whyUnknown(definition, listing)}. It is kept: creating the ${noun} again could make a duplicate.`,
    ways: [{ kind: "check-list" }, { kind: "allow", guard: "recreate", limit: null }, { kind: "remove-record", address, type }],
    address,
  });
}
