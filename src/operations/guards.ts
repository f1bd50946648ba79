import type { Guard } from "../core/model/guard.ts";

/**
 * The guards as users name them: `--allow-NAME` of the command, NAME in `allow` of the library. `allows`: what it does then, as help says it.
 * `condition`: when users should.
 */
export const GUARD_NAMES = {
  deletes: { name: "deletes", allows: "allow more deletes than limits.delete", condition: "this is intended" },
  replaces: { name: "replaces", allows: "allow more replaces than limits.replace", condition: "this is intended" },
  recreate: {
    name: "recreate",
    allows:
      "create missing webhooks again, even if they exceed limits.recreate, the list may be truncated, or the API key has changed",
    condition: "they are really gone",
  },
  "service-change": {
    name: "service-change",
    allows: "continue although the state belongs to another base URL",
    condition: "the same service has moved",
  },
  irreversible: {
    name: "unsubscribes",
    allows: "allow more unsubscriptions than limits.unsubscribe under --auto-approve, or in a saved plan",
    condition: "this is intended",
  },
  "lookup-change": {
    name: "campaign-change",
    allows: "unsubscribe leads even if a campaign's name now finds another campaign",
    condition: "the other campaign is intended",
  },
  shrink: {
    name: "shrink",
    allows: "plan although a list of unsubscriptions lost more people than limits.shrink",
    condition: "the list is meant to be that short",
  },
  "local-state": {
    name: "local-state",
    allows: "send unsubscriptions in CI although no state file exists yet",
    condition: "this disk is permanent",
  },
} as const satisfies {
  readonly [guard in Guard]: { readonly name: string; readonly allows: string; readonly condition: string };
};

/** A guard as users name it. */
export type GuardName = (typeof GUARD_NAMES)[Guard]["name"];

/** The guards with these names. */
export function guardsNamed(names: readonly GuardName[]): readonly Guard[] {
  return (Object.keys(GUARD_NAMES) as readonly Guard[]).filter((guard) => names.includes(GUARD_NAMES[guard].name));
}
