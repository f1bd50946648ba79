import { type Catalog, resourceOf } from "../model/definition.ts";
import { type Diagnostic, DiagnosticsError, errorOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { getOrMake } from "../model/maps.ts";

/**
 * Throws if two records have one object: a plan of one of them would delete or replace the object of the other. What cannot be
 * listed is no object of its own: several records may name the same one.
 */
export function assertOneRecord(catalog: Catalog, instances: readonly RecordedInstance[]): void {
  const holders = new Map<string, RecordedInstance>();
  const listed = new Set(catalog.resources.flatMap(({ type, list }) => (list ? [type] : [])));
  const found: Diagnostic[] = [];
  for (const one of instances) {
    if (!listed.has(one.type)) continue;
    for (const id of [one.id, ...(one.deposed ?? []).map((old) => old.id)]) {
      if (id === null) continue;
      const holder = getOrMake(holders, `${one.type} ${id}`, () => one);
      if (holder !== one)
        found.push(recordedTwice(catalog, { id, type: one.type, addresses: [holder.address, one.address] }));
    }
  }
  if (found.length > 0) throw new DiagnosticsError(found);
}

function recordedTwice(
  catalog: Catalog,
  { id, type, addresses }: { readonly id: string; readonly type: string; readonly addresses: readonly string[] },
) {
  return errorOf("recorded_twice", "Two records have one object", {
    detail: `The ${resourceOf(catalog, type).noun} ${id} is recorded at ${addresses.join(" and ")}, so a change of one would change both. The state was not stored.`,
    hint: "Keep the record of the address that declares it.",
    ways: addresses.map((address) => ({ kind: "remove-record", address, type })),
  });
}
