import { type AnyResource, type Catalog, resourceOf } from "../../model/definition.ts";
import { type Diagnostic, errorText, noteOf, warningOf } from "../../model/diagnostic.ts";
import { fateOf } from "../../model/process-fate.ts";
import { type RecordedInstance, managedIds } from "../../model/instance.ts";
import { type StateDocument, withReplacing } from "../../state/document.ts";
import { fold } from "../../state/fold.ts";
import {
  type PendingIntent,
  mayCreate,
  openRequest,
  pendingIntents,
  withoutIntents,
} from "../../state/journal-event.ts";
import type { OpenState } from "../../state/open-state.ts";
import { SEND_WITHIN_MS } from "../../state/windowed-journal.ts";
import { type TwoLists, isGoneFrom, listedBefore, bothLists, unlistedAmong } from "./decide-creates.ts";
import { remainingListingDelayMs, waitForList } from "../live/listing-delay.ts";
import { isWatched } from "../../plan/irreversible-records.ts";
import { type UndecidedWrite, waysToResolve } from "../../plan/undecided.ts";
import { NO_ANSWER_STORED } from "../write/outcome-diagnostics.ts";
import { recordOf, withoutDeposed } from "../write/record.ts";
import { objectsLeft, withMissingObjects } from "./lost-creates.ts";
import { type CreateEvidence, givenUpCreate, resolveCreates } from "./recover-creates.ts";
import { type RecoveryContext, type RecoveryPorts, leaveOpen, note } from "./recovery-context.ts";
import { gapAfterOpenDelete } from "./unmeasured-gap.ts";
import { whyUnknown } from "../../plan/missing.ts";
import { replayRestored } from "./restored.ts";
import { settledList } from "../live/settled-list.ts";
import { byAddress } from "../../model/address.ts";

export interface RecoveredState {
  readonly document: StateDocument;
  /** About the outcomes that are known now. */
  readonly diagnostics: readonly Diagnostic[];
  /** The writes whose outcome is still not known. */
  readonly undecided: readonly UndecidedWrite[];
  /** The intents of creates that wait until the list has shown another one: as far as its length tells, they were not carried out. */
  readonly deferred: ReadonlySet<number>;
  /** Whether the document differs from that of `open`. */
  readonly changed: boolean;
}

/**
 * Finds out the outcome of writes whose answer was never stored. It only reads, and stores nothing: the caller writes the
 * document, or plans with it in memory. Writes that it cannot decide stay pending.
 */
export async function recover(open: OpenState, ports: RecoveryPorts): Promise<RecoveredState> {
  const replayed = open.restored
    ? await replayRestored(open.document, open.restored, ports)
    : { document: open.document, diagnostics: [] };
  const pending = pendingIntents(replayed.document.pending);
  const hasEnded = open.sender !== undefined && (await fateOf(open.sender, ports.process)) === "ended";
  const lists = await listTwice(pending, replayed.document.instances, {
    ...ports,
    aheadMs: hasEnded ? 0 : SEND_WITHIN_MS,
  });
  const document = withDeletedHalves(replayed.document, { pending, lists, catalog: ports.catalog });
  const resolved = resolvePending(document, { pending: pendingIntents(document.pending), lists }, ports);
  // No answer confirms these: what only the lists lack may appear again.
  const left = objectsLeft(replayed.document.instances, resolved.document.instances);
  return {
    document: withMissingObjects(resolved.document, left, { catalog: ports.catalog, nowMs: ports.clock.now() }),
    diagnostics: [...replayed.diagnostics, ...resolved.diagnostics],
    undecided: resolved.undecided,
    deferred: resolved.deferred,
    changed: resolved.document !== open.document,
  };
}

/**
 * Completes replaces that were begun ahead and have no stored outcome: no event records whether the create was sent. Where two
 * lists show that the old object is gone, the delete was carried out, and the create may have been sent.
 */
function withDeletedHalves(
  document: StateDocument,
  {
    pending,
    lists,
    catalog,
  }: { readonly pending: readonly PendingIntent[]; readonly lists: Lists; readonly catalog: Catalog },
): StateDocument {
  const deleted = pending.filter((one) => {
    const { op, ahead, type, id } = one.intent;
    const isOpen = op === "replace" && ahead && one.cause === null && openRequest(one).half === "delete";
    const seen = lists(type);
    return (
      isOpen && !("failed" in seen) && isGone(resourceOf(catalog, type), seen, { id, recorded: document.instances })
    );
  });
  if (deleted.length === 0) return document;
  return fold(
    document,
    deleted.map(({ intent }, index) => ({ seq: document.journalSeq + index + 1, kind: "deleted", of: intent.seq })),
  );
}

/** Whether two lists show that a recorded object, or an older one of its address, is gone. */
function isGone(
  definition: AnyResource,
  seen: TwoLists,
  { id, recorded: instances }: { readonly id: string | null; readonly recorded: readonly RecordedInstance[] },
): boolean {
  if (id === null || seen.index.byId.has(id)) return false;
  const object = instances.flatMap((instance) => [instance, ...(instance.deposed ?? [])]).find((one) => one.id === id);
  return isGoneFrom(definition, seen, object ?? { id, attributes: {} }, unlistedAmong(definition, instances));
}

/** What the lists of each type have shown, or why they could not be read. */
type Lists = (type: string) => TwoLists | { readonly failed: string };

interface ListingPorts extends RecoveryPorts {
  /** How long from now a request that was announced may still be sent. */
  readonly aheadMs: number;
}

async function listTwice(
  pending: readonly PendingIntent[],
  instances: readonly RecordedInstance[],
  ports: ListingPorts,
): Promise<Lists> {
  const { catalog, signal } = ports;
  const listable = pending.filter(({ intent }) => resourceOf(catalog, intent.type).list);
  const types = [...new Set(listable.map(({ intent }) => intent.type))];
  try {
    await waitForListingDelay(listable, ports);
  } catch (error) {
    if (!signal.aborted) throw error;
    return () => ({ failed: "The run was interrupted before recovery could look for it" });
  }
  const seen = new Map(
    await Promise.all(types.map(async (type) => [type, await seenTwice(type, instances, ports)] as const)),
  );
  return (type) => seen.get(type) ?? { failed: "The service has no list of it" };
}

/** Waits for the last of them; never longer than the listing delay, and the time in which an announced request is sent. */
async function waitForListingDelay(pending: readonly PendingIntent[], ports: ListingPorts): Promise<void> {
  const { clock, listingDelayMs, aheadMs } = ports;
  const waits = pending.map((one) =>
    one.intent.restored
      ? 0
      : remainingListingDelayMs(one, listingDelayMs, clock.now(), one.intent.ahead === true ? aheadMs : 0),
  );
  await waitForList(
    waits.reduce((most, one) => Math.max(most, one), 0),
    ports,
  );
}

async function seenTwice(
  type: string,
  instances: readonly RecordedInstance[],
  ports: RecoveryPorts,
): Promise<TwoLists | { readonly failed: string }> {
  const { catalog, live, listingDelayMs, signal } = ports;
  const list = live(type);
  const settling = {
    ...ports,
    definition: resourceOf(catalog, type),
    instances: instances.filter((instance) => instance.type === type),
    listingDelayMs: listingDelayMs.answered,
    confirm: true,
  };
  try {
    const earlier = list.earlier();
    const first = await settledList(await list.again(signal, { confirm: true }), list, settling);
    const second = await list.again(signal, { confirm: true });
    return bothLists(resourceOf(catalog, type), { first, second, earlier });
  } catch (error) {
    return { failed: `The service's list could not be read (${errorText(error)})` };
  }
}

function resolvePending(
  document: StateDocument,
  { pending, lists }: { readonly pending: readonly PendingIntent[]; readonly lists: Lists },
  { catalog, clock, listingDelayMs, isWanted = () => true, plans = false }: RecoveryPorts,
): Omit<RecoveredState, "changed"> {
  const work = recovering(document, { nowMs: clock.now(), plans });
  const before = listedBefore(document.pending);
  const managed = managedIds(document.instances);
  const creates = new Map<string, { readonly known: CreateEvidence; readonly ofType: PendingIntent[] }>();
  for (const one of pending) {
    const { type, restored } = one.intent;
    const definition = resourceOf(catalog, type);
    const shown = lists(type);
    if (!definition.list) resolveIrreversible(work, definition, one);
    else if ("failed" in shown) leaveOpen(work, one, { why: shown.failed });
    else {
      const known = {
        definition,
        seen: shown,
        before,
        managed,
        unlisted: unlistedAmong(definition, document.instances),
        recorded: document.instances,
        listingDelayMs,
        isWanted,
      };
      if (openRequest(one).half === "create") {
        const group = creates.get(type) ?? { known, ofType: [] };
        group.ofType.push(one);
        creates.set(type, group);
      } else if (restored)
        leaveOpen(work, one, { why: "An older state was restored, so its outcome may have been forgotten" });
      else resolveDelete(work, one, known);
    }
  }
  for (const { known, ofType } of creates.values()) resolveCreates(work, ofType, known);
  const { diagnostics, undecided, deferred } = work;
  return {
    document: work.resolved.size === 0 ? document : resolvedDocument(document, work),
    diagnostics,
    undecided,
    deferred,
  };
}

/** Records irreversible writes without an answer as unconfirmed: that needs no request. */
export function unconfirmedIrreversible(document: StateDocument, catalog: Catalog, nowMs: number): StateDocument {
  const work = recovering(document, { nowMs, plans: false });
  for (const one of pendingIntents(document.pending)) {
    const definition = resourceOf(catalog, one.intent.type);
    if (!definition.list) resolveIrreversible(work, definition, one);
  }
  return work.resolved.size === 0 ? document : resolvedDocument(document, work);
}

function recovering(
  document: StateDocument,
  { nowMs, plans }: Pick<RecoveryContext, "nowMs" | "plans">,
): RecoveryContext {
  return {
    nowMs,
    plans,
    instances: new Map(document.instances.map((instance) => [instance.address, instance])),
    lostCreates: [...document.lostCreates],
    replacing: new Set(document.replacing),
    resolved: new Set(),
    deferred: new Set(),
    diagnostics: [],
    undecided: [],
  };
}

function resolvedDocument(
  document: StateDocument,
  { instances, lostCreates, replacing, resolved }: RecoveryContext,
): StateDocument {
  const decided: StateDocument = {
    ...document,
    instances: [...instances.values()].toSorted(byAddress),
    lostCreates,
    pending: withoutIntents(document.pending, resolved),
  };
  return withReplacing(decided, replacing);
}

/** A delete was carried out if two lists show that the object is gone; otherwise the record stays, and the next plan decides. */
function resolveDelete(work: RecoveryContext, pending: PendingIntent, known: CreateEvidence): void {
  const { definition, seen } = known;
  const { id, seq } = pending.intent;
  if (id === null) throw new Error("a delete without an id is pending");
  if (seen.index.byId.has(id)) {
    // Two stale lists would show it, too, and the create of a replace that was begun ahead may come late.
    const mayComeLate = mayCreate(pending);
    if (mayComeLate) work.lostCreates.push(givenUpCreate(pending, known));
    work.resolved.add(seq);
    return note(
      work,
      pending,
      `was not carried out: ${id} still exists${mayComeLate ? ". If the new one appears later, that is reported" : ""}`,
    );
  }
  if (!isGone(definition, seen, { id, recorded: known.recorded }))
    return leaveOpen(work, pending, { why: whyUnknown(definition, seen.listings[0]) });
  work.resolved.add(seq);
  const holder = [...work.instances.values()].find(
    (instance) => instance.id === id || instance.deposed?.some((old) => old.id === id),
  );
  if (holder) putWithout(work.instances, holder, id);
  if (holder && pending.intent.op === "replace") work.replacing.add(holder.address);
  note(work, pending, `was carried out: ${id} is gone${gapAfterOpenDelete(definition, pending)}`);
}

/** An address that still has older objects to delete is forgotten only after them. */
function putWithout(instances: Map<string, RecordedInstance>, holder: RecordedInstance, id: string): void {
  if (holder.id !== id) instances.set(holder.address, withoutDeposed(holder, id));
  else if (!holder.deposed?.length) instances.delete(holder.address);
}

/** Nothing can look it up, and it must not be sent again without approval: it is recorded as unconfirmed. */
function resolveIrreversible(work: RecoveryContext, definition: AnyResource, pending: PendingIntent): void {
  const { intent } = pending;
  if (!definition.irreversible || intent.address === null || intent.planned === null)
    return leaveOpen(work, pending, { why: "Nothing can look it up" });
  const { address, planned } = intent;
  const record = recordOf(
    definition,
    { ...intent, planned },
    { id: null, returned: definition.irreversible.unconfirmed, nowMs: work.nowMs },
  );
  // The interrupted request gives the write no other turn than it had before.
  const { recordedAtMs, sentAtMs, doneAtMs } = work.instances.get(address) ?? record;
  work.instances.set(address, {
    ...record,
    recordedAtMs,
    ...(sentAtMs === undefined ? {} : { sentAtMs }),
    ...(doneAtMs === undefined ? {} : { doneAtMs }),
  });
  work.resolved.add(intent.seq);
  const watched = isWatched(definition, planned);
  const says = watched ? noteOf : warningOf;
  work.diagnostics.push(
    says("outcome_unconfirmed", "The outcome of a write is unconfirmed", {
      detail: `The ${definition.noun} of ${address} may or may not have been carried out: ${pending.cause ?? NO_ANSWER_STORED}. Nothing can look it up, so it ${work.plans ? "will be" : "is"} recorded as unconfirmed, and sent again ${watched ? "by the next run" : "only with your approval"}.`,
      ways: watched ? undefined : waysToResolve({ address, type: intent.type }),
      address,
    }),
  );
}
