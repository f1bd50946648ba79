import { compareText } from "../../model/value.ts";
import type { AnyResource, LiveObject } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Intent, PendingIntent } from "../../state/journal-event.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import {
  type Before,
  type Evidence,
  type OpenCreate,
  type TwoLists,
  areWhole,
  decideCreates,
} from "./decide-creates.ts";
import type { ListingDelayMs } from "../live/listing-delay.ts";
import { deposing, recordOf } from "../write/record.ts";
import { gapAfterDelete } from "./unmeasured-gap.ts";
import { type RecoveryContext, leaveOpen, note } from "./recovery-context.ts";
import { lookalikes, lostCreateOf, lostCreateOfPending, withLate } from "./lost-creates.ts";

/** An open create of the state's journal. */
interface OpenOfState extends OpenCreate {
  readonly pending: PendingIntent;
  readonly intent: PendingIntent["intent"];
}

/** What recovery knows about the objects of a type. */
export interface CreateEvidence {
  readonly definition: AnyResource;
  readonly seen: TwoLists;
  /** By the numbers of the `listed` events. */
  readonly before: ReadonlyMap<number, Before>;
  readonly managed: ReadonlySet<string>;
  readonly unlisted: Evidence["unlisted"];
  readonly recorded: readonly RecordedInstance[];
  readonly listingDelayMs: ListingDelayMs;
  /** Whether the object of an address is created again if it was not. */
  readonly isWanted: (address: string | null) => boolean;
}

/**
 * Decides creates of one type from two lists: each is found or given up, and leaves a lost-create record, or stays undecided.
 * Where only the length of the lists says that they are whole, one alone is given up: the others are deferred until the list has
 * shown the object that is created in its place. So a cap at an odd length doubles one object at most.
 */
export function resolveCreates(work: RecoveryContext, creates: readonly PendingIntent[], known: CreateEvidence): void {
  const { definition, seen, managed, unlisted, listingDelayMs } = known;
  const open = creates
    .toSorted((a, b) => compareText(String(a.intent.address), String(b.intent.address)))
    .map((pending): OpenOfState => ({
      ...pending,
      pending,
      before: beforeOf(pending.intent, known),
      problem: problemOf(pending.intent),
    }));
  const evidence = {
    definition,
    seen,
    isManaged: (id: string) => managed.has(id),
    lostCreates: [...work.lostCreates],
    unlisted,
    listingDelayMs,
  };
  let isGivenUp = false;
  for (const { create, decision } of decideCreates(open, evidence)) {
    if (decision.kind === "open") leaveOpen(work, create.pending, decision);
    else if (decision.kind === "found") recordFound(work, create, { definition, seen, ...decision });
    else {
      const isDoubtful = decision.proof === "by-length" && known.isWanted(create.intent.address);
      if (isDoubtful && isGivenUp) work.deferred.add(create.intent.seq);
      else giveUp(work, create.pending, known);
      isGivenUp ||= isDoubtful;
    }
  }
}

function beforeOf({ listed }: Intent, { before }: CreateEvidence): Before | undefined {
  return listed === null ? undefined : before.get(listed);
}

function problemOf({ restored, address }: Intent): string | null {
  if (restored) return "An older state was restored, so its outcome may have been forgotten";
  return address === null ? "Its address is not known" : null;
}

function giveUp(work: RecoveryContext, pending: PendingIntent, known: CreateEvidence): void {
  work.lostCreates.push(givenUpCreate(pending, known));
  work.resolved.add(pending.intent.seq);
  note(
    work,
    pending,
    `was not carried out: two lists lack it. If it appears later, that is reported${gapAfterDelete(known.definition, pending)}`,
  );
}

/** The record of a create that no list shows: the ids of what it has certainly not created tell a late outcome from them. */
export function givenUpCreate(pending: PendingIntent, known: CreateEvidence): LostCreate {
  const { intent } = pending;
  const { definition, seen } = known;
  const { index } = seen;
  const before = beforeOf(intent, known)?.ids ?? new Set();
  const isOther = (id: string): boolean => id === intent.id || known.managed.has(id) || before.has(id);
  return lostCreateOfPending(pending, [
    ...new Set([
      ...lookalikes(intent, index).filter(isOther),
      ...(areWhole(definition, seen, known.unlisted) ? [] : before),
    ]),
  ]);
}

/** Without a mark, somebody else may have created an identical object at the same time: the ids that exist now tell a later one from them. */
function recordFound(
  work: RecoveryContext,
  { pending }: OpenOfState,
  {
    definition,
    seen,
    object,
    twins = [],
  }: {
    readonly definition: AnyResource;
    readonly seen: TwoLists;
    readonly object: LiveObject;
    readonly twins?: readonly LiveObject[];
  },
): void {
  const { intent } = pending;
  recordCreated(work.instances, intent, {
    definition,
    object,
    nowMs: work.nowMs,
    isLive: (id) => seen.index.byId.has(id),
  });
  const lost = lostCreateOf(intent, lookalikes(intent, seen.index));
  for (const twin of twins) {
    const instance = [...work.instances.values()].find(({ id }) => id === object.id);
    if (instance)
      work.instances.set(
        instance.address,
        withLate(instance, definition, { lostCreate: lost, object: twin, nowMs: work.nowMs }),
      );
  }
  if (intent.mark === undefined) work.lostCreates.push({ ...lost, found: true });
  work.resolved.add(intent.seq);
  const record = work.plans ? "will be recorded" : "is recorded";
  const doubled = twins
    .map(({ id }) => `. ${id} carries the same mark: it ${work.plans ? "will be" : "is recorded to be"} deleted`)
    .join("");
  note(
    work,
    pending,
    `was carried out: ${object.id} ${record}${gapAfterDelete(definition, pending, object)}${doubled}`,
    true,
  );
}

/** Records a created object at the address of its intent. Replaced objects that are still live become deposed. */
export function recordCreated(
  instances: Map<string, RecordedInstance>,
  intent: Intent,
  given: {
    readonly definition: AnyResource;
    readonly object: LiveObject;
    readonly nowMs: number;
    readonly isLive: (id: string) => boolean;
  },
): void {
  const { definition, object, nowMs, isLive } = given;
  const replaced = intent.id === null ? undefined : [...instances.values()].find(({ id }) => id === intent.id);
  const before = replaced ?? instances.get(intent.address ?? "");
  const wanted = { ...intent, address: before?.address ?? intent.address, planned: intent.planned ?? {} };
  const deposed = before ? deposing(before).filter(({ id }) => isLive(id)) : [];
  const record = recordOf(definition, { ...wanted, deposed }, { id: object.id, returned: object.attributes, nowMs });
  instances.set(record.address, record);
}
