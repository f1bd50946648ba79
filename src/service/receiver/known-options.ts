/**
 * Throws a TypeError for an option that there is not, as in `secret` for `secrets`: without it, it would be ignored. An object of a class may have
 * fields of its own.
 */
export function checkKnown(options: object | null | undefined, known: readonly string[]): void {
  // What is no object at all is told by what the options must have.
  if (typeof options !== "object" || options === null) return;
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return;
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`There is no option ${unknown}. The options are: ${known.join(", ")}.`);
}
