import { Buffer } from "node:buffer";
import type { ErrorName } from "./choices.ts";
import type { World } from "./world.ts";

/** What the `Authorization` header holds; `malformed` is present but not the documented form. */
export type PresentedKey = { readonly kind: "none" } | { readonly kind: "malformed" } | { readonly kind: "key"; readonly key: string };

/**
 * Reads the header as the section "Authentication", 2, has it: `Basic` and the base64 of `:<API_KEY>`,
 * the login always empty, the leading colon mandatory. An empty password is no key.
 */
export function readKey(header: string | undefined): PresentedKey {
  if (header === undefined || header.trim() === "") return { kind: "none" };
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1];
  if (encoded === undefined) return { kind: "malformed" };
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  if (decoded === ":") return { kind: "none" };
  return decoded.startsWith(":") ? { kind: "key", key: decoded.slice(1) } : { kind: "malformed" };
}

/** The team that a key speaks for, or why it is refused (section "Authentication", 4). */
export function authenticate(
  world: World,
  presented: PresentedKey,
): { readonly kind: "team"; readonly teamId: string } | { readonly kind: "refused"; readonly error: ErrorName } {
  if (presented.kind === "none") return { kind: "refused", error: "noKey" };
  const record = presented.kind === "key" ? world.keys.get(presented.key) : undefined;
  if (!record) return { kind: "refused", error: "wrongKey" };
  const user = record.userId === null ? undefined : world.users.get(record.userId);
  if (!user) return { kind: "refused", error: "noUser" };
  return user.blocked ? { kind: "refused", error: "blockedUser" } : { kind: "team", teamId: user.teamId };
}
