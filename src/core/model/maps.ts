/** The elements by a key, each group in their order. (`Map.groupBy` came with Node.js 21.) */
export function groupBy<K, T>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) getOrMake(groups, keyOf(one), () => []).push(one);
  return groups;
}

/** What a map has for a key; made, and kept there, at the first call. */
export function getOrMake<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const before = map.get(key);
  if (before !== undefined) return before;
  const made = make();
  map.set(key, made);
  return made;
}
