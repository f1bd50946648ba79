import type { AnyResource } from "./definition.ts";
import type { Attributes } from "./value.ts";

type Identified = Pick<AnyResource, "identity">;

/** The import id of an object that cannot be listed: the attributes of its identity, joined by `/`, as in `CAMPAIGN_ID/EMAIL`. */
export function identityText({ identity }: Identified, attributes: Attributes): string {
  return identity.map((name) => partText(attributes[name])).join("/");
}

/** The attributes that such an id names; null where it has too few parts. Only the last one may contain a `/`. */
export function parseIdentityText({ identity }: Identified, text: string): Attributes | null {
  const parts = text.split("/");
  const last = identity.length - 1;
  if (parts.length <= last) return null;
  return Object.fromEntries(
    identity.map((name, index) => [name, index < last ? (parts[index] ?? "") : parts.slice(last).join("/")]),
  );
}

function partText(value: Attributes[string] | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
