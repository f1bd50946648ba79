/** A bound on how much one apply may do: a share of what is managed, or a number. */
export type Limit = { readonly kind: "percent"; readonly percent: number } | { readonly kind: "count"; readonly count: number };

/** The guards' bounds as the configuration gives them; absent ones have the defaults of the planner. */
export interface Limits {
  /** Deletions. Replaces do not count. */
  readonly delete?: Limit;
  /** Recorded objects that are missing from the live list and would be created again. */
  readonly recreate?: Limit;
  /** Unsubscriptions that an apply sends without a question. */
  readonly unsubscribe?: Limit;
}
