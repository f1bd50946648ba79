/** The way from a resource, or from a document, to a value in it: attribute names, map keys and list indices. */
export type Path = readonly (string | number)[];

/** `a.b[0]["c d"]`, as plans and diagnostics print it. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${String(step)}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}
