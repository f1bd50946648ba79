import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { UndecidedCreate } from "../private-state.ts";
import { lookForUndecided } from "./undecided.ts";
import { stillUndecided, undecidedElsewhere } from "./wording.ts";
import { storeFound } from "./create.ts";
import type { Writing } from "./writing.ts";

export type Removed =
  /** It was created, and is to be deleted. */
  | { readonly kind: "there"; readonly id: string }
  /** It was not created. */
  | { readonly kind: "none"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "open"; readonly diagnostics: readonly Diagnostic[] };

/** Finds out what is to be deleted of an object without an id. What is not found is buried: should it turn up, it is reported. */
export async function removeUndecided(
  definition: AnyResource,
  { undecided, isElsewhere }: { readonly undecided: UndecidedCreate; readonly isElsewhere: boolean },
  writing: Writing,
): Promise<Removed> {
  if (isElsewhere) throw new DiagnosticsError([undecidedElsewhere(definition)]);
  const { journals, lanes, earlier } = writing;
  await journals.takeOver();
  const lane = await lanes.laneOf(undecided.key);
  const leave = await lanes.enter(lane);
  try {
    const { decision, seen, journaled } = await lookForUndecided(undecided, writing);
    if (decision.kind === "open") {
      return { kind: "open", diagnostics: [stillUndecided(definition, { severity: "error", cause: undecided.cause, open: decision })] };
    }
    if (decision.kind === "found") {
      if (journaled?.outcome.kind === "open") await storeFound(definition, { one: journaled, object: decision.object, seen }, writing);
      if (journaled) earlier.drop(lane, journaled);
      writing.made(decision.object.id);
      return { kind: "there", id: decision.object.id };
    }
    if (journaled?.outcome.kind === "open") await journals.recordCreate(undecided.name, { kind: "given_up" });
    else if (!journaled) await journals.bury({ ...undecided, type: definition.type }, preIdsOf(undecided));
    if (journaled) earlier.drop(lane, journaled);
    return { kind: "none", diagnostics: [] };
  } finally {
    leave();
  }
}

function preIdsOf({ preIds, partial }: UndecidedCreate) {
  return preIds === null ? undefined : { ids: new Set(preIds), partial };
}
