import type { PlanCost } from "../../core/plan/plan.ts";
import type { JsonObject } from "./escaped-json.ts";

/** The requests of an apply of a plan, and the least time that they take. Terraform has neither. */
export function costJson({ requests, leastMs, limit }: PlanCost): JsonObject {
  return {
    count: requests,
    at_least_seconds: leastMs / 1000,
    limit: { requests: limit.requests, seconds: limit.windowMs / 1000 },
  };
}
