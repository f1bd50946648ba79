import type { Catalog } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { JournaledCreate } from "./journaled-create.ts";
import type { Journals } from "./journals.ts";
import { pendingElsewhere, unclaimed, unreadJournals } from "./wording.ts";

/** Warnings about what earlier processes have begun, and nothing has claimed since. It never fails. */
export async function unclaimedWarnings(journals: Journals, { resources }: Catalog): Promise<readonly Diagnostic[]> {
  try {
    const { creates, foreign, damaged } = await journals.leftBehind();
    const isUnclaimed = ({ outcome }: JournaledCreate): boolean => outcome.kind === "open" || (outcome.kind === "made" && outcome.wasMissed);
    const own = creates.filter(isUnclaimed).flatMap((create): readonly Diagnostic[] => {
      const definition = resources.find(({ type }) => type === create.intent.type);
      return definition ? [unclaimed(definition, create)] : [];
    });
    const open = foreign.map((one) => ({ ...one, count: one.creates.filter(({ outcome }) => outcome.kind === "open").length }));
    const pending = open.filter(({ count }) => count > 0);
    if (pending.length === 0) return [...own, ...damaged.map(asWarning)];
    const here = await journals.scope();
    return [...own, ...pending.map(({ path, scope, count }) => pendingElsewhere(path, scope, here, count)), ...damaged.map(asWarning)];
  } catch (error) {
    return [unreadJournals(journals.folder, error)];
  }
}

/** Only a create is stopped by it. */
function asWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}
