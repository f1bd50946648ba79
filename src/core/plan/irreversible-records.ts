import { byAddress } from "../model/address.ts";
import type { Declaration, ImportTarget } from "../model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { getOrMake } from "../model/maps.ts";
import type { Attributes } from "../model/value.ts";
import { identityKey } from "./identity.ts";
import { hasOutcome } from "./resource.ts";

/** The irreversible writes of one type: declarations and records with the same identity belong together, whatever their addresses. */
export interface IrreversibleRecords {
  /** The one declaration of each identity that owns its record. */
  readonly owners: ReadonlyMap<string, Declaration>;
  /** One record of each identity. */
  readonly recorded: ReadonlyMap<string, RecordedInstance>;
  /** Further records of an identity. */
  readonly spare: readonly RecordedInstance[];
  /** The records that nothing declares. */
  readonly leaving: readonly RecordedInstance[];
}

/**
 * Matches declarations and records by their identity. Of two declarations with the same one, that at the recorded address owns the
 * record, else the one that it is imported to, else the first address. Of two records, a known outcome takes precedence over an
 * unconfirmed one.
 */
export function matchIrreversible(
  definition: AnyResource,
  {
    declarations,
    instances,
  }: { readonly declarations: readonly Declaration[]; readonly instances: readonly RecordedInstance[] },
  imports: ReadonlyMap<string, ImportTarget>,
): IrreversibleRecords {
  const recorded = new Map<string, RecordedInstance>();
  const spare: RecordedInstance[] = [];
  const rank = (instance: RecordedInstance): number => Number(isUnconfirmed(definition, instance));
  for (const instance of instances) {
    const key = identityKey(definition, instance.attributes);
    const before = recorded.get(key);
    const isFirst = !before || (rank(instance) - rank(before) || byAddress(instance, before)) < 0;
    if (isFirst) recorded.set(key, instance);
    if (before) spare.push(isFirst ? before : instance);
  }
  const owners = new Map<string, Declaration>();
  for (const declaration of declarations) {
    const key = identityKey(definition, declaration.attributes);
    const before = owners.get(key);
    const rankOf = ({ address }: Declaration): number =>
      Number(recorded.has(key) ? recorded.get(key)?.address !== address : !imports.has(address));
    if (!before || (rankOf(declaration) - rankOf(before) || byAddress(declaration, before)) < 0)
      owners.set(key, declaration);
  }
  return {
    owners,
    recorded,
    spare,
    leaving: [...recorded].flatMap(([key, instance]) => (owners.has(key) ? [] : [instance])),
  };
}

/** Whether no answer ever told the outcome of the write, and no user has resolved it. */
export function isUnconfirmed(
  { irreversible }: AnyResource,
  { attributes, settled }: Pick<RecordedInstance, "attributes" | "settled">,
): boolean {
  return irreversible !== undefined && !settled && hasOutcome(attributes, irreversible.unconfirmed);
}

/** Whether these attributes ask to look again for what was not found. */
export function isWatched({ irreversible, schema }: AnyResource, attributes: Attributes): boolean {
  if (!irreversible?.watch) return false;
  const { attribute, value } = irreversible.watch;
  return (attributes[attribute] ?? schema[attribute]?.default ?? null) === value;
}

/** The person that a write is about, so that those of several places can be counted once; null where the type knows none. */
export function personOf({ schema, identity }: AnyResource, attributes: Attributes): string | null {
  const name = personalName({ schema, identity });
  const value = name === undefined ? undefined : attributes[name];
  if (name === undefined || typeof value !== "string") return null;
  const canonical = schema[name]?.canonical?.(value) ?? value;
  return typeof canonical === "string" ? canonical : value;
}

/** The attribute of the identity that names a person. */
function personalName({ schema, identity }: Pick<AnyResource, "schema" | "identity">): string | undefined {
  return identity.find((one) => schema[one]?.personal);
}

/** What the record of a done write keeps of its values once its person is erased; null where it is not known to be done. */
export function erasedAttributes(
  definition: AnyResource,
  instance: RecordedInstance,
  mark: string,
): {
  readonly identity: readonly string[];
  readonly attributes: Attributes;
  readonly erased: NonNullable<RecordedInstance["erased"]>;
} | null {
  const { irreversible, identity } = definition;
  const name = personalName(definition);
  if (!irreversible || name === undefined || isUnconfirmed(definition, instance)) return null;
  const { attributes } = instance;
  if (hasOutcome(attributes, irreversible.gone) && isWatched(definition, attributes)) return null;
  const outcome = Object.entries(irreversible.done).map(
    ([key, value]) => [key, value === null ? null : (attributes[key] ?? null)] as const,
  );
  const identifying = identity.map((key) => [key, key === name ? mark : (attributes[key] ?? null)] as const);
  const texts = identifying.map(([, value]) => (typeof value === "string" ? value : JSON.stringify(value)));
  const settings = [irreversible.watch?.attribute ?? []].flat().map((key) => [key, attributes[key] ?? null] as const);
  const erased = hasOutcome(attributes, irreversible.done) ? "assumed" : "sent";
  return { identity: texts, attributes: Object.fromEntries([...identifying, ...settings, ...outcome]), erased };
}

/**
 * The declarations without those whose write is done and whose person was erased since: they are recognised by the mark of the
 * person, and nothing is planned for them, so that no record names the person again.
 */
export function recogniseErased(
  catalog: Catalog,
  {
    declarations,
    instances,
    imports,
  }: {
    readonly declarations: readonly Declaration[];
    readonly instances: readonly RecordedInstance[];
    readonly imports: readonly ImportTarget[];
  },
  markOf: (person: string) => string,
): { readonly declarations: readonly Declaration[]; readonly people: number } {
  const erased = instances.filter((instance) => instance.erased);
  if (erased.length === 0) return { declarations, people: 0 };
  const known = new Set(erased.map(({ type, attributes }) => identityKey(resourceOf(catalog, type), attributes)));
  const imported = new Set(imports.map(({ to }) => to));
  const marks = new Map<string, string>();
  const recognised = new Set<string>();
  const others = declarations.filter(({ address, type, attributes }) => {
    const definition = resourceOf(catalog, type);
    const [name, person] = [personalName(definition), personOf(definition, attributes)];
    if (name === undefined || person === null || imported.has(address)) return true;
    const mark = getOrMake(marks, person, () => markOf(person));
    if (!known.has(identityKey(definition, { ...attributes, [name]: mark }))) return true;
    recognised.add(mark);
    return false;
  });
  return { declarations: others, people: recognised.size };
}
