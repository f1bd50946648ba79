/**
 * The checks that stop a plan on likely mistakes, by the name that lifts one: `--allow-NAME` of the command, NAME in `allow` of the library.
 * `allows`: what it does then, as help says it. `condition`: when users should.
 */
export const GUARDS = {
  deletes: { allows: "allow more deletes than limits.delete", condition: "this is intended" },
  replaces: { allows: "allow more replaces than limits.replace", condition: "this is intended" },
  recreate: {
    allows:
      "create missing webhooks again, even if they exceed limits.recreate, the list may be truncated, or the API key has changed",
    condition: "they are really gone",
  },
  "service-change": {
    allows: "continue although the state belongs to another base URL",
    condition: "the same service has moved",
  },
  unsubscribes: {
    allows: "allow more unsubscriptions than limits.unsubscribe under --auto-approve, or in a saved plan",
    condition: "this is intended",
  },
  "campaign-change": {
    allows: "unsubscribe leads even if a campaign's name now finds another campaign",
    condition: "the other campaign is intended",
  },
  shrink: {
    allows: "plan although a list of unsubscriptions lost more people than limits.shrink",
    condition: "the list is meant to be that short",
  },
  "local-state": {
    allows: "send unsubscriptions in CI although no state file exists yet",
    condition: "this is intended",
  },
} as const;

export type Guard = keyof typeof GUARDS;
