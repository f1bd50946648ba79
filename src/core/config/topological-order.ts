/**
 * Sorts `all` so that each element comes after its predecessors; otherwise keeps their order. Elements in a cycle, and
 * everything after them, are left out. `successors` returns the direct successors of an element: each once, and only from `all`.
 */
export function topologicalOrder<T>(all: readonly T[], successors: (one: T) => readonly T[]): readonly T[] {
  const pending = new Map(all.map((one) => [one, 0]));
  for (const one of all) for (const next of successors(one)) pending.set(next, (pending.get(next) ?? 0) + 1);
  const ordered = all.filter((one) => pending.get(one) === 0);
  // The loop also visits elements that it appends.
  for (const one of ordered) {
    for (const next of successors(one)) {
      const left = (pending.get(next) ?? 0) - 1;
      pending.set(next, left);
      if (left === 0) ordered.push(next);
    }
  }
  return ordered;
}

/** Reverses `successors`: returns the direct predecessors of each element. */
export function reversed<T>(all: readonly T[], successors: (one: T) => readonly T[]): (one: T) => readonly T[] {
  const predecessors = new Map(all.map((one): [T, T[]] => [one, []]));
  for (const one of all) for (const next of successors(one)) predecessors.get(next)?.push(one);
  return (one) => predecessors.get(one) ?? [];
}
