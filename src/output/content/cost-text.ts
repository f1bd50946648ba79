import { durationWords } from "../../core/model/words.ts";
import type { PlanCost } from "../../core/plan/plan.ts";

/** The last line of a plan: `Requests: 54, at least 4 s at 20 per 2 s`. */
export function costText({ requests, leastMs, limit }: PlanCost): string {
  return `Requests: ${String(requests)}, at least ${durationWords(leastMs / 1000)} at ${String(limit.requests)} per ${seconds(limit.windowMs)}`;
}

function seconds(ms: number): string {
  return `${String(Math.round(ms / 100) / 10)} s`;
}
