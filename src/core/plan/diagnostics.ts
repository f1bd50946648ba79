import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Attributes, isSecretDigest } from "../model/value.ts";

/** An identical object is live that this configuration does not manage: creating would double its events. */
export function unmanagedTwinDiagnostic(
  { noun, type, identity }: Pick<AnyResource, "noun" | "type" | "identity">,
  { address, attributes }: { readonly address: string | null; readonly attributes: Attributes },
  live: Pick<LiveObject, "id">,
): Diagnostic {
  const key = identity.flatMap((name) => {
    const value = attributes[name] ?? null;
    return value === null || isSecretDigest(value) ? [] : [`${name} = ${JSON.stringify(value)}`];
  });
  const ways =
    address === null
      ? `Import it:\n\n  import {\n    to = ${type}.NAME\n    id = ${JSON.stringify(live.id)}\n  }\n\nor set allow_duplicate = true to create another one.`
      : `Run: outreach import '${address}' ${live.id}\nor set allow_duplicate: true to create another one.`;
  return {
    code: "unmanaged_twin",
    severity: "error",
    summary: `An identical unmanaged ${noun} exists`,
    detail: `${live.id} is live with the same ${key.join(", ")}, and is not managed by this configuration. A second one would deliver every event twice.`,
    hint: ways,
    ...(address === null ? {} : { address }),
  };
}
