/** A group with more items than this is shown as a count … */
const MANY = 10;
/** … behind this many of its items. */
const SHOWN = 5;

/** An item to show, or how many more there are that are `like` this one. */
export type Few<T> = { readonly item: T } | { readonly like: T; readonly more: number };

/** All items; of a long group the first few, and how many more there are. `groupOf` gives null for what is always shown. */
export function fewOf<T>(items: readonly T[], groupOf: (item: T) => string | null): readonly Few<T>[] {
  const groups = items.map(groupOf);
  const sizes = new Map<string, number>();
  for (const group of groups) if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const met = new Map<string, number>();
  return items.flatMap((item, index): readonly Few<T>[] => {
    const group = groups[index] ?? null;
    const size = group === null ? 0 : (sizes.get(group) ?? 0);
    if (group === null || size <= MANY) return [{ item }];
    const before = met.get(group) ?? 0;
    met.set(group, before + 1);
    if (before < SHOWN) return [{ item }];
    return before === SHOWN ? [{ like: item, more: size - SHOWN }] : [];
  });
}
