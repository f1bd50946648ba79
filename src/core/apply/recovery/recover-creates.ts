import type { AnyResource, LiveObject } from "../../model/definition.ts";
import { type RecordedInstance, managedIds } from "../../model/instance.ts";
import type { Intent, JournalEvent, PendingIntent } from "../../state/journal-event.ts";
import { type OpenCreate, type Seen, decideCreates, listedBefore } from "./decide-creates.ts";
import { deposing, recordOf } from "../write/record.ts";
import { type RecoveryContext, leaveOpen, note } from "./recovery-context.ts";
import { lookalikes, lostCreateOf } from "./lost-creates.ts";

/** An open create of the state's journal. */
interface OpenOfState extends OpenCreate {
  readonly pending: PendingIntent;
}

/** Decides creates of one type from two lists: each is found or given up, and leaves a lost-create record, or stays open. */
export function resolveCreates(
  work: RecoveryContext,
  creates: readonly PendingIntent[],
  { definition, seen, events }: { readonly definition: AnyResource; readonly seen: Seen; readonly events: readonly JournalEvent[] },
): void {
  const listed = listedBefore(events);
  const managed = new Set([...managedIds([...work.instances.values()]), ...work.managedElsewhere]);
  const open = creates
    .toSorted((a, b) => (String(a.intent.address) < String(b.intent.address) ? -1 : 1))
    .map((pending): OpenOfState => {
      const { intent } = pending;
      return { pending, intent, before: intent.listed === null ? undefined : listed.get(intent.listed), problem: problemOf(intent) };
    });
  const decided = decideCreates(open, { definition, seen, isManaged: (id) => managed.has(id), lostCreates: [...work.lostCreates] });
  for (const { create, decision } of decided) {
    if (decision.kind === "open") leaveOpen(work, create.pending, decision);
    else if (decision.kind === "none") giveUp(work, create, seen);
    else recordFound(work, create, { definition, seen, object: decision.object });
  }
}

function problemOf({ restored, address }: Intent): string | null {
  if (restored) return "An older state was restored, so what came of it may have been forgotten";
  return address === null ? "It is not known where it was declared" : null;
}

/** Not found: should it turn up all the same, it is told from what was there before. */
function giveUp(work: RecoveryContext, { pending, before }: OpenOfState, { index }: Seen): void {
  const { intent } = pending;
  work.lostCreates.push(
    lostCreateOf(
      intent,
      lookalikes(intent, index).filter((id) => before?.ids.has(id)),
    ),
  );
  work.resolved.add(intent.seq);
  note(work, pending, "was not carried out: two lists are without it. Should it turn up all the same, it is reported");
}

/** Somebody else may have made the same just then: should a second one turn up, that is told from what is there now. */
function recordFound(
  work: RecoveryContext,
  { pending }: OpenOfState,
  { definition, seen, object }: { readonly definition: AnyResource; readonly seen: Seen; readonly object: LiveObject },
): void {
  const { intent } = pending;
  recordCreated(work.instances, intent, { definition, object, nowMs: work.nowMs, isLive: (id) => seen.index.byId.has(id) });
  work.lostCreates.push({ ...lostCreateOf(intent, lookalikes(intent, seen.index)), found: true });
  work.resolved.add(intent.seq);
  note(work, pending, `was carried out: ${object.id} is recorded`);
}

/** Puts a created object where its intent wanted it. What it takes the place of, and is still live, becomes deposed. */
export function recordCreated(
  instances: Map<string, RecordedInstance>,
  intent: Intent,
  given: { readonly definition: AnyResource; readonly object: LiveObject; readonly nowMs: number; readonly isLive: (id: string) => boolean },
): void {
  const { definition, object, nowMs, isLive } = given;
  const replaced = intent.id === null ? undefined : [...instances.values()].find(({ id }) => id === intent.id);
  const before = replaced ?? instances.get(intent.address ?? "");
  const wanted = { ...intent, address: before?.address ?? intent.address, planned: intent.planned ?? {} };
  const deposed = before ? deposing(before).filter(({ id }) => isLive(id)) : [];
  const record = recordOf(definition, { ...wanted, deposed }, { id: object.id, returned: object.attributes, nowMs });
  instances.set(record.address, record);
}
