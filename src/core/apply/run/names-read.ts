import type { DataRead } from "../../model/configuration-outline.ts";
import { type Catalog, dataSourceOf } from "../../model/definition.ts";
import { type Attributes, textsIn } from "../../model/value.ts";
import type { Plan } from "../../plan/plan.ts";

interface Read {
  readonly catalog: Catalog;
  readonly client: unknown;
  readonly data: readonly DataRead[];
}

/**
 * The names of the objects that a plan refers to by id, as far as the run has read them for other reasons: nothing is sent for
 * them. What a data source with sensitive arguments has found has no name here.
 */
export async function namesRead(plan: Plan, { catalog, client, data }: Read): Promise<Pick<Plan, "names">> {
  const hidden = new Set(data.flatMap(({ masked, attributes }) => (masked.length === 0 ? [] : textsIn(attributes))));
  const names = new Map<string, string>();
  for (const [type, ids] of idsIn(plan, catalog)) {
    for (const [id, name] of (await dataSourceOf(catalog, type).namesRead?.(client)) ?? []) {
      if (ids.has(id) && name !== "" && !hidden.has(name)) names.set(id, name);
    }
  }
  return names.size === 0 ? {} : { names: Object.fromEntries([...names].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** The ids in a plan, by the type of what they name. */
function idsIn({ steps, drift }: Plan, catalog: Catalog): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  const referring = new Map(
    catalog.resources.map(({ type, schema }) => [
      type,
      Object.entries(schema).flatMap(([attribute, { refersTo }]) =>
        refersTo ? [{ attribute, to: refersTo.type }] : [],
      ),
    ]),
  );
  const add = (type: string, side: Attributes | null): void => {
    for (const { attribute, to } of referring.get(type) ?? []) {
      const id = side?.[attribute];
      if (typeof id === "string") ids.set(to, (ids.get(to) ?? new Set()).add(id));
    }
  };
  for (const step of steps) {
    if ("before" in step) add(step.type, step.before);
    if ("after" in step) add(step.type, step.after);
  }
  for (const { type, before, after } of drift) {
    add(type, before);
    add(type, after);
  }
  return ids;
}
