import { firstFew } from "../model/words.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../model/diagnostic.ts";
import type { WayOut } from "../model/way-out.ts";

/*
 * Problems with an attribute whose values the service allows one object each. None shows a value of that attribute: it may be
 * sensitive.
 */

const SHOWN_ADDRESSES = 5;

/** Several new objects with one value. */
export function exclusiveTwice(definition: AnyResource, addresses: readonly string[]): Diagnostic {
  const { plural, type } = definition;
  const [, second = ""] = addresses;
  const attribute = attributeOf(definition);
  return errorOf("exclusive_twice", `Several ${plural} with one ${attribute}`, {
    detail: `${firstFew(addresses, SHOWN_ADDRESSES)} would have the same ${attribute}. ${ruleText(definition)}. Nothing was sent.`,
    ways: [{ kind: "distinguish", address: second, type, attribute }],
    address: second,
    path: [attribute],
  });
}

/** Several new objects with one value, on a service that may allow it. */
export function exclusiveShared(definition: AnyResource, addresses: readonly string[]): Diagnostic {
  const { noun, plural, type } = definition;
  const [, second = ""] = addresses;
  const attribute = attributeOf(definition);
  return warningOf(`shared_${attribute}`, `Several ${plural} with one ${attribute}`, {
    detail: `${firstFew(addresses, SHOWN_ADDRESSES)} would have the same ${attribute}. Some services allow one ${noun} per ${attribute}, and answer 409 to the others.`,
    ways: [{ kind: "distinguish", address: second, type, attribute }, { kind: "set-exclusive" }],
    address: second,
    path: [attribute],
  });
}

/** A new object whose value a live one already has. */
interface Taken {
  /** Null where the frontend does not know it. */
  readonly address: string | null;
  readonly holder: LiveObject;
  /** What manages the holder, such as its address; null if nothing does. */
  readonly owner: string | null;
  /** Whether it is what the new object would be, as far as the list shows it. */
  readonly isIdentical: boolean;
}

/** A live object has the value, and stays. */
export function exclusiveTaken(definition: AnyResource, taken: Taken): Diagnostic {
  const attribute = attributeOf(definition);
  const { address, owner } = taken;
  const stays = owner === null || address === null ? "" : " This plan does not delete it first.";
  return errorOf("exclusive_taken", `Another ${definition.noun} has this ${attribute}`, {
    detail: `${holderText(definition, taken)}${stays} ${ruleText(definition)}. Nothing was sent.`,
    ways: waysAround(definition, taken),
    path: [attribute],
    ...(address === null ? {} : { address }),
  });
}

/** Which object has the value, and what manages it. */
export function holderText(definition: AnyResource, { address, holder, owner }: Omit<Taken, "isIdentical">): string {
  const { identity } = definition;
  const attribute = attributeOf(definition);
  const shown = identity.flatMap((name) => {
    const value = holder.attributes[name];
    return name === attribute || value === undefined ? [] : [`${name} = ${JSON.stringify(value)}`];
  });
  const unmanaged =
    address === null ? "it is not known to be managed by this configuration" : "this configuration does not manage it";
  const managed = owner === null ? unmanaged : `${owner} manages it`;
  return `${holder.id}${shown.length > 0 ? ` (${shown.join(", ")})` : ""} has this ${attribute}, and ${managed}.`;
}

/** A value of its own is always a way. What nobody manages can be imported if it is identical, or deleted by hand. */
export function waysAround(
  definition: AnyResource,
  { address, holder: { id }, owner, isIdentical }: Taken,
): readonly WayOut[] {
  const { type } = definition;
  const attribute = attributeOf(definition);
  const another: WayOut = {
    kind: "distinguish",
    address,
    type,
    attribute,
    ...(owner !== null && owner === address ? { isReplaced: true } : {}),
  };
  if (owner !== null) return address === null ? [{ kind: "delete-first", attribute }, another] : [another];
  return [
    ...(isIdentical ? [{ kind: "import", address, type, ids: [id] } as const] : []),
    { kind: "delete-foreign", id },
    another,
  ];
}

/** Replaces of one block that create first would need the old and the new objects at once. */
export function exclusiveCreateFirst(definition: AnyResource, addresses: readonly string[]): Diagnostic {
  const { noun, plural, type } = definition;
  const [address = ""] = addresses;
  const attribute = attributeOf(definition);
  const [are, news, olds] = addresses.length > 1 ? (["are", plural, "ones"] as const) : (["is", noun, "one"] as const);
  return errorOf("exclusive_create_first", `The new ${news} cannot exist next to the old ${olds}`, {
    detail: `${firstFew(addresses, SHOWN_ADDRESSES)} ${are} replaced by creating the new ${news} first, with an unchanged ${attribute}. ${ruleText(definition)}. Nothing was sent.`,
    ways: [
      { kind: "set-attribute", address, type, attribute: "rotation", value: "delete_first" },
      { kind: "distinguish", address, type, attribute, isReplaced: true },
    ],
    address,
    path: [attribute],
  });
}

function attributeOf({ exclusive, type }: AnyResource): string {
  if (exclusive === undefined) throw new Error(`${type} has no exclusive attribute`);
  return exclusive;
}

export function ruleText(definition: AnyResource): string {
  return `The service allows one ${definition.noun} per ${attributeOf(definition)}`;
}
