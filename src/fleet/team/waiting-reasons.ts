import { type Diagnostic, warningOf } from "../../core/model/diagnostic.ts";
import { countOf, firstFew } from "../../core/model/words.ts";

const MOST_NAMED = 10;
const APPROVE = "Look at the plan. Approve it if this is intended.";
const HELD =
  "The next run after that applies it, as far as the policy allows. To apply it now, approve it with --ignore-freeze.";

/** Why a plan waits: a guard has stopped it. */
export function guardReason(guard: Diagnostic): Diagnostic {
  return { ...guard, severity: "warning", hint: APPROVE, ways: [] };
}

/** Why a plan waits that could be applied at another time. */
export function holdReason(hold: string): Diagnostic {
  return { code: "fleet_held", severity: "warning", summary: "No plan is applied now", detail: hold, hint: HELD };
}

/** `reasons`, and before them that the plan deletes webhooks with these ids that nothing manages: whatever else it waits for. */
export function withRemovals(reasons: readonly Diagnostic[], ids: readonly string[]): readonly Diagnostic[] {
  if (ids.length === 0) return reasons;
  const reason = warningOf("removal_unapproved", "A person must approve removals", {
    detail: `The plan deletes ${countOf(ids.length, "webhook")} that nothing manages, as removals says: ${firstFew(ids, MOST_NAMED)}.`,
    hint: APPROVE,
  });
  return [reason, ...reasons.filter(({ code }) => code !== reason.code)];
}
