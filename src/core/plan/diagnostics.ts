import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, type Value, isSecretDigest } from "../model/value.ts";

/** An identical object is live that this configuration does not manage: creating would double its events. */
export function unmanagedTwinDiagnostic(
  { noun, type, identity }: Pick<AnyResource, "noun" | "type" | "identity">,
  { address, attributes }: { readonly address: string | null; readonly attributes: Attributes },
  twins: readonly Pick<LiveObject, "id">[],
): Diagnostic {
  const key = identity.flatMap((name) => {
    const value = attributes[name] ?? null;
    return value === null || isSecretDigest(value) ? [] : [`${name} = ${JSON.stringify(value)}`];
  });
  const ids = twins.map(({ id }) => id);
  const [id = ""] = ids;
  const ways =
    address === null
      ? `Import it:\n\n  import {\n    to = ${type}.NAME\n    id = ${JSON.stringify(id)}\n  }\n\nor set allow_duplicate = true to create another one.`
      : ids.length > 1
        ? `Take one of them over: outreach import '${address}' ID\nor set allow_duplicate: true to create another one.`
        : `Run: outreach import '${address}' ${id}\nor have all that are certain taken over with --adopt, or set allow_duplicate: true to create another one.`;
  return {
    code: "unmanaged_twin",
    severity: "error",
    summary: `An identical unmanaged ${noun} exists`,
    detail: `${ids.join(", ")} ${ids.length > 1 ? "are" : "is"} live with the same ${key.join(", ")}, and ${ids.length > 1 ? "are" : "is"} not managed by this configuration. A second one would deliver every event twice.`,
    hint: ways,
    ...(address === null ? {} : { address }),
  };
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
  { address, isDeclared, because }: { readonly address: string; readonly isDeclared: boolean; /** Of a replace. */ readonly because: readonly string[] | null },
): Diagnostic {
  const what = because === null ? "deleted" : because.length === 0 ? "replaced" : `replaced, because of ${because.join(", ")}`;
  return {
    code: "protected",
    severity: "error",
    summary: `A protected ${noun} would be lost`,
    detail: `${address} is protected, but would be ${what}.`,
    hint: isDeclared
      ? "Undo the change, or set protect: false in its block if it is meant."
      : "Put its block back. To delete it, set protect: false there, apply, and then remove the block.",
    address,
  };
}

export function lookupChangedDiagnostic(
  { noun }: AnyResource,
  changed: {
    readonly address: string;
    readonly attribute: string;
    readonly lookup: string;
    readonly before: Value;
    readonly after: Value;
  },
): Diagnostic {
  const { address, attribute, lookup, before, after } = changed;
  return {
    code: "lookup_changed",
    severity: "error",
    summary: "A name now finds another campaign",
    detail: `${lookup} found ${JSON.stringify(before)} before and now finds ${JSON.stringify(after)}. A ${noun} cannot be undone, so it is not sent to another campaign without a word.`,
    hint: `If the other campaign is meant, run again with --allow-campaign-change.`,
    address,
    path: [attribute],
  };
}
