import { type AnyResource, type Catalog, resourceOf } from "../../model/definition.ts";
import type { Random } from "../../model/ports.ts";
import { isMarked } from "../../plan/marks.ts";
import type { StateDocument } from "../../state/document.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import { desiredText } from "../recovery/decide-creates.ts";
import { withoutUnknown } from "./store-intent.ts";
import type { Creation } from "./write-context.ts";

const MARK_BYTES = 8;

interface MarkSource {
  /** The creates that were given up. */
  readonly lostCreates: readonly LostCreate[];
  /** The marks that objects, or other creates, have. Gets the new one. */
  readonly taken: Set<string | undefined>;
  readonly random: Random;
  /** Whether creates carry a mark. */
  readonly marks: boolean;
}

/**
 * The mark of a create, 64 random bits; undefined where it carries none. What was sent before, and no list has shown, keeps the mark that it was
 * sent with: so an object that appears late can be told, and a service that compares the whole value refuses the second.
 */
export function markFor(
  definition: AnyResource,
  creation: Creation,
  { lostCreates, taken, random, marks }: MarkSource,
): string | undefined {
  const { address, provider, attributes } = creation;
  if (!isMarked(definition, marks)) return undefined;
  const desired = desiredText(definition, { provider, planned: withoutUnknown(definition, attributes) });
  const sent = lostCreates.findLast(
    (one) =>
      one.mark !== undefined &&
      one.id === undefined &&
      !one.found &&
      one.type === definition.type &&
      one.address === address &&
      !taken.has(one.mark) &&
      desiredText(definition, one) === desired,
  );
  const mark = sent?.mark ?? Buffer.from(random.bytes(MARK_BYTES)).toString("hex");
  taken.add(mark);
  return mark;
}

/** The mark of a create of a run: the same at each call. */
export type MarkOf = (type: string, creation: Creation) => string | undefined;

/** The marks of a run that starts from a state. */
export function openMarks(
  { lostCreates, instances }: Pick<StateDocument, "lostCreates" | "instances">,
  { catalog, ...ports }: Pick<MarkSource, "random" | "marks"> & { readonly catalog: Catalog },
): MarkOf {
  const taken = new Set(instances.map(({ mark }) => mark));
  const made = new Map<string | null, string | undefined>();
  return (type, creation) => {
    const { address } = creation;
    if (!made.has(address))
      made.set(address, markFor(resourceOf(catalog, type), creation, { ...ports, lostCreates, taken }));
    return made.get(address);
  };
}
