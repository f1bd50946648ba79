import type { Diagnostic } from "../model/diagnostic.ts";
import type { Locate } from "./block.ts";

/** Adds the address, and the place in the user's file, to what deeper code has found. */
export function placed(diagnostic: Diagnostic, { locate }: { readonly locate: Locate }, address: string): Diagnostic {
  return { ...placedIn(diagnostic, locate), address };
}

/** The same for what is about no address of its own. */
export function placedIn(diagnostic: Diagnostic, locate: Locate): Diagnostic {
  const place = diagnostic.place ?? locate(diagnostic.path ?? []) ?? locate([]);
  return { ...diagnostic, ...(place ? { place } : {}) };
}
