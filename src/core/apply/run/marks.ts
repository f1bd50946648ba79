import { type Catalog, resourceOf } from "../../model/definition.ts";
import type { Random } from "../../model/ports.ts";
import { isMarked } from "../../plan/marks.ts";
import type { StateDocument } from "../../state/document.ts";
import { desiredText } from "../recovery/decide-creates.ts";
import type { Creation } from "../write/write-context.ts";
import { withoutUnknown } from "../write/store-intent.ts";

const MARK_BYTES = 8;

/** A mark of 64 random bits. */
export function newMark(random: Random): string {
  return Buffer.from(random.bytes(MARK_BYTES)).toString("hex");
}

/** The mark of a create; undefined where it carries none. The same create of a run has the same one. */
export type MarkOf = (type: string, creation: Creation) => string | undefined;

/**
 * Gives each create a fresh mark. One that was sent before, and that no list has shown, keeps the mark that it was sent with: so a service that
 * carries out both can be told, and one that compares them refuses the second.
 */
export function openMarks(
  { lostCreates, instances }: Pick<StateDocument, "lostCreates" | "instances">,
  { catalog, random, byDefault }: { readonly catalog: Catalog; readonly random: Random; readonly byDefault: boolean },
): MarkOf {
  const used = new Map<string, string>();
  const carried = new Set(instances.map(({ mark }) => mark));
  return (type, creation) => {
    const definition = resourceOf(catalog, type);
    const { address, provider, attributes } = creation;
    if (!isMarked(definition, attributes, byDefault)) return undefined;
    const before = used.get(String(address));
    if (before !== undefined) return before;
    const desired = desiredText(definition, { provider, planned: withoutUnknown(definition, attributes) });
    const sent = lostCreates.findLast(
      (one) => one.type === type && one.address === address && one.id === undefined && !carried.has(one.mark) && desiredText(definition, one) === desired,
    );
    const mark = sent?.mark ?? newMark(random);
    used.set(String(address), mark);
    return mark;
  };
}
