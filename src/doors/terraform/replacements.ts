import type { AnyResource } from "../../core/model/definition.ts";
import { type Attributes, hasUnknown } from "../../core/model/value.ts";
import { identityKey } from "../../core/plan/identity.ts";
import type { ReplacedMarks } from "./replaced-marks.ts";

/**
 * Finds, while a plan is made, the objects that Terraform replaces for reasons of its own. It does not say so: for a
 * tainted object it asks at once as for a new one, and for `-replace` it asks a second time as for a new one.
 */
export interface Replacements {
  /** Terraform has this object in its state. */
  has(definition: AnyResource, attributes: Attributes): void;
  /** Terraform has asked what becomes of this object, so that it is not tainted. */
  askedFor(id: string): Promise<void>;
  /** Terraform asks for a new object; `instead` is the id that it asked for before, where its question shows that. */
  creates(definition: AnyResource, wanted: Attributes, instead: string | undefined): Promise<void>;
}

export function openReplacements(marks: ReplacedMarks): Replacements {
  const idsByKey = new Map<string, Set<string>>();
  const asked = new Set<string>();
  /** Questions come side by side: a mark is made, and taken back, in the order of what is known. */
  let lastChange: Promise<void> = Promise.resolve();
  const change = (work: () => Promise<void>): Promise<void> => (lastChange = lastChange.then(work));
  return {
    has: (definition, attributes) => {
      const { id } = attributes;
      if (typeof id !== "string" || !definition.list) return;
      const key = identityKey(definition, attributes);
      idsByKey.set(key, (idsByKey.get(key) ?? new Set()).add(id));
    },
    askedFor: async (id) => {
      asked.add(id);
      await change(() => marks.stays(id));
    },
    creates: async (definition, wanted, instead) => {
      if (!definition.list || definition.identity.some((name) => hasUnknown(wanted[name] ?? null))) return;
      for (const id of idsByKey.get(identityKey(definition, wanted)) ?? []) {
        if (id !== instead && asked.has(id)) continue;
        await change(() => (id === instead ? marks.add(id) : marks.guess(id)));
      }
    },
  };
}
