import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { UndecidedCreate } from "../private-state.ts";
import { lookForUndecided } from "./undecided.ts";
import { stillUndecided, undecidedElsewhere } from "./create-messages.ts";
import { storeFound } from "./earlier-creates.ts";
import { isUndecided } from "./journaled-create.ts";
import type { Writing } from "./writing.ts";

export type Removed =
  /** It was created, and must be deleted. */
  | { readonly kind: "there"; readonly id: string }
  /** It was not created. */
  | { readonly kind: "none"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "open"; readonly diagnostics: readonly Diagnostic[] };

/** Finds the object to delete for one without an id. If there is none, remembers a lost create: if the object appears later, that is reported. */
export async function removeUndecided(
  definition: AnyResource,
  { undecided, isElsewhere }: { readonly undecided: UndecidedCreate; readonly isElsewhere: boolean },
  writing: Writing,
): Promise<Removed> {
  if (isElsewhere) throw new DiagnosticsError([undecidedElsewhere(definition)]);
  const { journals, queues, earlier } = writing;
  await journals.prepare();
  const queue = await queues.queueOf(undecided.key);
  const leave = await queues.enter(queue);
  try {
    const { decision, seen, journaled } = await lookForUndecided(definition, undecided, writing);
    if (decision.kind === "open") {
      return { kind: "open", diagnostics: [stillUndecided(definition, { severity: "error", cause: undecided.cause, open: decision })] };
    }
    if (decision.kind === "found") {
      if (isUndecided(journaled)) await storeFound(definition, { one: journaled, object: decision.object, seen }, writing);
      earlier.drop(journaled);
      writing.made(decision.object.id);
      return { kind: "there", id: decision.object.id };
    }
    if (isUndecided(journaled)) await journals.recordCreate(undecided.name, { kind: "given_up" });
    earlier.drop(journaled);
    return { kind: "none", diagnostics: [] };
  } finally {
    leave();
  }
}
