import { formatAddress } from "../../model/address.ts";
import type { Removal } from "../../model/declaration.ts";
import type { Catalog } from "../../model/definition.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../model/diagnostic.ts";
import type { RemovedBlock } from "../block.ts";
import { managedAddress } from "./managed-address.ts";
import { type DeclaredAt, declaredText } from "./moved.ts";
import { withLocationIn } from "../with-location.ts";

/** Checks the removal statements: blocks that are not declared, each once. */
export function checkRemoved(
  removed: readonly RemovedBlock[],
  { catalog, declaredAt }: { readonly catalog: Catalog; readonly declaredAt: DeclaredAt },
): Result<readonly Removal[]> {
  const removals = new Map<string, Removal>();
  const diagnostics: Diagnostic[] = [];
  for (const { from: text, destroy, locate } of removed) {
    const report = (problem: Diagnostic): void => void diagnostics.push(withLocationIn(problem, locate));
    const { value: address, diagnostics: invalid } = managedAddress(text, catalog, "from");
    invalid.forEach(report);
    if (!address) continue;
    const from = formatAddress({ ...address, key: null });
    const declared = declaredAt(from);
    const before = removals.get(from);
    if (address.key !== null) report(instanceKey(text, from));
    else if (declared) report(stillDeclared(from, declared.place));
    else if (before && before.destroy !== destroy) report(contradictory(from));
    else removals.set(from, { from, destroy });
  }
  return { value: [...removals.values()], diagnostics };
}

function instanceKey(text: string, block: string): Diagnostic {
  return errorOf("removed_key", "Resource instance keys not allowed", {
    detail: `${text} is a single instance, but this statement removes a whole block.`,
    hint: `Write ${block}, or, to remove one instance, remove its value from the declaration. To remove only its record:`,
    ways: [{ kind: "remove-record", address: text, type: block.slice(0, block.indexOf(".")) }],
    path: ["from"],
  });
}

function stillDeclared(from: string, place: Place | undefined): Diagnostic {
  return errorOf("removed_declared", "Removed resource still exists", {
    detail: `This statement removes ${from}, but it is still declared${declaredText(place)}.`,
    hint: "Remove the declaration, or this statement.",
    path: ["from"],
  });
}

function contradictory(from: string): Diagnostic {
  return errorOf("removed_twice", "Conflicting removals", {
    detail: `Two statements remove ${from}: one destroys it, the other only forgets it.`,
    hint: "Keep one of the two.",
    path: ["from"],
  });
}
