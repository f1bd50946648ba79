/** The checks that stop a plan on likely mistakes. A user lifts one by its name for a run. */
export const GUARDS = [
  "deletes",
  "replaces",
  "recreate",
  "service-change",
  "irreversible",
  "lookup-change",
  "shrink",
  "local-state",
] as const;

export type Guard = (typeof GUARDS)[number];
