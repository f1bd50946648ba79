/** A map that forgets: beyond `max` entries, the one that was not used for the longest time goes first. */
export function recentlyUsed<T>(max: number): Pick<Map<string, T>, "delete" | "get"> & { set(name: string, value: T): void } {
  const entries = new Map<string, T>();
  const set = (name: string, value: T): void => {
    entries.delete(name);
    entries.set(name, value);
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
  };
  return {
    set,
    get: (name) => {
      const value = entries.get(name);
      if (value !== undefined) set(name, value);
      return value;
    },
    delete: (name) => entries.delete(name),
  };
}
