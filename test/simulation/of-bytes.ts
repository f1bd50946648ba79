const MOST_KNOWN = 20_000;

/** Remembers what was made of bytes, for as many as are in use at a time: worlds keep their bytes until the end. */
export function ofBytes<T>(make: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  let known = new WeakMap<Uint8Array, T>();
  let count = 0;
  return (bytes) => {
    const before = known.get(bytes);
    if (before !== undefined) return before;
    if (++count % MOST_KNOWN === 0) known = new WeakMap();
    const made = make(bytes);
    known.set(bytes, made);
    return made;
  };
}
