/**
 * Throws a TypeError for an unknown option, such as `secret` instead of `secrets`, which would be ignored otherwise. An instance of a class may
 * have other fields.
 */
export function checkKnown(options: object | null | undefined, known: readonly string[]): void {
  // The checks of the required options report anything that is not an object.
  if (typeof options !== "object" || options === null) return;
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return;
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`Unknown option ${unknown}. The options are: ${known.join(", ")}.`);
}
