import type { Catalog } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import type { PlanNotes } from "../plan-notes.ts";
import { madeAndUnclaimed, stillPending } from "./create-messages.ts";
import type { CreateJournal } from "./create-journal.ts";
import { appearedLate } from "./duplicate-messages.ts";
import { LONGEST_MS, openOutOfSight } from "./hidden-messages.ts";
import { pendingElsewhere, unreadJournal } from "./journal-problems.ts";
import { isOpen } from "./known-creates.ts";

/** Warnings about creates of earlier processes that nothing claimed since. It never fails. */
export async function unclaimedWarnings(
  journal: CreateJournal,
  { catalog: { resources }, clock, seen }: { readonly catalog: Catalog; readonly clock: Clock; readonly seen: Pick<PlanNotes, "late"> },
): Promise<readonly Diagnostic[]> {
  try {
    const { creates, lostCreates, elsewhere } = await journal.known();
    const late = lostCreates.length === 0 ? [] : await seen.late();
    const own = resources.flatMap((definition): readonly Diagnostic[] => {
      const ofType = creates.filter(({ intent }) => intent.type === definition.type);
      const left = ofType.filter(({ standing }) => standing === "left");
      const open = left.filter(isOpen);
      const made = left.filter(({ outcome }) => outcome.kind === "made" && outcome.claim === "missed");
      // A run that sent it just now is probably still active.
      const hidden = ofType.flatMap((one) => (one.hidden && clock.now() - one.intent.sentAtMs >= LONGEST_MS ? [{ ...one, hidden: one.hidden }] : []));
      return [
        ...late.filter(({ type }) => type === definition.type).map(({ id, wasManaged = false }) => appearedLate(definition, { id, wasManaged })),
        ...openOutOfSight(definition, hidden, journal.name),
        ...(open.length > 0 ? [stillPending(definition, open)] : []),
        ...(made.length > 0 ? [madeAndUnclaimed(definition, made)] : []),
      ];
    });
    const here = await journal.scope();
    return [...own, ...elsewhere.map((one) => pendingElsewhere(journal.name, one, here))];
  } catch (error) {
    return unreadJournal(journal.name, error);
  }
}
