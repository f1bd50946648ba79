import { DiagnosticsError } from "../model/diagnostic.ts";
import { canonicalJson } from "../model/value.ts";
import type { StateDocument } from "./document.ts";
import { type OpenState, pendingDiagnostics } from "./open-state.ts";

/** Throws `outcome_pending` for open writes that the stored state has, and the pushed one would drop. */
export function assertKeepsOpenWrites(pushed: StateDocument, stored: OpenState): void {
  const { document, pending } = stored;
  if (
    pending.length === 0 ||
    canonicalJson(document.pending) === canonicalJson(pushed.pending) ||
    continues(pushed, stored)
  )
    return;
  throw new DiagnosticsError(
    pendingDiagnostics(pending, "The pushed state does not contain it. Nothing was changed."),
    { undecided: true },
  );
}

/** Whether the run whose writes are open in the stored state has kept the pushed one, later: it knows what became of them. */
function continues(pushed: StateDocument, { document, storedBy }: OpenState): boolean {
  return (
    pushed.lineage === document.lineage &&
    pushed.serial > document.serial &&
    pushed.run !== undefined &&
    pushed.run === storedBy
  );
}

/** Why the pushed state should not replace the stored one: it has another lineage, or does not come after it. Null if it may. */
export function reasonToKeep(pushed: StateDocument, { document, storedBy }: OpenState): string | null {
  if (pushed.lineage !== document.lineage)
    return `The pushed state has lineage ${pushed.lineage}, the stored state ${document.lineage}: they record different objects.`;
  if (pushed.serial < document.serial)
    return `The pushed state has serial ${String(pushed.serial)}. The stored state is newer, with serial ${String(document.serial)}.`;
  if (pushed.run !== undefined && pushed.run !== storedBy)
    return "The stored state is not what the run that kept the pushed one has stored: another run may have recorded what it does not contain.";
  if (pushed.serial === document.serial && canonicalJson(pushed) !== canonicalJson(document))
    return `Both states have serial ${String(pushed.serial)}, but different contents.`;
  return null;
}
