/**
 * All of these, each after everything that leads to it, and otherwise in their order. What is in a circle is left out, and
 * so is what a circle leads to. `following` names what one of them leads to, each once, and only what is among `all`.
 */
export function topologicalOrder<T>(all: readonly T[], following: (one: T) => readonly T[]): readonly T[] {
  const waits = new Map(all.map((one) => [one, 0]));
  for (const one of all) for (const next of following(one)) waits.set(next, (waits.get(next) ?? 0) + 1);
  const ordered = all.filter((one) => waits.get(one) === 0);
  // What is added on the way is walked too.
  for (const one of ordered) {
    for (const next of following(one)) {
      const left = (waits.get(next) ?? 0) - 1;
      waits.set(next, left);
      if (left === 0) ordered.push(next);
    }
  }
  return ordered;
}

/** The other way round: what leads to each. */
export function reversed<T>(all: readonly T[], following: (one: T) => readonly T[]): (one: T) => readonly T[] {
  const leading = new Map(all.map((one): [T, T[]] => [one, []]));
  for (const one of all) for (const next of following(one)) leading.get(next)?.push(one);
  return (one) => leading.get(one) ?? [];
}
