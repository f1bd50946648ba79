import { blockOf } from "../model/address.ts";
import { type AnyResource, type Catalog, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { shellWord } from "../model/shell-word.ts";
import { identityKey } from "./identity.ts";
import type { Step } from "./plan.ts";

/** Notes for what is deleted in one block while the same is created in another: perhaps only its name was changed. */
export function renameNotes(steps: readonly Step[], catalog: Catalog): readonly Diagnostic[] {
  const left = new Map(
    steps.flatMap((step) =>
      step.action === "delete" && !step.deposed ? [[identityKey(resourceOf(catalog, step.type), step.before), step.address] as const] : [],
    ),
  );
  if (left.size === 0) return [];
  const renames = steps.flatMap((step) => {
    const definition = resourceOf(catalog, step.type);
    const from = step.action === "create" ? left.get(identityKey(definition, step.after)) : undefined;
    return from === undefined || blockOf(from) === blockOf(step.address) ? [] : [maybeRenamed(definition, from, step.address)];
  });
  return [...new Map(renames.map((note) => [note.hint, note])).values()];
}

function maybeRenamed({ noun, identity }: AnyResource, from: string, to: string): Diagnostic {
  // With the same key in both blocks, all of the block can be moved at once.
  const isBlock = from.slice(blockOf(from).length) === to.slice(blockOf(to).length);
  const [before, after] = isBlock ? [blockOf(from), blockOf(to)] : [from, to];
  return {
    code: "maybe_renamed",
    severity: "note",
    summary: "Perhaps only renamed",
    detail: `At ${before} a ${noun} is destroyed, and at ${after} one with the same ${identity.join(", ")} is created.`,
    hint: `To keep it instead: outreach state mv ${shellWord(before)} ${shellWord(after)}\nor say in the configuration that it has moved: from ${before}, to ${after}.`,
  };
}
