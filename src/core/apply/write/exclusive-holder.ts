import type { AnyResource, LiveObject } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { exclusiveTaken, holderText, ruleText, waysAround } from "../../plan/exclusive-diagnostics.ts";
import type { LiveIndex } from "../../plan/live-index.ts";
import type { Creation, WriteContext } from "./write-context.ts";

/** What a create would be rejected for, before it is sent: another object has its exclusive value. `deletes`: the object that the same write deletes first. */
export async function blockedByHolder(
  definition: AnyResource,
  { creation, deletes = null }: { readonly creation: Creation; readonly deletes?: string | null },
  context: WriteContext,
): Promise<Diagnostic | null> {
  const { live, exclusive, signal } = context;
  if (!exclusive || definition.exclusive === undefined || creation.mark !== undefined || !definition.list) return null;
  const holder = (await live.holders(creation.attributes, signal)).find(({ id }) => id !== deletes);
  if (!holder) return null;
  const isIdentical = (await live.duplicates(creation.attributes, signal)).includes(holder);
  return exclusiveTaken(definition, {
    address: creation.address,
    holder,
    owner: ownerOf(holder, context),
    isIdentical,
  });
}

/** After a conflict: names the object that has the exclusive value, if the list shows one. */
export function namingHolder(
  definition: AnyResource,
  {
    creation,
    diagnostic,
    index,
  }: { readonly creation: Creation; readonly diagnostic: Diagnostic; readonly index: LiveIndex },
  context: WriteContext,
): Diagnostic {
  const [holder] = definition.exclusive === undefined ? [] : index.holders(creation.attributes);
  if (!holder) return diagnostic;
  const owner = ownerOf(holder, context);
  const isIdentical = index.duplicates(creation.attributes).includes(holder);
  return {
    ...diagnostic,
    detail: `${diagnostic.detail} ${holderText(definition, { address: creation.address, holder, owner })} ${ruleText(definition)}.`,
    ways: [
      ...waysAround(definition, { address: creation.address, holder, owner, isIdentical }),
      ...(context.exclusive ? [] : [{ kind: "set-exclusive" } as const]),
    ],
  };
}

/** The address that manages an object, or that something does; null if nothing is known to. */
function ownerOf({ id }: LiveObject, { addressOf, isManaged }: WriteContext): string | null {
  return addressOf?.(id) ?? (isManaged(id) ? "this configuration" : null);
}
