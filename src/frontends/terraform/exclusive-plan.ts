import type { AnyResource } from "../../core/model/definition.ts";
import type { Attributes } from "../../core/model/value.ts";
import { exclusiveKey } from "../../core/plan/identity.ts";

/** The values of exclusive attributes in the plan under way, as far as Terraform has shown it: it plans one resource after the other. */
export interface ExclusivePlan {
  /** Notes a create. True if another create has its value, or an object that stays. */
  creates(definition: AnyResource, attributes: Attributes): boolean;
  /** Notes that no request changes this object. True if a create has its value: objects that stay may share one. */
  stays(definition: AnyResource, id: string, attributes: Attributes): boolean;
  /** Notes that an object is replaced, although it was to stay. */
  replaces(id: string): void;
}

export function openExclusivePlan(): ExclusivePlan {
  const created = new Set<string>();
  const staying = new Map<string, string>();
  /** How many objects stay with a value. */
  const counts = new Map<string, number>();
  const count = (key: string, by: number): void => void counts.set(key, (counts.get(key) ?? 0) + by);
  const leave = (id: string): void => {
    const key = staying.get(id);
    if (key !== undefined) count(key, -1);
    staying.delete(id);
  };
  return {
    creates: (definition, attributes) => {
      const key = exclusiveKey(definition, attributes);
      if (key === null) return false;
      const isTaken = created.has(key) || (counts.get(key) ?? 0) > 0;
      created.add(key);
      return isTaken;
    },
    stays: (definition, id, attributes) => {
      const key = exclusiveKey(definition, attributes);
      if (key === null) return false;
      leave(id);
      staying.set(id, key);
      count(key, 1);
      return created.has(key);
    },
    replaces: leave,
  };
}
