import { firstFew } from "../model/words.ts";
import type { Catalog } from "../model/definition.ts";
import { type Diagnostic, DiagnosticsError, errorOf } from "../model/diagnostic.ts";
import type { WayOut } from "../model/way-out.ts";
import type { StateDocument } from "./document.ts";

const MAX_ADDRESSES = 10;

/** Throws for records of resource types that the catalog does not have, as a newer version may write them. */
export function assertKnownTypes(
  { resources }: Catalog,
  { instances, pending, lostCreates }: Pick<StateDocument, "instances" | "pending" | "lostCreates">,
): void {
  const intents = pending.flatMap((event) => (event.kind === "intent" ? [event] : []));
  const unknown = [...instances, ...intents, ...lostCreates].filter(({ type }) =>
    resources.every((definition) => definition.type !== type),
  );
  if (unknown.length === 0) return;
  const recorded = new Set(instances.map(({ address }) => address));
  const types = [...new Set(unknown.map(({ type }) => type))];
  throw new DiagnosticsError(
    types.map((type) => {
      const addresses = [
        ...new Set(unknown.flatMap((one) => (one.type === type && one.address !== null ? [one.address] : []))),
      ];
      return unknownType(type, addresses, recorded);
    }),
  );
}

function unknownType(type: string, addresses: readonly string[], recorded: ReadonlySet<string>): Diagnostic {
  const subject = firstFew(addresses, MAX_ADDRESSES) || "A lost create";
  return errorOf("record_type_unknown", "Unknown resource type in the state", {
    detail: `${subject} ${addresses.length > 1 ? "have" : "has"} the resource type ${type}, which this version does not support. A newer version may have recorded it. Nothing was sent.`,
    hint: "Use the version that recorded it. Or stop managing it: the object stays.",
    ways: addresses
      .slice(0, MAX_ADDRESSES)
      .flatMap((address): WayOut[] => (recorded.has(address) ? [{ kind: "remove-record", address, type }] : [])),
  });
}
