import { type CheckedReferences, checkReferences } from "../../core/apply/run/check-references.ts";
import type { AnyResource, Catalog } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";

/** The problems of the ids that an irreversible write would send. Asks about each id once in a process. */
export type ReferenceChecks = (definition: AnyResource, attributes: Attributes) => Promise<readonly Diagnostic[]>;

export function openReferenceChecks(catalog: Catalog, client: unknown, signal: AbortSignal): ReferenceChecks {
  const checked: CheckedReferences = new Map();
  return async ({ type }, after) => {
    const step = { action: "create", address: "", type, provider: "", because: [], masked: [], after } as const;
    const found = await checkReferences({ steps: [step] }, { catalog, reading: { client, signal, isThorough: true }, known: new Map(), checked });
    return found.map(({ address: _, ...problem }) => problem);
  };
}
