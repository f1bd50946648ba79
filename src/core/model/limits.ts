/** A bound on what one apply may do: a share of the managed objects, or a number. */
export type Limit =
  | { readonly kind: "percent"; readonly percent: number }
  | { readonly kind: "count"; readonly count: number };

/** The guards' bounds as the configuration gives them; absent ones have the defaults of the planner. */
export interface Limits {
  /** Deletions. Replaces do not count. */
  readonly delete?: Limit;
  /** Replaces for another reason than a new secret. */
  readonly replace?: Limit;
  /** Recorded objects that are missing from the live list, which an apply would create again. */
  readonly recreate?: Limit;
  /** People for whom an apply sends a first irreversible write although nobody types an approval. */
  readonly irreversible?: Limit;
  /** People that a list may lose. */
  readonly shrink?: Limit;
  /** Requests of one run that look for what was not found, or repeat what is done. A number, no share. */
  readonly recheck?: Limit;
}
