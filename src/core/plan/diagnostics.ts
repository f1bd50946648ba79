import { firstFew } from "../model/words.ts";
import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../model/diagnostic.ts";
import { type Attributes, type Value, isSecretDigest } from "../model/value.ts";
import type { WayOut } from "../model/way-out.ts";
import { alike, differingAttributes } from "./differing-attributes.ts";

interface Wanted {
  /** Null where the frontend does not know it. */
  readonly address: string | null;
  readonly attributes: Attributes;
  /** The address has an object of its own, which is to be replaced or is gone. */
  readonly recorded?: "live" | "gone";
}

/** An identical object is live that this configuration does not manage: a create would make a duplicate. */
export function unmanagedDuplicateDiagnostic(
  definition: AnyResource,
  wanted: Wanted,
  duplicates: readonly LiveObject[],
): Diagnostic {
  const { noun, identity, effects } = definition;
  const { address, attributes, recorded } = wanted;
  const key = identity.flatMap((name) => {
    const value = attributes[name] ?? null;
    if (value === null || isSecretDigest(value)) return [];
    // A frontend without addresses does not learn which values are sensitive either.
    return [address === null ? name : `${name} = ${JSON.stringify(value)}`];
  });
  const ids = duplicates.map(({ id }) => id);
  const [are, them] = ids.length > 1 ? ["are", "them"] : ["is", "it"];
  const unmanaged =
    address === null
      ? `${are} not known to be managed by this configuration`
      : `this configuration does not manage ${them}`;
  const unseen = unseenOf(definition, duplicates);
  const isDoubtful = address !== null && recorded !== "live" && ids.length === 1 && unseen.length > 0;
  const differing = differingIn(definition, attributes, duplicates);
  return errorOf(
    "unmanaged_duplicate",
    differing.length > 0 ? `A similar unmanaged ${noun} exists` : `An identical unmanaged ${noun} exists`,
    {
      detail: [
        `${ids.join(", ")} ${are} live with the same ${key.join(", ")}${differing.length > 0 ? ` and another ${differing.join(" and ")}` : ""}, and ${unmanaged}.`,
        ...(effects ? [`With a duplicate, ${effects.duplicate}.`] : []),
        ...(differing.length > 0 && recorded !== "live"
          ? [`It is not identical, so it is never adopted without its id, and an import replaces it.`]
          : []),
        ...markedByOthers(duplicates),
        ...(isDoubtful
          ? [
              `The list does not show its ${unseen.join(", ")}, so it may be a different one, and is never adopted without its id.`,
            ]
          : []),
      ].join(" "),
      ...(recorded === "live"
        ? { hint: `Find out who created ${them}, and delete ${them} if nobody needs ${them}.` }
        : {}),
      ways: waysOut(definition, wanted, duplicates),
      ...(address === null ? {} : { address }),
    },
  );
}

/** What carries the mark of a recorded object is managed. */
function markedByOthers(duplicates: readonly LiveObject[]): readonly string[] {
  const ids = duplicates.flatMap(({ id, mark }) => (mark === undefined ? [] : [id]));
  return ids.length === 0
    ? []
    : [
        `${ids.join(", ")} ${ids.length === 1 ? "carries" : "carry"} the mark of another state, or of a create that was given up.`,
      ];
}

/** The only candidate that shows no value that differs from `wanted`, if the list shows everything that tells objects apart; otherwise null. */
export function certainDuplicate(
  definition: AnyResource,
  wanted: Attributes,
  duplicates: readonly LiveObject[],
): LiveObject | null {
  const [only, ...others] = alike(definition, wanted, duplicates);
  return only && others.length === 0 && unseenOf(definition, [only]).length === 0 ? only : null;
}

/** The attributes in which all of them differ from what is wanted, so that none is identical; none if one is. */
function differingIn(
  definition: AnyResource,
  wanted: Attributes,
  duplicates: readonly LiveObject[],
): readonly string[] {
  if (alike(definition, wanted, duplicates).length > 0) return [];
  return [...new Set(duplicates.flatMap((object) => differingAttributes(definition, wanted, object)))];
}

function unseenOf({ identity }: AnyResource, [duplicate]: readonly LiveObject[]): readonly string[] {
  return identity.filter((name) => duplicate?.attributes[name] === undefined);
}

/** An object with two owners never comes to rest: each takes the other's changes for drift, and undoes them. */
function waysOut(
  definition: AnyResource,
  { address, attributes, recorded }: Wanted,
  duplicates: readonly LiveObject[],
): readonly WayOut[] {
  const { type } = definition;
  const another: WayOut = { kind: "allow-duplicate", addresses: [address] };
  if (recorded === "live") return [another];
  const ids = duplicates.map(({ id }) => id);
  return [
    { kind: "import", address, type, ids, ...(recorded === "gone" ? { replacesRecord: true } : {}) },
    ...(address !== null && certainDuplicate(definition, attributes, duplicates)
      ? [{ kind: "adopt-certain" } as const]
      : []),
    another,
    { kind: "remove-elsewhere" },
  ];
}

interface Doubled {
  /** Null where the frontend does not know it. */
  readonly address: string | null;
  readonly attributes: Attributes;
  readonly duplicates: readonly LiveObject[];
}

/** An object of this configuration has an unmanaged duplicate, which may have been created at the same time. */
export function standingDuplicateDiagnostic(
  definition: AnyResource,
  { address, attributes, duplicates }: Doubled,
): Diagnostic {
  const { noun, type, identity, effects } = definition;
  const ids = duplicates.map(({ id }) => id);
  const unseen = unseenOf(definition, duplicates);
  const differing = differingIn(definition, attributes, duplicates);
  const isCertain = unseen.length === 0 && differing.length === 0;
  const [are, them] = ids.length > 1 ? ["are", "them"] : ["is", "it"];
  const seen = identity.filter((name) => !unseen.includes(name)).join(", ");
  const of = `the same ${seen} as ${address ?? `this ${noun}`}, and this configuration does not manage ${them}`;
  const doubt = effects
    ? `If ${ids.length > 1 ? "they are duplicates" : "it is a duplicate"}, ${effects.duplicate}.`
    : "";
  return warningOf(
    "duplicate_live",
    `${differing.length > 0 ? "A similar" : "An identical"} unmanaged ${noun} is live`,
    {
      detail: [
        `${ids.join(", ")} ${are} live with ${of}${effects && isCertain ? `: ${effects.duplicate}` : ""}.`,
        ...(differing.length > 0 ? [`The list shows another ${differing.join(" and ")} of ${them}.`] : []),
        ...(unseen.length > 0
          ? [`The list does not show its ${unseen.join(", ")}, so it may be a different one.`]
          : []),
        ...markedByOthers(duplicates),
        ...(isCertain ? [] : [doubt]),
      ]
        .join(" ")
        .trim(),
      hint: `Another configuration or another run may have created ${them}. Find out who needs ${them}, and delete ${them} if nobody does.`,
      ways: [
        { kind: "allow-duplicate", addresses: [address], isLive: true },
        ...ids.map((id, index): WayOut => ({
          kind: "import",
          address: besides(address, index),
          type,
          ids: [id],
          isUndeclared: true,
        })),
        { kind: "remove-elsewhere" },
      ],
      ...(address === null ? {} : { address }),
    },
  );
}

/** An address of its own for a duplicate. */
function besides(address: string | null, index: number): string | null {
  return address === null ? null : `${blockOf(address)}-${String(index + 2)}`;
}

const SHOWN_DUPLICATES = 10;

/** One warning about many managed objects that have identical ones. */
export function standingDuplicatesDiagnostic(
  { noun, plural, effects }: AnyResource,
  doubled: readonly Doubled[],
): Diagnostic {
  const shown = doubled.map(
    ({ address, duplicates }) => `${address ?? noun} (${duplicates.map(({ id }) => id).join(", ")})`,
  );
  return warningOf("duplicate_live", `Identical unmanaged ${plural} are live`, {
    detail: `${String(doubled.length)} managed ${plural} have identical ones that this configuration does not manage: ${firstFew(shown, SHOWN_DUPLICATES)}.${effects ? ` With a duplicate, ${effects.duplicate}.` : ""}`,
    hint: "The same configuration may also be applied from another folder, with another state. Find out who needs the others, and delete them if nobody does.",
    ways: [
      { kind: "list-live" },
      {
        kind: "allow-duplicate",
        addresses: doubled.slice(0, SHOWN_DUPLICATES).map(({ address }) => address),
        isLive: true,
      },
    ],
  });
}

export function declaredTwiceDiagnostic(
  { noun, identity, effects }: AnyResource,
  first: Declaration,
  second: Declaration,
): Diagnostic {
  return errorOf("declared_twice", `The same ${noun} is declared twice`, {
    detail: `${second.address} and ${first.address} have the same ${identity.join(", ")}${effects ? `: ${effects.duplicate}` : ""}.`,
    hint: "Remove one of them.",
    ways: [{ kind: "allow-duplicate", addresses: [first.address, second.address] }],
    address: second.address,
    place: second.locate([]),
  });
}

export function protectedDiagnostic(
  { noun, type }: AnyResource,
  given: {
    readonly address: string;
    readonly isDeclared: boolean;
    /** The reasons of a replace. */ readonly because: readonly string[] | null;
    readonly destroy: boolean;
  },
): Diagnostic {
  const { address, isDeclared, because, destroy } = given;
  const what =
    because === null ? "deleted" : because.length === 0 ? "replaced" : `replaced, because of ${because.join(", ")}`;
  const hint = protectionHint(isDeclared, destroy);
  return errorOf("protected", `A protected ${noun} would be lost`, {
    detail: `${address} is protected, but would be ${what}.`,
    ...(hint === null ? {} : { hint }),
    ways: [{ kind: "set-attribute", address, type, attribute: "protect", value: false }],
    address,
  });
}

/** What has to happen in addition to lifting the protection. */
function protectionHint(isDeclared: boolean, destroy: boolean): string | null {
  if (isDeclared) return destroy ? null : "Undo the change, or lift the protection:";
  if (destroy) return "Put its block back, lift the protection, apply, and then destroy:";
  return "Put its block back. To delete it, lift the protection there, apply, and then remove the block:";
}

export function lookupChangedDiagnostic(
  { noun, schema }: AnyResource,
  changed: {
    readonly address: string;
    readonly attribute: string;
    readonly lookup: string;
    readonly before: Value;
    readonly after: Value;
    /** How many more of its block the same change stops. */
    readonly more: number;
  },
): Diagnostic {
  const { address, attribute, lookup, before, after, more } = changed;
  const found = schema[attribute]?.refersTo?.yaml ?? "object";
  const others = more === 0 ? "" : ` This stops ${address} and ${String(more)} more of its block.`;
  return errorOf("lookup_changed", `A name now finds another ${found}`, {
    detail: `${lookup} found ${JSON.stringify(before)} before and now finds ${JSON.stringify(after)}. No documented request undoes a ${noun}, so none is sent for another ${found} without confirmation.${others}`,
    ways: [{ kind: "allow", guard: "lookup-change", limit: null }],
    address,
    path: [attribute],
  });
}
