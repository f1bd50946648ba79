import type { Diagnostic } from "../model/diagnostic.ts";
import type { Locate } from "./block.ts";

/** Adds the address, and the place in the user's file, to what deeper code has found. */
export function placed(diagnostic: Diagnostic, { locate }: { readonly locate: Locate }, address: string): Diagnostic {
  const place = diagnostic.place ?? locate(diagnostic.path ?? []) ?? locate([]);
  return { ...diagnostic, address, ...(place ? { place } : {}) };
}
