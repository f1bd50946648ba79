import { remainingListingDelayMs, waitForList } from "../live/listing-delay.ts";
import { resourceOf } from "../../model/definition.ts";
import { type Diagnostic, DiagnosticsError, errorText, errorOf, warningOf } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { isWhole, unlistedOf } from "../../plan/missing.ts";
import type { StateDocument } from "../../state/document.ts";
import { withLost } from "../../state/fold.ts";
import type { JournalContents } from "../../state/journal.ts";
import { type Intent, type JournalEvent, undecidedEvents } from "../../state/journal-event.ts";
import type { RecoveryPorts } from "./recovery-context.ts";
import { byAddress } from "../../model/address.ts";

/** The journal of a state that was restored to an older version, checked against the live list. */
interface Replay {
  readonly instances: Map<string, RecordedInstance>;
  /** The ids that are live, of each type that has a list. */
  readonly live: ReadonlyMap<string, ReadonlySet<string>>;
  readonly intents: ReadonlyMap<number, Intent>;
  /** Intents whose outcome contradicts the records. */
  readonly doubtful: Set<number>;
}

/**
 * Applies the journal entries that a fresh list confirms: objects that were created and are live, and objects that were
 * deleted and are gone. Every other write stays undecided. Throws, undecided, without a complete list: the journal must not
 * be lost.
 */
export async function replayRestored(
  document: StateDocument,
  { header, events }: JournalContents,
  ports: RecoveryPorts,
): Promise<{ readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] }> {
  const all = [...document.pending, ...events];
  const intents = new Map(all.flatMap((event) => (event.kind === "intent" ? [[event.seq, event] as const] : [])));
  const live = await freshLists(all, document.instances, ports);
  const replay: Replay = {
    instances: new Map(document.instances.map((instance) => [instance.address, instance])),
    live,
    intents,
    doubtful: new Set(),
  };
  for (const event of events) replayOne(replay, event);
  const undecided = undecidedEvents(all.filter((event) => event.kind !== "done" || !replay.doubtful.has(event.of)));
  return {
    document: {
      ...document,
      serial: Math.max(document.serial, header.baseSerial),
      instances: [...replay.instances.values()].toSorted(byAddress),
      lostCreates: withLost(document.lostCreates, events),
      pending: undecided.map((event) => (event.kind === "intent" ? { ...event, restored: true as const } : event)),
      journalSeq: events.reduce((last, { seq }) => Math.max(last, seq), Math.max(document.journalSeq, header.baseSeq)),
    },
    diagnostics: [restoredDiagnostic(document, header.baseSerial)],
  };
}

/** The live ids of each type in the journal that has a list. */
async function freshLists(
  events: readonly JournalEvent[],
  instances: readonly RecordedInstance[],
  ports: RecoveryPorts,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { catalog, live, signal } = ports;
  await waitForListingDelay(events, ports);
  const listed = [...typesIn(events)].filter((type) => resourceOf(catalog, type).list);
  return new Map(
    await Promise.all(
      listed.map(async (type) => {
        const listing = await live(type)
          .again(signal, { confirm: true })
          .catch((error: unknown) => {
            signal.throwIfAborted();
            throw notReplayed(errorText(error));
          });
        if (!isWhole(resourceOf(catalog, type), listing, unlistedOf(type, listing.objects, instances)))
          throw notReplayed("the service's list may be truncated");
        return [type, new Set(listing.objects.map(({ id }) => id))] as const;
      }),
    ),
  );
}

/** An object that was created just now may not be listed yet. */
async function waitForListingDelay(events: readonly JournalEvent[], ports: RecoveryPorts): Promise<void> {
  const lastAtMs = events.reduce((last, event) => Math.max(last, event.kind === "intent" ? event.sentAtMs : 0), 0);
  await waitForList(
    remainingListingDelayMs({ answered: true, lastAtMs }, ports.listingDelayMs, ports.clock.now()),
    ports,
  );
}

/** The types of the objects in these events. */
export function typesIn(events: readonly JournalEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => (event.kind === "intent" ? [event.type] : recordsOf(event).map(({ type }) => type))),
  );
}

function recordsOf(event: JournalEvent): readonly RecordedInstance[] {
  if (event.kind === "moved") return event.records.flatMap(({ record }) => (record ? [record] : []));
  return (event.kind === "recorded" || event.kind === "done" || event.kind === "created") && event.record
    ? [event.record]
    : [];
}

function replayOne(replay: Replay, event: JournalEvent): void {
  for (const record of recordsOf(event)) {
    const fits = put(replay, record);
    if (!fits && event.kind === "done") replay.doubtful.add(event.of);
  }
  if (event.kind === "recorded" && event.record === null) takeOut(replay, event.address);
  const isDelete = event.kind === "deleted" || (event.kind === "done" && event.record === null);
  const deleted = isDelete ? replay.intents.get(event.of)?.id : null;
  if (typeof deleted !== "string") return;
  for (const { address, id } of replay.instances.values()) if (id === deleted) takeOut(replay, address);
}

/** False when another live object is recorded there, which the record does not know. */
function put({ instances, live }: Replay, record: RecordedInstance): boolean {
  const { address, type, id } = record;
  const listed = live.get(type);
  if (listed && id !== null && !listed.has(id)) return true;
  const { deposed = [], ...rest } = record;
  const there = deposed.filter((old) => listed?.has(old.id));
  const before = instances.get(address)?.id;
  const isKnown = before === id || there.some((old) => old.id === before);
  if (typeof before === "string" && !isKnown && listed?.has(before)) return false;
  for (const [other, instance] of instances) if (id !== null && instance.id === id) instances.delete(other);
  instances.set(address, there.length > 0 ? { ...rest, deposed: there } : rest);
  return true;
}

/** A live object stays recorded: the list contradicts the journal. */
function takeOut({ instances, live }: Replay, address: string): void {
  const before = instances.get(address);
  if (typeof before?.id === "string" && live.get(before.type)?.has(before.id)) return;
  instances.delete(address);
}

function restoredDiagnostic({ serial }: StateDocument, baseSerial: number): Diagnostic {
  return warningOf("state_restored", "An older state was restored", {
    detail: `The state has serial ${String(serial)}, but its journal begins at serial ${String(baseSerial)}. Only journal entries that the service's list confirms were applied.`,
    hint: "Check the plan carefully: the changes between the two serials are not known. The plan stops at duplicates of unmanaged objects; import those.",
  });
}

function notReplayed(why: string): DiagnosticsError {
  return new DiagnosticsError(
    [
      errorOf("journal_not_replayed", "The journal of a restored state cannot be checked", {
        detail: `An older state was restored, and only a complete list can confirm the entries of its journal: ${why}. Nothing was sent.`,
        hint: "Try again when the service's list is complete, or restore the state that belongs to the journal.",
      }),
    ],
    { undecided: true },
  );
}
