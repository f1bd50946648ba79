import type { RecordedInstance } from "../model/instance.ts";
import { canonicalJson } from "../model/value.ts";
import { type StateDocument, withReplacing } from "./document.ts";
import { type LostCreate, withRecorded } from "./lost-create.ts";
import { type Intent, type JournalEvent, undecidedEvents } from "./journal-event.ts";
import { byAddress } from "../model/address.ts";

/**
 * The state after the journal's events. Folding the same events twice changes nothing: events up to `journalSeq` are
 * passed over. Events of undecided intents stay in `pending`, with what they refer to.
 */
export function fold(document: StateDocument, events: readonly JournalEvent[]): StateDocument {
  const fresh = events.filter(({ seq }) => seq > document.journalSeq);
  const all = [...document.pending, ...fresh];
  const intents = new Map(all.flatMap((event) => (event.kind === "intent" ? [[event.seq, event] as const] : [])));
  const instances = new Map(document.instances.map((instance) => [instance.address, instance]));
  const replacing = new Set(document.replacing);
  const recorded: RecordedInstance[] = [];
  const put = (address: string, record: RecordedInstance | null): void => {
    if (!record) return void instances.delete(address);
    recorded.push(record);
    instances.set(record.address, record);
    replacing.delete(record.address);
  };
  for (const event of fresh) {
    if (event.kind === "recorded") put(event.address, event.record);
    else if (event.kind === "moved") for (const { address, record } of event.records) put(address, record);
    else if (event.kind === "done" || event.kind === "created" || event.kind === "deleted") {
      const address = intents.get(event.of)?.address ?? null;
      if (address === null) continue;
      put(address, event.kind === "deleted" ? null : event.record);
      if (event.kind === "deleted") replacing.add(address);
    }
  }
  const folded: StateDocument = {
    ...document,
    instances: [...instances.values()].toSorted(byAddress),
    lostCreates: withRecorded(withLost(withoutUnsent(document.lostCreates, fresh, intents), fresh), recorded),
    pending: undecidedEvents(all),
    journalSeq: fresh.reduce((last, { seq }) => Math.max(last, seq), document.journalSeq),
  };
  return withReplacing(folded, replacing);
}

/** The records with those in the events. One that differs from an earlier one in nothing but its times takes its place: its mark was first sent then. */
export function withLost(lostCreates: readonly LostCreate[], events: readonly JournalEvent[]): readonly LostCreate[] {
  const lost = events.flatMap((event) => ("lost" in event && event.lost ? [event.lost] : []));
  if (lost.length === 0) return lostCreates;
  const textOf = ({ rejected, ...one }: LostCreate): string =>
    canonicalJson([
      { ...one, sentAtMs: 0, serverDate: "" },
      { ...rejected, serverDate: "" },
    ]);
  const byText = new Map<string, LostCreate>();
  for (const one of [...lostCreates, ...lost]) {
    const text = textOf(one);
    const { serverDate } = byText.get(text) ?? one;
    byText.set(text, serverDate === undefined ? one : { ...one, serverDate });
  }
  return [...byText.values()];
}

/** What the service deletes now was not deleted before, and the create that was to follow was not sent. */
function withoutUnsent(
  lostCreates: readonly LostCreate[],
  events: readonly JournalEvent[],
  intents: ReadonlyMap<number, Intent>,
): readonly LostCreate[] {
  const deleted = new Set(
    events.flatMap((event) => {
      if (event.kind !== "deleted" && event.kind !== "done") return [];
      const id = intents.get(event.of)?.id;
      return typeof id === "string" && event.returned?.["id"] === id ? [id] : [];
    }),
  );
  return deleted.size === 0
    ? lostCreates
    : lostCreates.filter(({ replaces }) => replaces === undefined || !deleted.has(replaces));
}
