import type { World } from "./world.ts";

/** An API key of each kind that the section "Authentication" tells apart; empty where the seed has none. */
export type SandboxKeys = {
  /** The first key that works. */
  readonly good: string;
  /** Another key of the same team. */
  readonly sameTeam: string;
  /** A key that works, of another team. */
  readonly otherTeam: string;
  /** Its user is blocked. */
  readonly blocked: string;
  /** No user is found for it. */
  readonly withoutUser: string;
  /** No key at all. */
  readonly wrong: string;
};

/** The keys of the present records. */
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
