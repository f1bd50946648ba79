import { formatAddress } from "../../model/address.ts";
import type { Removal } from "../../model/declaration.ts";
import type { Catalog } from "../../model/definition.ts";
import type { Diagnostic, Place, Result } from "../../model/diagnostic.ts";
import type { RemovedBlock } from "../block.ts";
import { managedAddress } from "./managed-address.ts";
import { type DeclaredAt, declaredText } from "./moved.ts";
import { withLocationIn } from "../with-location.ts";

/** Checks what is said to be removed: blocks that are not declared, each once. */
export function checkRemoved(
  removed: readonly RemovedBlock[],
  { catalog, declaredAt }: { readonly catalog: Catalog; readonly declaredAt: DeclaredAt },
): Result<readonly Removal[]> {
  const removals = new Map<string, Removal>();
  const diagnostics: Diagnostic[] = [];
  for (const { from: text, destroy, locate } of removed) {
    const tell = (said: Diagnostic): void => void diagnostics.push(withLocationIn(said, locate));
    const { value: address, diagnostics: invalid } = managedAddress(text, catalog, "from");
    invalid.forEach(tell);
    if (!address) continue;
    const from = formatAddress({ ...address, key: null });
    const declared = declaredAt(from);
    const before = removals.get(from);
    if (address.key !== null) tell(keyed(text, from));
    else if (declared) tell(stillDeclared(from, declared.place));
    else if (before && before.destroy !== destroy) tell(contradictory(from));
    else removals.set(from, { from, destroy });
  }
  return { value: [...removals.values()], diagnostics };
}

function keyed(text: string, block: string): Diagnostic {
  return {
    code: "removed_key",
    severity: "error",
    summary: "Resource instance keys not allowed",
    detail: `${text} is one instance, but what is removed is a block with all its instances.`,
    hint: `Write ${block}, or, to remove one instance, remove its value from the block. To remove only its record:`,
    ways: [{ kind: "remove-record", address: text, type: block.slice(0, block.indexOf(".")) }],
    path: ["from"],
  };
}

function stillDeclared(from: string, place: Place | undefined): Diagnostic {
  return {
    code: "removed_declared",
    severity: "error",
    summary: "Removed resource still exists",
    detail: `This says that ${from} was removed, but it is still declared${declaredText(place)}.`,
    hint: "Remove the block too, or take this statement out.",
    path: ["from"],
  };
}

function contradictory(from: string): Diagnostic {
  return {
    code: "removed_twice",
    severity: "error",
    summary: "Removed in two ways",
    detail: `${from} is said to be removed twice: once it is to be destroyed, and once only forgotten.`,
    hint: "Keep one of the two.",
    path: ["from"],
  };
}
