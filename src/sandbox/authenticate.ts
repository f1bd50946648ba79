import { Buffer } from "node:buffer";
import type { ErrorName } from "./choices.ts";
import type { World } from "./world.ts";

/** The key in the `Authorization` header; `malformed`: the header exists but is not in the documented form. */
export type PresentedKey =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "key"; readonly key: string };

/**
 * Reads the header in the form of the section "Authentication", 2: `Basic` and the base64 of `:<API_KEY>`,
 * with an empty login and the mandatory leading colon. An empty password counts as no key.
 */
export function readKey(header: string | undefined): PresentedKey {
  if (header === undefined || header.trim() === "") return { kind: "none" };
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1];
  if (encoded === undefined) return { kind: "malformed" };
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  if (decoded === ":") return { kind: "none" };
  return decoded.startsWith(":") ? { kind: "key", key: decoded.slice(1) } : { kind: "malformed" };
}

/** The key's team, or the reason for refusing the key (section "Authentication", 4). */
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

/** An API key for each case of the section "Authentication"; empty if the seed has no such key. */
export type SandboxKeys = {
  /** The first valid key. */
  readonly good: string;
  /** Another key of the same team. */
  readonly sameTeam: string;
  /** A valid key of another team. */
  readonly otherTeam: string;
  /** A key whose user is blocked. */
  readonly blocked: string;
  /** A key without a user. */
  readonly withoutUser: string;
  /** A text that is no key. */
  readonly wrong: string;
};

/** The keys of the current records. */
export function sandboxKeys(world: World): SandboxKeys {
  const keys = [...world.keys.values()].map((record) => ({
    key: record.key,
    user: record.userId === null ? undefined : world.users.get(record.userId),
  }));
  const working = keys.filter(({ user }) => user && !user.blocked);
  const good = working[0];
  const text = (found: { readonly key: string } | undefined): string => found?.key ?? "";
  return {
    good: text(good),
    sameTeam: text(working.find((one) => one !== good && one.user?.teamId === good?.user?.teamId)),
    otherTeam: text(working.find((one) => one.user?.teamId !== good?.user?.teamId)),
    blocked: text(keys.find(({ user }) => user?.blocked)),
    withoutUser: text(keys.find(({ user }) => !user)),
    wrong: "sandbox-key-wrong",
  };
}
