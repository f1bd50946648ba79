import { markFor } from "../../../core/apply/write/marks.ts";
import type { Creation } from "../../../core/apply/write/write-context.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Random } from "../../../core/model/ports.ts";
import { isMarked } from "../../../core/plan/marks.ts";
import type { Writing } from "./write-queues.ts";

interface MarkPorts {
  /** The marks that this process has sent. */
  readonly sent: Set<string | undefined>;
  readonly random: Random;
  /** Whether creates carry a mark. */
  readonly marks: boolean;
}

const NOTHING_LISTED = { objects: [] };

/** The mark of a create; undefined where it carries none. A journal or a list that cannot be read stops the create itself. */
export async function markOfCreate(
  definition: AnyResource,
  creation: Creation,
  { journal, live, context }: Writing,
  { sent, random, marks }: MarkPorts,
): Promise<string | undefined> {
  if (!isMarked(definition, marks)) return undefined;
  const { lostCreates } = await journal.known().catch(() => ({ lostCreates: [] }));
  const isSentBefore = lostCreates.some(({ mark }) => mark !== undefined);
  const { objects } = isSentBefore ? await live.get(context.signal).catch(() => NOTHING_LISTED) : NOTHING_LISTED;
  for (const { mark } of objects) sent.add(mark);
  return markFor(definition, creation, { lostCreates, taken: sent, random, marks });
}
