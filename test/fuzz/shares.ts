import { TARGETS } from "./targets.ts";
import type { Work } from "./worker.ts";

export interface Wanted {
  readonly cases: number;
  readonly seed: number;
  readonly path: string | null;
  /** One target; null: all, with their shares. */
  readonly target: string | null;
}

/** How many cases each target gets. */
export function sharesOf({ cases, seed, path, target }: Wanted): Work["runs"] {
  const all = TARGETS.reduce((sum, { share }) => sum + share, 0);
  if (target !== null) return [{ name: target, cases, seed, path }];
  return TARGETS.map(({ name, share }) => ({ name, seed, path, cases: Math.ceil((cases * share) / all) }));
}
