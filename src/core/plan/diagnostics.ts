import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, type Value, isSecretDigest } from "../model/value.ts";

/** An identical object is live that this configuration does not manage: creating would double its events. */
export function unmanagedDuplicateDiagnostic(
  { noun, type, identity }: Pick<AnyResource, "noun" | "type" | "identity">,
  wanted: {
    readonly address: string | null;
    readonly attributes: Attributes;
    /** The address has an object of its own already, which is to be replaced, or which is gone. */
    readonly recorded?: "live" | "gone";
  },
  duplicates: readonly LiveObject[],
): Diagnostic {
  const { address, attributes, recorded } = wanted;
  const key = identity.flatMap((name) => {
    const value = attributes[name] ?? null;
    return value === null || isSecretDigest(value) ? [] : [`${name} = ${JSON.stringify(value)}`];
  });
  const ids = duplicates.map(({ id }) => id);
  const unseen = unseenOf({ identity }, duplicates);
  const isDoubtful = address !== null && recorded !== "live" && duplicates.length === 1 && unseen.length > 0;
  const doubt = isDoubtful ? ` The list does not show its ${unseen.join(", ")}, so that it may be another one: --adopt leaves it alone.` : "";
  return {
    code: "unmanaged_duplicate",
    severity: "error",
    summary: `An identical unmanaged ${noun} exists`,
    detail: `${ids.join(", ")} ${ids.length > 1 ? "are" : "is"} live with the same ${key.join(", ")}, and ${ids.length > 1 ? "are" : "is"} ${address === null ? "not known to be" : "not"} managed by this configuration. A second one would deliver every event twice.${doubt}`,
    hint: waysOn({ type, identity }, wanted, duplicates),
    ...(address === null ? {} : { address }),
  };
}

/** Whether it is the only one that it can be, and everything that tells objects apart is seen of it. */
export function isCertainDuplicate({ identity }: Pick<AnyResource, "identity">, duplicates: readonly LiveObject[]): boolean {
  return duplicates.length === 1 && unseenOf({ identity }, duplicates).length === 0;
}

function unseenOf({ identity }: Pick<AnyResource, "identity">, [duplicate]: readonly LiveObject[]): readonly string[] {
  return identity.filter((name) => duplicate?.attributes[name] === undefined);
}

/** With two owners each takes the other's changes for drift, and undoes them. */
const OTHER_OWNER = "If another state has it, Terraform's or another configuration's, have it let go there first.";

function waysOn(
  { type, identity }: Pick<AnyResource, "type" | "identity">,
  { address, recorded }: { readonly address: string | null; readonly recorded?: "live" | "gone" },
  duplicates: readonly LiveObject[],
): string {
  const ids = duplicates.map(({ id }) => id);
  const [id = ""] = ids;
  const another = "set allow_duplicate: true to create another one.";
  if (address === null)
    return `Import it, with the address of this resource:\n\n  import {\n    to = ${type}.NAME\n    id = ${JSON.stringify(id)}\n  }\n\nIf another resource, another workspace or the outreach command has it already, take one of the two out instead. allow_duplicate = true creates another one.`;
  if (recorded === "live") return `Find out whose ${ids.length > 1 ? "they are" : "it is"}. Have ${ids.length > 1 ? "them" : "it"} removed, or ${another}`;
  const release = recorded === "gone" ? `outreach state rm '${address}' && ` : "";
  if (ids.length > 1) return `Take one of them over: ${release}outreach import '${address}' ID\nor ${another}\n${OTHER_OWNER}`;
  const adopt = isCertainDuplicate({ identity }, duplicates) ? "have all that are certain taken over with --adopt, or " : "";
  return `Run: ${release}outreach import '${address}' ${id}\nor ${adopt}${another}\n${OTHER_OWNER}`;
}

export function declaredTwiceDiagnostic({ noun, identity }: AnyResource, first: Declaration, second: Declaration): Diagnostic {
  const place = second.locate([]);
  return {
    code: "declared_twice",
    severity: "error",
    summary: `The same ${noun} is declared twice`,
    detail: `${second.address} and ${first.address} have the same ${identity.join(", ")}: each event would be delivered twice.`,
    hint: "Remove one, or set allow_duplicate: true in both.",
    address: second.address,
    ...(place ? { place } : {}),
  };
}

export function maybeTruncatedDiagnostic({ noun }: AnyResource, { address, id }: RecordedInstance): Diagnostic {
  return {
    code: "list_maybe_truncated",
    severity: "error",
    summary: `A ${noun} is missing from a list that may be cut off`,
    detail: `${String(id)} is not in the service's list, but the list ignores paging and its length is a multiple of 10, so there may be more. Creating it again could double it.`,
    hint: "When you are sure that it is gone, run again with --allow-recreate.",
    address,
  };
}

export function protectedDiagnostic(
  { noun }: AnyResource,
  given: {
    readonly address: string;
    readonly isDeclared: boolean;
    /** Of a replace. */ readonly because: readonly string[] | null;
    readonly destroy: boolean;
  },
): Diagnostic {
  const { address, isDeclared, because, destroy } = given;
  const what = because === null ? "deleted" : because.length === 0 ? "replaced" : `replaced, because of ${because.join(", ")}`;
  return {
    code: "protected",
    severity: "error",
    summary: `A protected ${noun} would be lost`,
    detail: `${address} is protected, but would be ${what}.`,
    hint: protectionHint(isDeclared, destroy),
    address,
  };
}

function protectionHint(isDeclared: boolean, destroy: boolean): string {
  if (isDeclared) return `${destroy ? "Set" : "Undo the change, or set"} protect: false in its block if it is meant.`;
  if (destroy) return "Set protect: false in its block, apply, and then destroy.";
  return "Put its block back. To delete it, set protect: false there, apply, and then remove the block.";
}

export function lookupChangedDiagnostic(
  { noun }: AnyResource,
  changed: {
    readonly address: string;
    readonly attribute: string;
    readonly lookup: string;
    readonly before: Value;
    readonly after: Value;
    /** How many more of its block are stopped by the same. */
    readonly more: number;
  },
): Diagnostic {
  const { address, attribute, lookup, before, after, more } = changed;
  const others = more === 0 ? "" : ` ${address} is stopped, and ${String(more)} more of its block.`;
  return {
    code: "lookup_changed",
    severity: "error",
    summary: "A name now finds another campaign",
    detail: `${lookup} found ${JSON.stringify(before)} before and now finds ${JSON.stringify(after)}. A ${noun} cannot be undone, so none is sent to another campaign without a word.${others}`,
    hint: `If the other campaign is meant, run again with --allow-campaign-change.`,
    address,
    path: [attribute],
  };
}
