import { blockOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";

/** As many warnings of a block as are shown one by one. */
const FEW = 5;

/** One warning for many of one block that say the same, in the place of the first. */
export function summarized(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sizes = new Map<string, number>();
  for (const one of diagnostics) {
    const group = groupOf(one);
    if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  const met = new Set<string>();
  return diagnostics.flatMap((one): readonly Diagnostic[] => {
    const group = groupOf(one);
    const size = group === null ? 1 : (sizes.get(group) ?? 1);
    if (group === null || one.address === undefined || size <= FEW) return [one];
    if (met.has(group)) return [];
    met.add(group);
    return [{ ...one, address: blockOf(one.address), detail: `${one.detail} This is the outcome of ${String(size)} instances of ${blockOf(one.address)}.` }];
  });
}

/** Null for one that stands alone: an error, or the choice of a way out for its address. A setting is one of the whole block. */
function groupOf({ severity, code, address, detail, hint = "", ways = [] }: Diagnostic): string | null {
  if (severity !== "warning" || address === undefined || ways.some(({ kind }) => kind !== "set-attribute")) return null;
  return [code, blockOf(address), detail, hint].join("\n");
}
