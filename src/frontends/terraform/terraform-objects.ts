import type { AnyResource } from "../../core/model/definition.ts";
import { type Attributes, hasUnknown } from "../../core/model/value.ts";
import { exclusiveKey, identityKey } from "../../core/plan/identity.ts";
import { type OverlapIndex, overlapIndex } from "../../core/plan/overlaps.ts";
import { nameOf } from "./journal/known-creates.ts";
import type { Clock } from "../../core/model/ports.ts";

/** The objects of Terraform's state and plan, as far as it has shown them to this process: it shows one after the other. */
export interface TerraformObjects {
  /** Ids of the objects in its state, by type. */
  readonly managed: ReadonlyMap<string, ReadonlySet<string>>;
  /** The ids of one type: a set that grows while the process runs. */
  managedOf(type: string): Set<string>;
  /** The objects in its state, by `nameOf`: the key of the identity, null if part of that is unknown. */
  readonly recorded: ReadonlyMap<string, string | null>;
  /** Objects that no request changes: the key of the identity by id. */
  readonly staying: ReadonlyMap<string, string>;
  /** The ids that it planned to keep, and those that it replaces although it planned that. */
  readonly kept: ReadonlySet<string>;
  readonly replaced: ReadonlySet<string>;
  /** Planned creates, by type. */
  readonly creates: ReadonlyMap<string, readonly Attributes[]>;
  /** Notes that this object is in the state. */
  manage(definition: AnyResource, id: string): void;
  /** Notes an object of the state that may have no id. `unobserved` names the attributes whose value is unknown, if the caller knows them. */
  record(definition: AnyResource, attributes: Attributes, unobserved?: readonly string[]): void;
  /** Notes that Terraform planned this object. */
  keep(id: string): void;
  /** Notes that no request changes this object; `attributes` are the declared ones. */
  stay(
    definition: AnyResource,
    id: string,
    of: { readonly attributes: Attributes; readonly isMarked: boolean },
  ): Conflicts;
  /** Notes that an object is planned to be replaced, before its create is planned: it stays no longer. */
  replace(definition: AnyResource, attributes: Attributes, id: string | undefined): void;
  /** Notes that this process has deleted the object. */
  leave(id: string): void;
  /** Notes a planned create; `instead` is the id of the object that it replaces. */
  create(
    definition: AnyResource,
    attributes: Attributes,
    of: { readonly instead: string | undefined; readonly isMarked: boolean },
  ): Conflicts;
  /** Notes an object that is planned to exist. The id of one that was noted before and overlaps with it, null without an id; undefined for none. */
  overlap(definition: AnyResource, attributes: Attributes): string | null | undefined;
}

/** What other planned objects have in common with one. */
export interface Conflicts {
  /** Terraform keeps or creates an identical object, and the two do not allow that. */
  readonly twice: Conflict;
  /** Another one has its exclusive value. Two objects that stay may share one. */
  readonly exclusive: Conflict;
}

/** Whether the other object is planned to be created, or stays. Null without one. */
export type Conflict = "created" | "stays" | null;

export function openTerraformObjects(): TerraformObjects {
  const managed = new Map<string, Set<string>>();
  const recorded = new Map<string, string | null>();
  const kept = new Set<string>();
  const replaced = new Set<string>();
  const creates = new Map<string, Attributes[]>();
  const identities = openPlannedKeys();
  const exclusive = openPlannedKeys();

  function managedOf(type: string): Set<string> {
    const ids = managed.get(type) ?? new Set();
    managed.set(type, ids);
    return ids;
  }
  function manage(definition: AnyResource, id: string): void {
    managedOf(definition.type).add(id);
    const name = nameOf(definition, { id });
    if (!recorded.has(name)) recorded.set(name, null);
  }
  /** `-replace` and `replace_triggered_by` replace what the provider would keep. Pulumi's process first plans it with its old values. */
  const leave = (id: string): void => [exclusive, identities].forEach((one) => one.leave(id));
  function replace({ type }: AnyResource, attributes: Attributes, id: string | undefined): void {
    if (id !== undefined) {
      replaced.add(id);
      leave(id);
    }
    const before = creates.get(type);
    if (before) before.push(attributes);
    else creates.set(type, [attributes]);
  }
  return {
    managed,
    managedOf,
    recorded,
    staying: identities.staying,
    kept,
    replaced,
    creates,
    manage,
    record: (definition, attributes, unobserved) => {
      const { id } = attributes;
      if (definition.irreversible) recorded.set(nameOf(definition, { ...attributes, id: null }), null);
      if (typeof id !== "string") return;
      manage(definition, id);
      const isWhole = unobserved !== undefined && !definition.identity.some((name) => unobserved.includes(name));
      if (isWhole) recorded.set(nameOf(definition, { id }), identityKey(definition, attributes));
    },
    keep: (id) => void kept.add(id),
    stay: (definition, id, { attributes, isMarked }) => {
      replaced.delete(id);
      const value = isMarked ? null : exclusiveKey(definition, attributes);
      return {
        twice: definition.list === undefined ? null : identities.stay(id, identityKey(definition, attributes)),
        exclusive: value === null ? null : exclusive.stay(id, value),
      };
    },
    replace,
    leave,
    create: (definition, attributes, { instead, isMarked }) => {
      replace(definition, attributes, instead);
      const [key, value] = [
        comparedKey(definition, attributes),
        isMarked ? null : exclusiveKey(definition, attributes),
      ];
      return {
        twice: key === null ? null : identities.create(key, attributes["allow_duplicate"] === true),
        exclusive: value === null ? null : exclusive.create(value),
      };
    },
    overlap: openOverlaps(replaced),
  };
}

/** One that overlapped before it was planned to be replaced does not count. */
function openOverlaps(replaced: ReadonlySet<string>): TerraformObjects["overlap"] {
  const overlaps = new Map<string, OverlapIndex<string | null>>();
  return (definition, attributes) => {
    const index = overlaps.get(definition.type) ?? overlapIndex(definition);
    overlaps.set(definition.type, index);
    const other = index.find(attributes);
    index.add(attributes, typeof attributes["id"] === "string" ? attributes["id"] : null);
    return typeof other === "string" && replaced.has(other) ? undefined : other;
  };
}

/** The key of the identity of a planned create; null for one that cannot be compared yet. */
function comparedKey(definition: AnyResource, attributes: Attributes): string | null {
  const isUnknown = ["allow_duplicate", ...definition.identity].some((name) => hasUnknown(attributes[name] ?? null));
  return definition.list && !isUnknown ? identityKey(definition, attributes) : null;
}

/** Keys of planned objects, of which each may be in use once. */
function openPlannedKeys() {
  /** Planned creates: whether all with this key allow others. */
  const created = new Map<string, boolean>();
  const staying = new Map<string, string>();
  /** How many objects stay with a key. */
  const counts = new Map<string, number>();
  const count = (key: string, by: number): void => void counts.set(key, (counts.get(key) ?? 0) + by);
  const leave = (id: string): void => {
    const key = staying.get(id);
    if (key !== undefined) count(key, -1);
    staying.delete(id);
  };
  return {
    staying,
    leave,
    /** Whether a planned create has the key, and does not allow that. Two objects that stay may share one. */
    stay: (id: string, key: string): Conflict => {
      leave(id);
      staying.set(id, key);
      count(key, 1);
      return created.get(key) === false ? "created" : null;
    },
    /** Whether another object has the key, and the two do not allow that. */
    create: (key: string, allows = false): Conflict => {
      const others = created.get(key);
      created.set(key, allows && others !== false);
      if (allows ? others === false : others !== undefined) return "created";
      return !allows && (counts.get(key) ?? 0) > 0 ? "stays" : null;
    },
  };
}

/** After this time without a further object, Terraform has shown its state, or waits for an answer of this process. */
const NO_FURTHER_OBJECT_MS = 250;

/** Waits until Terraform shows no further object. */
export async function untilQuiet(
  shown: { readonly size: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  for (let before = -1; before !== shown.size;) {
    before = shown.size;
    await clock.sleep(NO_FURTHER_OBJECT_MS, signal);
  }
}
