/** A longer group is shortened to its first items and a count. */
const MANY = 10;
/** How many items of a shortened group are shown. */
const SHOWN = 5;

/** An item to show, or a count of further items `like` this one. */
export type FirstFew<T> = { readonly item: T } | { readonly like: T; readonly more: number };

/** All items, with long groups shortened to the first few and a count. `groupOf` returns null for an item that is always shown. */
export function firstFew<T>(items: readonly T[], groupOf: (item: T) => string | null): readonly FirstFew<T>[] {
  const groups = items.map(groupOf);
  const sizes = new Map<string, number>();
  for (const group of groups) if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const met = new Map<string, number>();
  return items.flatMap((item, index): readonly FirstFew<T>[] => {
    const group = groups[index] ?? null;
    const size = group === null ? 0 : (sizes.get(group) ?? 0);
    if (group === null || size <= MANY) return [{ item }];
    const before = met.get(group) ?? 0;
    met.set(group, before + 1);
    if (before < SHOWN) return [{ item }];
    return before === SHOWN ? [{ like: item, more: size - SHOWN }] : [];
  });
}
