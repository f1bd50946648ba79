import ts from "typescript-5.9";

/** The compiler as a library: version 7 has none. */
export { ts };
