import type { Limits } from "../../core/model/limits.ts";

/** The keys under `limits:`, by the names that the core has for these bounds. */
export const LIMIT_KEYS = { delete: "delete", replace: "replace", recreate: "recreate", irreversible: "unsubscribe" } as const satisfies {
  readonly [name in keyof Limits]-?: string;
};
