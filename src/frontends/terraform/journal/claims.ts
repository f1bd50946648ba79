import type { Catalog } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import type { PlanNotes } from "../plan-notes.ts";
import type { Journals } from "./journals.ts";
import { madeAndUnclaimed, stillPending, turnedUpLate } from "./create-messages.ts";
import { returned } from "./duplicate-messages.ts";
import { LONGEST_MS, openOutOfSight } from "./hidden-messages.ts";
import { isUnreadable, pendingElsewhere, unreadJournal } from "./journal-problems.ts";

/** Warnings about creates of earlier processes that nothing claimed since. It never fails. */
export async function unclaimedWarnings(
  journals: Journals,
  { catalog: { resources }, clock, seen }: { readonly catalog: Catalog; readonly clock: Clock; readonly seen: Pick<PlanNotes, "late"> },
): Promise<readonly Diagnostic[]> {
  try {
    const { foreign, hidden } = await journals.obstacles();
    const creates = await journals.leftBehind();
    const late = (await journals.lostCreates()).length === 0 ? [] : await seen.late();
    const own = resources.flatMap((definition): readonly Diagnostic[] => {
      const ofType = creates.filter(({ intent }) => intent.type === definition.type);
      const open = ofType.filter(({ outcome }) => outcome.kind === "open");
      const made = ofType.filter(({ outcome }) => outcome.kind === "made" && outcome.claim === "missed");
      const turnedUp = late.filter(({ type }) => type === definition.type).map(({ id, wasManaged }) => (wasManaged ? returned : turnedUpLate)(definition, id));
      // A run that sent it just now is probably still active.
      const [unseen, ...more] = hidden.filter(({ create: { intent } }) => intent.type === definition.type && clock.now() - intent.sentAtMs >= LONGEST_MS);
      const outOfSight = unseen ? [openOutOfSight(definition, [unseen, ...more], journals.name)] : [];
      return [
        ...turnedUp,
        ...outOfSight,
        ...(open.length > 0 ? [stillPending(definition, open)] : []),
        ...(made.length > 0 ? [madeAndUnclaimed(definition, made)] : []),
      ];
    });
    const here = await journals.scope();
    const elsewhere = foreign.map(({ scope, creates: { length: count } }) => pendingElsewhere(journals.name, { scope, count }, here));
    return [...own, ...elsewhere];
  } catch (error) {
    return isUnreadable(error) ? error.diagnostics.map(asWarning) : [unreadJournal(journals.name, error)];
  }
}

/** A damaged journal stops creates, and nothing else. */
function asWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}
