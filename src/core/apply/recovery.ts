import { type AnyResource, type Catalog, resourceOf } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Clock } from "../model/ports.ts";
import { type StateDocument, withReplacing } from "../state/document.ts";
import { type PendingIntent, openRequest, pendingIntents, withoutIntents } from "../state/journal-event.ts";
import type { OpenState } from "../state/open-state.ts";
import { type Seen, type SettleMs, leftToSettle, seeTwice } from "./decide-creates.ts";
import type { LiveList } from "./live-list.ts";
import { resolveCommands } from "./outcome-diagnostics.ts";
import { recordOf, withoutDeposed } from "./record.ts";
import { settleCreates } from "./recover-creates.ts";
import { type Recovering, leaveOpen, note } from "./recovering.ts";
import { replayRestored } from "./restored.ts";

export interface RecoveryPorts {
  readonly catalog: Catalog;
  /** The live list of a type that has one. */
  readonly live: (type: string) => LiveList;
  readonly clock: Clock;
  readonly settleMs: SettleMs;
  readonly signal: AbortSignal;
  /** Told before it waits. */
  readonly waiting?: (durationMs: number) => void;
  /** Ids that belong to somebody who is not in the document. */
  readonly managedElsewhere?: ReadonlySet<string>;
}

export interface Recovered {
  readonly document: StateDocument;
  /** What has become clear. */
  readonly diagnostics: readonly Diagnostic[];
  /** What has not, with the ways out. */
  readonly undecided: readonly Diagnostic[];
  /** Whether the document is another one than that of `open`. */
  readonly changed: boolean;
}

/**
 * Finds out what became of writes whose answer was never stored. It only reads, and stores nothing: the caller writes the
 * document, or plans with it in memory. What it cannot tell stays pending.
 */
export async function recover(open: OpenState, ports: RecoveryPorts): Promise<Recovered> {
  const replayed = open.restored ? await replayRestored(open.document, open.restored, ports) : { document: open.document, diagnostics: [] };
  const pending = pendingIntents(replayed.document.pending);
  const lists = await listTwice(pending, ports);
  const settled = settlePending(replayed.document, { pending, lists }, ports);
  return { ...settled, diagnostics: [...replayed.diagnostics, ...settled.diagnostics], changed: settled.document !== open.document };
}

/** What the lists of a type have shown, or why they have shown nothing. */
type Lists = ReadonlyMap<string, Seen | { readonly failed: string }>;

async function listTwice(pending: readonly PendingIntent[], ports: RecoveryPorts): Promise<Lists> {
  const { catalog, signal } = ports;
  const listable = pending.filter(({ intent }) => resourceOf(catalog, intent.type).list);
  const types = [...new Set(listable.map(({ intent }) => intent.type))];
  try {
    await untilSettled(listable, ports);
  } catch (error) {
    if (!signal.aborted) throw error;
    return new Map(types.map((type) => [type, { failed: "The run was interrupted before it could be looked for" }]));
  }
  return new Map(await Promise.all(types.map(async (type) => [type, await seenTwice(type, ports)] as const)));
}

/** Waits for the last of them; never longer than the settle time, even where the clock was set back. */
async function untilSettled(pending: readonly PendingIntent[], { clock, settleMs, signal, waiting }: RecoveryPorts): Promise<void> {
  const waits = pending.map((one) => (one.intent.restored ? 0 : leftToSettle(one, settleMs, clock.now())));
  const waitMs = Math.max(0, ...waits);
  if (waitMs === 0) return;
  waiting?.(waitMs);
  await clock.sleep(waitMs, signal);
}

async function seenTwice(type: string, { catalog, live, signal }: RecoveryPorts): Promise<Seen | { readonly failed: string }> {
  try {
    return await seeTwice(resourceOf(catalog, type), live(type), signal);
  } catch (error) {
    return { failed: `The service's list could not be read (${error instanceof Error ? error.message : String(error)})` };
  }
}

function settlePending(
  document: StateDocument,
  { pending, lists }: { readonly pending: readonly PendingIntent[]; readonly lists: Lists },
  { catalog, clock, managedElsewhere }: RecoveryPorts,
): Omit<Recovered, "changed"> {
  const work = recovering(document, { nowMs: clock.now(), ...(managedElsewhere ? { managedElsewhere } : {}) });
  const creates = new Map<string, PendingIntent[]>();
  for (const one of pending) {
    const { type, restored } = one.intent;
    const definition = resourceOf(catalog, type);
    const seen = lists.get(type);
    if (!definition.list) settleOneWay(work, definition, one);
    else if (!seen || "failed" in seen) leaveOpen(work, one, { why: seen?.failed ?? "There is no list of it" });
    else if (openRequest(one).half === "create") listOf(creates, type).push(one);
    else if (restored) leaveOpen(work, one, { why: "An older state was restored, so what came of it may have been forgotten" });
    else settleDelete(work, one, seen);
  }
  for (const [type, ofType] of creates) {
    const seen = lists.get(type);
    if (seen && !("failed" in seen)) settleCreates(work, ofType, { definition: resourceOf(catalog, type), seen, events: document.pending });
  }
  const { diagnostics, undecided } = work;
  return { document: work.settled.size === 0 ? document : settledDocument(document, work), diagnostics, undecided };
}

/** One-way writes without an answer as what they are: nothing has to be asked for that. */
export function unconfirmedOneWay(document: StateDocument, catalog: Catalog, nowMs: number): StateDocument {
  const work = recovering(document, { nowMs });
  for (const one of pendingIntents(document.pending)) {
    const definition = resourceOf(catalog, one.intent.type);
    if (!definition.list) settleOneWay(work, definition, one);
  }
  return work.settled.size === 0 ? document : settledDocument(document, work);
}

function recovering(
  document: StateDocument,
  { nowMs, managedElsewhere = new Set() }: Pick<Recovering, "nowMs"> & Partial<Pick<Recovering, "managedElsewhere">>,
): Recovering {
  return {
    nowMs,
    managedElsewhere,
    instances: new Map(document.instances.map((instance) => [instance.address, instance])),
    tombstones: [...document.tombstones],
    replacing: new Set(document.replacing),
    settled: new Set(),
    diagnostics: [],
    undecided: [],
  };
}

function listOf(lists: Map<string, PendingIntent[]>, type: string): PendingIntent[] {
  const list = lists.get(type) ?? [];
  lists.set(type, list);
  return list;
}

function settledDocument(document: StateDocument, { instances, tombstones, replacing, settled }: Recovering): StateDocument {
  const decided: StateDocument = {
    ...document,
    instances: [...instances.values()].toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    tombstones,
    pending: withoutIntents(document.pending, settled),
  };
  return withReplacing(decided, replacing);
}

/** Gone from two complete lists it was carried out; otherwise the record stays, and the next plan sees what is there. */
function settleDelete(work: Recovering, pending: PendingIntent, { index, complete }: Seen): void {
  const { id, seq } = pending.intent;
  if (id === null) throw new Error("a delete without an id is pending");
  if (index.byId.has(id)) {
    work.settled.add(seq);
    return note(work, pending, `was not carried out: ${id} is still there`);
  }
  if (!complete) return leaveOpen(work, pending, { why: "The service's list may be cut off" });
  work.settled.add(seq);
  const holder = [...work.instances.values()].find((instance) => instance.id === id || instance.deposed?.some((old) => old.id === id));
  if (holder) putWithout(work.instances, holder, id);
  if (holder && pending.intent.op === "replace") work.replacing.add(holder.address);
  note(work, pending, `was carried out: ${id} is gone`);
}

/** An address that still has older objects to delete is not forgotten before them. */
function putWithout(instances: Map<string, RecordedInstance>, holder: RecordedInstance, id: string): void {
  if (holder.id !== id) instances.set(holder.address, withoutDeposed(holder, id));
  else if (!holder.deposed?.length) instances.delete(holder.address);
}

/** Nothing can look it up, and it must not be sent again unasked: it is recorded as what it is. */
function settleOneWay(work: Recovering, definition: AnyResource, pending: PendingIntent): void {
  const { intent } = pending;
  if (!definition.oneWay || intent.address === null || intent.planned === null) return leaveOpen(work, pending, { why: "It cannot be looked up" });
  const { address, planned } = intent;
  const record = recordOf(definition, { ...intent, planned }, { id: null, returned: definition.oneWay.unconfirmed, nowMs: work.nowMs });
  work.instances.set(address, record);
  work.settled.add(intent.seq);
  work.diagnostics.push({
    code: "outcome_unconfirmed",
    severity: "warning",
    summary: "The outcome of a write is unconfirmed",
    detail: `The ${definition.noun} of ${address} may or may not have been carried out: ${pending.cause ?? "the run ended before the service's answer was stored"}. Nothing can look it up, so it is recorded as unconfirmed and only sent again where you approve it.`,
    hint: resolveCommands(address).join("\n"),
    address,
  });
}
