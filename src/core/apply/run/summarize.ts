import { blockOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";

/** As many warnings of a block as are shown one by one. */
const FEW = 5;

/** One warning for many of one block that say the same, in the place of the first. */
export function summarized(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const grouped = diagnostics.map((one) => {
    const { code, severity, address, detail, hint = "", ways = [] } = one;
    // An error stands alone, and so does the choice of a way out for its address. A setting is one of the whole block.
    if (severity !== "warning" || address === undefined || ways.some(({ kind }) => kind !== "set-attribute")) return { one, block: "", alike: [one] };
    const block = blockOf(address);
    const key = [code, block, detail, hint].join("\n");
    const alike = groups.get(key) ?? [];
    groups.set(key, alike);
    alike.push(one);
    return { one, block, alike };
  });
  return grouped.flatMap(({ one, block, alike }): readonly Diagnostic[] => {
    if (alike.length <= FEW) return [one];
    return one === alike[0] ? [{ ...one, address: block, detail: `${one.detail} This is the outcome of ${String(alike.length)} instances of ${block}.` }] : [];
  });
}
