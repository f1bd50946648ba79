import { compareText } from "../../model/value.ts";
import type { AnyResource, LiveObject } from "../../model/definition.ts";
import { type RecordedInstance, managedIds } from "../../model/instance.ts";
import type { Intent, JournalEvent, PendingIntent } from "../../state/journal-event.ts";
import type { LiveIndex } from "../../plan/live-index.ts";
import type { LostCreate } from "../../state/document.ts";
import { type Before, type OpenCreate, type Seen, decideCreates, listedBefore } from "./decide-creates.ts";
import { deposing, recordOf } from "../write/record.ts";
import { gapAfterDelete } from "./unmeasured-gap.ts";
import { type RecoveryContext, leaveOpen, note } from "./recovery-context.ts";
import { lookalikes, lostCreateOf } from "./lost-creates.ts";

/** An open create of the state's journal. */
interface OpenOfState extends OpenCreate {
  readonly pending: PendingIntent;
}

/** Decides creates of one type from two lists: each is found or given up, and leaves a lost-create record, or stays undecided. */
export function resolveCreates(
  work: RecoveryContext,
  creates: readonly PendingIntent[],
  { definition, seen, events }: { readonly definition: AnyResource; readonly seen: Seen; readonly events: readonly JournalEvent[] },
): void {
  const listed = listedBefore(events);
  const managed = new Set([...managedIds([...work.instances.values()]), ...work.managedElsewhere]);
  const open = creates
    .toSorted((a, b) => compareText(String(a.intent.address), String(b.intent.address)))
    .map((pending): OpenOfState => {
      const { intent } = pending;
      return { pending, intent, before: intent.listed === null ? undefined : listed.get(intent.listed), problem: problemOf(intent) };
    });
  const decided = decideCreates(open, { definition, seen, isManaged: (id) => managed.has(id), lostCreates: [...work.lostCreates] });
  for (const { create, decision } of decided) {
    if (decision.kind === "open") leaveOpen(work, create.pending, decision);
    else if (decision.kind === "none") giveUp(work, create, { definition, seen });
    else recordFound(work, create, { definition, seen, object: decision.object });
  }
}

function problemOf({ restored, address }: Intent): string | null {
  if (restored) return "An older state was restored, so its outcome may have been forgotten";
  return address === null ? "Its address is not known" : null;
}

function giveUp(
  work: RecoveryContext,
  { pending, before }: OpenOfState,
  { definition, seen: { index } }: { readonly definition: AnyResource; readonly seen: Seen },
): void {
  work.lostCreates.push(givenUpCreate(pending.intent, { index, before }));
  work.resolved.add(pending.intent.seq);
  note(work, pending, `was not carried out: two lists lack it. If it appears later, that is reported${gapAfterDelete(definition, pending)}`);
}

/** The record of a create that no list shows: the ids that existed before tell a late outcome from them. */
export function givenUpCreate(intent: Intent, { index, before }: { readonly index: LiveIndex; readonly before: Before | undefined }): LostCreate {
  return lostCreateOf(
    intent,
    lookalikes(intent, index).filter((id) => before?.ids.has(id)),
  );
}

/** Somebody else may have created an identical object at the same time: the ids that exist now tell a later one from them. */
function recordFound(
  work: RecoveryContext,
  { pending }: OpenOfState,
  { definition, seen, object }: { readonly definition: AnyResource; readonly seen: Seen; readonly object: LiveObject },
): void {
  const { intent } = pending;
  recordCreated(work.instances, intent, { definition, object, nowMs: work.nowMs, isLive: (id) => seen.index.byId.has(id) });
  work.lostCreates.push({ ...lostCreateOf(intent, lookalikes(intent, seen.index)), found: true });
  work.resolved.add(intent.seq);
  note(work, pending, `was carried out: ${object.id} is recorded${gapAfterDelete(definition, pending, object)}`);
}

/** Records a created object at the address of its intent. Replaced objects that are still live become deposed. */
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
