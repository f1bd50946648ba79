import type { WebResponse } from "../model/web.ts";

/** How long a server asks to wait before the next attempt, in whole seconds; null if it does not, or names a date. */
export function retryAfterMs({ headers }: WebResponse): number | null {
  const after = headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(after) ? Number(after) * 1000 : null;
}
